"""The few signs that are drawn, in Unicode or in ASCII: no state hangs on a colour alone."""

from __future__ import annotations

from msgspec import Struct

from orca_core.model.record_types import Ref, plain_ref


class Marks(Struct, frozen=True):
    """One set of signs. The bar's are full, half and empty, the boxes of tasks open and done; `beyond` a line it goes
    on to the left or to the right."""

    brand: str
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
    liked: str
    disliked: str
    cursor: str
    bar: tuple[str, str, str]
    spark: str
    level: tuple[str, str, str, str]
    digits: str
    bullets: tuple[str, str, str]
    boxes: tuple[str, str]
    rule: str
    quote: str
    beyond: tuple[str, str]

    def citation(self, ref: Ref) -> str:
        """A small number in a text."""
        named = str(plain_ref(ref))
        if not self.digits:
            return f"[{named}]"
        return named.translate(str.maketrans("0123456789", self.digits))


UNICODE_MARKS = Marks(
    brand="◢",
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
    liked="▲",
    disliked="▼",
    cursor="▸",
    bar=("━", "╸", "╌"),
    spark="▁▂▃▄▅▆▇█",
    level=("●", "◐", "○", "✗"),
    digits="⁰¹²³⁴⁵⁶⁷⁸⁹",
    bullets=("•", "◦", "▪"),
    boxes=("☐", "☑"),
    rule="─",
    quote="▏",
    beyond=("‹", "›"),
)
ASCII_MARKS = Marks(
    brand="/",
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
    liked="+",
    disliked="-",
    cursor=">",
    bar=("=", "-", "."),
    spark="_.-=+*#@",
    level=("full", "text", "short", "none"),
    digits="",
    bullets=("*", "-", "+"),
    boxes=("[ ]", "[x]"),
    rule="-",
    quote="|",
    beyond=("<", ">"),
)
