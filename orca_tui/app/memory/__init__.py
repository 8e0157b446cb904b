"""The memories and what happened to them: their panes, and what is done to them by hand."""
