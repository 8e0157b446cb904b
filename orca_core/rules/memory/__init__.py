"""What becomes of what is kept: status, weights, changes by hand, undo."""
