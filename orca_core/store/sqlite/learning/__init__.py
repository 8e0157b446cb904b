"""What the memory agent reads, is asked and answers."""
