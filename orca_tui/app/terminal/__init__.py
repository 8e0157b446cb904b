"""What the app asks of the terminal: its clipboard, and room for an editor."""
