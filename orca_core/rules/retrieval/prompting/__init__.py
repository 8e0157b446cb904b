"""What memory may cost, and how it stands in the prompt."""
