"""From posteriors and best paths to alignments."""
