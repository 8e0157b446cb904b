"""Work: what is being done (tasks), what was done (episodes), what that taught (knowledge), and tools."""
