"""Words that count from the day on which something is said, and go wrong where it is kept: "yesterday", 下周."""

from __future__ import annotations

from orca_core import words
from orca_core.rules.text.dates import dates_in
from orca_core.rules.text.relative_dates import counted_words

_NEVER_AGES = ("weekday", "monthday", "vague", "span")
"""A day of the week comes again; "recently" gives no day, and "nine years" may last."""


def ageing_words(text: str) -> tuple[str, ...]:
    """The words of a text by which only who heard it knows the day; none where a whole date stands beside them."""
    found = tuple(
        word
        for key, word in counted_words(text)
        if key.partition("_")[0] not in _NEVER_AGES and not words.pattern("relative.lasting").search(word)
    )
    return () if found and any(each.year is not None for each in dates_in(text)) else found
