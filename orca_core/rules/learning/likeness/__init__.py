"""Whether two memories say the same, or give one thing two values, and which one a name means."""
