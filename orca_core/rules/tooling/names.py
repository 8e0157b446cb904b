"""Names of tools: when two are one, which ones a text asks for, and which ones it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from orca_core import words
from orca_core.model.errors import InvalidInput
from orca_core.model.tasks import Step
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.work import kept

BETWEEN_NAMES = re.compile(r"[,，、;；\n]")
"""What stands between names of tools where several are asked for: no name has it."""
_NOT_BEFORE, _NOT_BEHIND = r"(?<![\w-])(?<!\w[.:/])", r"(?![\w-]|[.:/]\w)"
"""What stands right beside a name makes it another one: `search_web` is not named by `search_web-index`."""
_QUOTES = "`'\"“”‘’「」『』（()）"
_OF_NO_PROSE = re.compile(r"[^\W_]_+[^\W_]")
"""What no sentence holds but as a name."""
CHARS_READ = 20_000
"""So much of a text is looked through, its beginning and its end: it bounds the time that a pasted log takes. Chosen by
hand."""
_GAP = "-"
"""Between the two; it makes no name of half a one."""


def folded(tool: str) -> str:
    """A name as it is compared: without case, width, and blanks around it."""
    return " ".join(unicodedata.normalize("NFKC", tool).casefold().split())


def checked_name(given: str) -> str:
    """The name of a tool, cleaned. Raises InvalidInput where nobody could ask for it by that."""
    cleaned = kept.text(given, what="tool", most=kept.MAX_NAME_CHARS, may_be_empty=False)
    if found := BETWEEN_NAMES.search(given.strip()):
        raise InvalidInput(
            template="the name of a tool has no {found}",
            hint="name one tool, without commas, semicolons and ends of lines",
            found=repr(found[0]),
        )
    return cleaned


def asked_for(query: str) -> list[str]:
    """The names that a query lists, between commas, each once, in its order."""
    names = {folded(each): clean_memory(each) for each in reversed(BETWEEN_NAMES.split(query))}
    return [names[each] for each in dict.fromkeys(map(folded, BETWEEN_NAMES.split(query))) if each]


def named_by(text: str, steps: Sequence[Step], tools: Iterable[str]) -> list[str]:
    """Those of the folded names that a text holds, then those that the steps of a task call or speak of, from the last
    step on; each once. What a tool was given, or answered, names none."""
    known = frozenset(tools)
    named = named_in(text, known)
    for step in reversed(steps):
        named += [each for each in (folded(step.tool),) if each in known]
        named += named_in(step.description, known)
    return list(dict.fromkeys(named))


def named_in(text: str, tools: Iterable[str]) -> list[str]:
    """Those of the folded names that a text holds, whole; in the order in which they stand there. A name that a
    sentence may hold by chance counts only in quotes, beside the word tool, or as the whole text: whoever reports calls
    chooses the names of tools."""
    said = folded(_ends_of(text))
    places = {tool: found.start() for tool in tools if tool and tool in said and (found := _place(tool, said))}
    return sorted(places, key=lambda tool: (places[tool], tool))


def _ends_of(text: str) -> str:
    half = CHARS_READ // 2
    return text if len(text) <= CHARS_READ else f"{text[:half]}{_GAP}{text[-half:]}"


def _place(tool: str, said: str) -> re.Match[str] | None:
    name = re.escape(tool)
    if _OF_NO_PROSE.search(tool):
        return re.compile(f"{_NOT_BEFORE}{name}{_NOT_BEHIND}", re.ASCII).search(said)
    shapes = [rf"\A{name}\Z", f"(?<=[{_QUOTES}]){name}(?=[{_QUOTES}])"]
    if tool not in words.word_set("search.stop"):  # "the tool" names none
        # Chinese words stand side by side: whether the whole of them is the name is told by what is beside it.
        begins = _NOT_BEFORE if tool[0].isascii() else r"(?<!\w)"
        ends = _NOT_BEHIND if tool[-1].isascii() else r"(?!\w)"
        shapes += [rf"{begins}{name}(?= tool\b| ?工具)", rf"(?:(?<=\btool )|(?<=工具)|(?<=工具 )){name}{ends}"]
    flags = re.ASCII if tool.isascii() else re.NOFLAG
    return re.compile("|".join(shapes), flags).search(said)
