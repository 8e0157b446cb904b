"""What a transaction does, above any engine: it stands on the port of rows, holds no SQL and names no rule."""
