"""Where rows live. One package a database; nothing above names one."""
