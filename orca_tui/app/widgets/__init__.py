"""Widgets are given data and post messages; they know no Orca."""
