"""Chat models: the OpenAI-compatible client and the built-in demo."""
