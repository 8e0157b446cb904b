-- Version 10: what an episode says, and what of it a consolidation has read; marks follow from sources.

ALTER TABLE episodes ADD COLUMN says TEXT NOT NULL DEFAULT '';      -- the fingerprint of what it says
ALTER TABLE episodes ADD COLUMN read_as TEXT;                       -- the one that was read; NULL: none was

UPDATE episodes SET read_as = '' WHERE id IN (
    SELECT e.value FROM extraction_runs r, json_each(r.episodes) e
    WHERE r.kind = 'consolidate' AND r.state IN ('done', 'none')
);

-- An episode is marked with the knowledge that names it: with what lives, then with the newest.
UPDATE episodes SET consolidated_into = NULL WHERE consolidated_into IS NOT NULL;
UPDATE episodes SET consolidated_into = named.knowledge & 0xFFFFFFFFFF FROM (
    SELECT e.value AS episode, max((k.state = 'live') << 40 | k.id) AS knowledge
    FROM knowledge k, json_each(k.source_episodes) e
    WHERE k.state IN ('live', 'candidate') GROUP BY e.value
) AS named WHERE named.episode = episodes.id;
