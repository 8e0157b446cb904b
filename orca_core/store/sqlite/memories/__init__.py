"""What is remembered, how it changed, and how it is deleted."""
