-- Why a round ended as it did, as JSON {"kind", "template", "hint_template", "fields"}: an error, or a cut by the
-- server. NULL where nothing is to be said.
ALTER TABLE rounds ADD COLUMN cause TEXT;
