"""The files of other programs: which they are is found by what they hold."""
