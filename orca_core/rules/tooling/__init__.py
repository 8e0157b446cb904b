"""What calls of tools are kept as, when a guide is written of them, and what of it is believed."""
