"""What becomes of a judged fact beside what is known."""
