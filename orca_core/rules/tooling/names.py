"""Names of tools: when two are one, which ones a text asks for, and which ones it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from orca_core.rules.text.cleaning import clean_memory

_BETWEEN = re.compile(r"[,，、;；\n]")
_NOT_BEFORE, _NOT_BEHIND = r"(?<![\w-])(?<!\w[.:/])", r"(?![\w-]|[.:/]\w)"
"""What stands right beside a name makes it another one: `search_web` is not named by `search_web-index`."""
_QUOTES = "`'\"“”‘’「」『』（()）"


def folded(tool: str) -> str:
    """A name as it is compared: without case, width, and blanks around it."""
    return " ".join(unicodedata.normalize("NFKC", tool).casefold().split())


def asked_for(query: str) -> list[str]:
    """The names that a query lists, between commas, each once, in its order."""
    names = {folded(each): clean_memory(each) for each in reversed(_BETWEEN.split(query))}
    return [names[each] for each in dict.fromkeys(map(folded, _BETWEEN.split(query))) if each]


def named_in(text: str, tools: Iterable[str]) -> list[str]:
    """Those of the folded names that a text holds, whole; in the order in which they stand there. A name that may be an
    everyday word (letters alone) counts only in quotes, beside the word tool, or as the whole text."""
    said = folded(text)
    places = {tool: found.start() for tool in tools if tool and (found := _shape(tool).search(said))}
    return sorted(places, key=lambda tool: (places[tool], tool))


def _shape(tool: str) -> re.Pattern[str]:
    name = re.escape(tool)
    if tool.isascii() and tool.isalpha():
        quoted = rf"(?<=[{_QUOTES}]){name}(?=[{_QUOTES}])"
        return re.compile(
            rf"^{name}$|{quoted}|\b{name}(?= tool\b| ?工具)|(?:(?<=\btool )|(?<=工具)|(?<=工具 )){name}\b"
        )
    return re.compile(rf"{_NOT_BEFORE}{name}{_NOT_BEHIND}", re.ASCII)
