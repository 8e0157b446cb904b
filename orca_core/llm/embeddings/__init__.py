"""Embedders: OpenAI-compatible, the built-in local one, and the cache in front of both."""
