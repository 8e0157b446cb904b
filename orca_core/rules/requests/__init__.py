"""What a message asks for: something technical, something remembered, something to be kept or forgotten."""
