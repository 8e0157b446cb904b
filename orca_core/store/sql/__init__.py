"""SQL that two engines understand."""
