"""What fades, when, and why not."""
