"""Puts together what an Orca is made of."""
