"""Recognizes a memory that says of another one that it is no longer so, and nothing else."""

from __future__ import annotations

from functools import cache

from orca_core import words


def says_only_an_end(content: str) -> bool:
    """Whether it is what a bare retraction says."""
    return content.startswith(_openings())


@cache
def _openings() -> tuple[str, ...]:
    return tuple(words.text("time.sentences", "ended", language).partition("{}")[0] for language in words.languages())
