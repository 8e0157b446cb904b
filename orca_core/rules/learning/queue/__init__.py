"""What is read next, what it may cost, and when it is tried again."""
