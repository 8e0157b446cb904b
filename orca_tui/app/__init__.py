"""The Textual app: a screen over the engine's events."""
