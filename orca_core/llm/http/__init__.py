"""What every client of a web API shares: one way to connect, one way to say what failed."""
