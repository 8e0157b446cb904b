"""Acts, supports, and what is known of tools, inside transactions."""
