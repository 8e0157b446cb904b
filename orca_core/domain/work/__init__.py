"""Work: what is being done (tasks), what was done (episodes), and what several times of it taught (knowledge)."""
