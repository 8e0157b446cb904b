"""What an evaluation reads and how it counts."""
