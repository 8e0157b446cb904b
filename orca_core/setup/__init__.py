"""Before an engine is open, or when none opens: trying a model, what a provider offers, and the doctor."""
