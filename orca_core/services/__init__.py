"""Async steps: read through ports, decide by rules, write once."""
