"""Growth: what acts show of the user, and what tool calls taught."""
