"""The chat: a message on its way, its answer, the rounds before it, and what is shown of them."""
