"""What turns, jobs and hands have in common."""
