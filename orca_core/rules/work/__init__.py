"""Rules of work: tasks, the episodes that their ends make, the texts of both."""
