"""Flows that measure: nothing of what a person has stored is changed."""
