"""How the chat stands, as a value: reduced from what happens, and drawn by whoever shows any of it."""
