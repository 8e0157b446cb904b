"""What becomes of the entries of other programs' files."""
