-- Version 12: where an imported memory was before: the program whose file it came in, the title of its chat there.

ALTER TABLE long_term_memories ADD COLUMN elsewhere_program TEXT NOT NULL DEFAULT '';
ALTER TABLE long_term_memories ADD COLUMN elsewhere_chat TEXT NOT NULL DEFAULT '';
