"""Whole screens: they compose widgets and ask the bridge."""
