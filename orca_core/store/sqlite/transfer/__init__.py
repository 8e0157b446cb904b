"""Imports and exports."""
