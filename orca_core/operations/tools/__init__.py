"""Calls of tools and their guides, inside transactions."""
