"""The configuration file: found, read, checked, changed."""
