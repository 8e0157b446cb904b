"""What the demo looks up: the words of a question that tell what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from orca_core.rules.text.search_terms import CJK, index_terms, query_terms

_PIECE = re.compile(rf"(?P<run>[{CJK}]+)|[^\W{CJK}](?:(?:[^\W{CJK}]|[-.+#:/@])*(?:[^\W{CJK}]|[+#]))?")


def telling_words(question: str) -> str:
    """The words of a question that a search counts, as they are written; empty where none of them tells anything."""
    looked_for = frozenset(token for token in query_terms(question).tokens if not token.startswith("k_"))
    return " ".join(dict.fromkeys(_telling(question, looked_for)))


def _telling(question: str, looked_for: frozenset[str]) -> Iterator[str]:
    for match in _PIECE.finditer(question):
        if match["run"] is not None:
            yield from _telling_runs(match[0], looked_for)
        elif looked_for.intersection(index_terms(match[0])):
            yield match[0]


def _telling_runs(run: str, looked_for: frozenset[str]) -> Iterator[str]:
    """The stretches of a run without blanks whose pairs are looked for."""
    tells = [False] * len(run)
    for at in range(len(run) - 1):
        if run[at : at + 2] in looked_for:
            tells[at] = tells[at + 1] = True
    kept = "".join(character if is_telling else " " for character, is_telling in zip(run, tells, strict=True))
    yield from kept.split()
