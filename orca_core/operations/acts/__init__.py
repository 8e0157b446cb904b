"""Acts, and what they support, inside transactions."""
