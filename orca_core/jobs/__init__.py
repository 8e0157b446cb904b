"""What is done while nobody waits."""
