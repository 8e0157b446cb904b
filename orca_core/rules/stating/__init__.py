"""What a person states of themselves, put down as a memory says it. It knows no model."""
