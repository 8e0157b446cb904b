"""The few signs that are drawn, in Unicode or in ASCII: no state hangs on a colour alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marks:
    """One set of signs. The bar's are full, half and empty."""

    receipt: str
    arrow: str
    dot: str
    ellipsis: str
    pinned: str
    core: str
    active: str
    archived: str
    short_term: str
    candidate: str
    rejected: str
    marked: str
    cursor: str
    bar: tuple[str, str, str]
    spark: str
    level: tuple[str, str, str, str]


UNICODE_MARKS = Marks(
    receipt="◇",
    arrow="→",
    dot="·",
    ellipsis="…",
    pinned="★",
    core="◆",
    active="●",
    archived="◌",
    short_term="○",
    candidate="?",
    rejected="✗",
    marked="✓",
    cursor="▸",
    bar=("━", "╸", "╌"),
    spark="▁▂▃▄▅▆▇█",
    level=("●", "◐", "○", "✗"),
)
ASCII_MARKS = Marks(
    receipt="*",
    arrow="->",
    dot="-",
    ellipsis="...",
    pinned="*",
    core="#",
    active="o",
    archived=".",
    short_term="s",
    candidate="?",
    rejected="x",
    marked="+",
    cursor=">",
    bar=("=", "-", "."),
    spark="_.-=+*#@",
    level=("full", "text", "short", "none"),
)
