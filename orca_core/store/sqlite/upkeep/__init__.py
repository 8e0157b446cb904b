"""Looking after the file: wiping, mending, expiring, examining."""
