-- Version 13: which vectors came, went or changed their state, latest last: what holds the codes of many in memory
-- reads only these again. The last 20,000 are kept; who is farther behind reads all.

CREATE TABLE vector_changes (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id   INTEGER NOT NULL
) STRICT;

CREATE TRIGGER vector_came AFTER INSERT ON vectors BEGIN
    INSERT INTO vector_changes (kind, id) VALUES (new.kind, new.id);
    DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - 20000;
END;

CREATE TRIGGER vector_went AFTER DELETE ON vectors BEGIN
    INSERT INTO vector_changes (kind, id) VALUES (old.kind, old.id);
    DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - 20000;
END;
