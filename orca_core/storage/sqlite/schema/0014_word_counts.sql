-- Version 14: how many records of a kind hold each word, under its scope as in the full-text index, and under the scope's
-- own mark how many records there are. All is counted in the background, slice by slice: `meta` says how far that is.

CREATE TABLE word_counts (
    kind    TEXT NOT NULL,
    word    TEXT NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (kind, word)
) STRICT, WITHOUT ROWID;
