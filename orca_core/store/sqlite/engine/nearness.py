"""How well a row of a full-text index fits a query, for queries of which every row holds every word."""

from __future__ import annotations

import apsw

NAME = "nearness"
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""Those of BM25: how little a further occurrence counts, and how much the length does."""
MEAN_WORDS = 150
"""About as many words as a message has in the index. Chosen by hand."""


def nearness(api: apsw.FTS5ExtensionApi, *_arguments: apsw.SQLiteValue) -> float:
    """What BM25 makes of how often the words stand in a row of this length. How rare each word is does not count:
    FTS5's own rank would read all rows that hold it, and all hits hold it alike."""
    length = api.column_size(-1) / MEAN_WORDS
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
    found = (len(api.phrase_column_offsets(phrase, 0)) for phrase in range(api.phrase_count))
    return sum(count / (count + damping) for count in found)
