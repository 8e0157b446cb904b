"""Work by hand and for programs: tasks, episodes, knowledge, and all of it for one question."""
