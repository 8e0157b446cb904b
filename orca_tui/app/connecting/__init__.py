"""From the demo to a model, and from one model to another."""
