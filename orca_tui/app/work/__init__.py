"""Work: the current task with its steps, and what was done before; its pane, and what is done to it by hand."""
