"""What a memory agent is shown, and how its answer is read."""
