-- Version 15: an undo or redo of much is done in slices: how far one is that is under way. NULL: it is done.

ALTER TABLE operations ADD COLUMN under_way TEXT;
CREATE INDEX operations_under_way ON operations (scope) WHERE under_way IS NOT NULL;
