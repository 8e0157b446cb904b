"""Domain values as the JSON that other programs rely on, and back. Pure: nothing is asked, nothing is written.

One module a room of the domain. What a person reads in it comes from the caller, who knows the language."""
