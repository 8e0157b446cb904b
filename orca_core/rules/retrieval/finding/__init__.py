"""How near each record is to a question, and whether that is near enough."""
