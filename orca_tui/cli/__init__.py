"""The commands: one module a group; output.py holds the only print."""
