"""What leaves a home for another, and what comes into one."""
