"""What is put before the model and why, and which of it an answer used."""
