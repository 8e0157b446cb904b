"""What is learnt in the background, a kind a file. Each is a `Pipeline` (pipeline.py), made in orca.py."""
