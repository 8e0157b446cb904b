"""Domain values put into words, for commands and app alike. Pure: text in the interface's language comes out."""
