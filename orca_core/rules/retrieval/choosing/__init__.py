"""What may be looked for, and who takes the slots."""
