"""What acts show of the user, what supports it, and when it goes live."""
