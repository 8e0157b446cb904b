"""The built-in stand-in for a model, and the story that `orca demo` tells."""
