"""What was said: sessions, rounds, attempts, receipts."""
