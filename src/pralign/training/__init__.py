"""The one EM loop that trains all models."""
