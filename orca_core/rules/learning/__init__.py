"""What a conversation teaches: what is read, what is trusted, what gives way to what."""
