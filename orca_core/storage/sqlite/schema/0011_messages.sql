-- Version 11: what was said is searched by an index.

-- Messages that are not in it yet: those of older databases, a fork's, an answer while it comes. Made in the background.
CREATE TABLE IF NOT EXISTS unindexed_messages (
    id INTEGER PRIMARY KEY REFERENCES main_messages (id) ON DELETE CASCADE
) STRICT;

-- Whoever writes a message, also an older Orca that had the database open: none is missed.
CREATE TRIGGER IF NOT EXISTS message_waits AFTER INSERT ON main_messages BEGIN
    INSERT OR IGNORE INTO unindexed_messages (id) VALUES (new.id);
END;

INSERT OR IGNORE INTO unindexed_messages (id) SELECT id FROM main_messages;
