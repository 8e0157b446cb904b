"""Whether a fact may live: what was typed, which clause bears it, who reads it a second time."""
