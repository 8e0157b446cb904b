"""Lists of records of any kind: filtered, sorted, marked, looked at, changed by hand. They are told the kind."""
