"""The state of the chat as a value: reduced from events, drawn by the widgets."""
