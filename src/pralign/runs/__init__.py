"""From settings to a trained model: recipes, resources, checkpoints, runs."""
