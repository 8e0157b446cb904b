"""Whether a guide may live. Its words come from what tools answered, which anybody may have written: it waits for a
person where it names what no caller named, repeats what it was told, or gives orders about anything but its tool."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache

from orca_core import words
from orca_core.domain.growth.tools import ToolCall
from orca_core.rules.asking.remembering import sensitive_reason
from orca_core.rules.consolidating.sources import details_lacking
from orca_core.rules.text.identifiers import stem
from orca_core.rules.text.scripts import simplified

MAX_LACKING = 10
"""So many things that are wrong with a guide are shown."""
RUN_WORDS = 10
"""So many words in a row, of Chinese two characters a word, are repeated, not summed up. Chosen on the development
set."""
ERROR_WORDS = 6
"""A quotation of so many words at most may name an error. Chosen by hand."""


class Fault(StrEnum):
    SECRET = "secret"
    """It is not stored at all."""
    INSTRUCTION = "instruction"
    NOT_IN_CALLS = "not_in_calls"


_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff\uf900-\ufaff]")
_KEY = re.compile(r"\"([A-Za-z_][\w-]{0,60})\"\s*:")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_STANDARD = re.compile(
    r"[A-Z]{2,6}[-/ ]?\d{1,5}(?:[-.]\d{1,4})*|[A-Z]{2,5}(?:/[A-Z]{2,5})+|\.[a-z]{2,5}"
    r"|[A-Z]?[YMDHms]+(?:[-:/][YMDHms]+)+"
)
"""UTF-8, ISO-8601, CSV/TSV, .csv, YYYY-MM-DD: names of forms, which lead nowhere."""
_LEADS_ELSEWHERE = re.compile(r"[/\\@~$|<>`{}]|://|\.\w")


def judged(guide: str, tool: str, calls: Sequence[ToolCall]) -> tuple[Fault | None, tuple[str, ...]]:
    """Why it may not live by itself, the gravest reason first, and what of it says so."""
    if sensitive_reason(guide) in ("secret", "account_number"):
        return Fault.SECRET, ()
    inputs = [tool, " ".join(_parts(tool)), *(each.input for each in calls), *_parameters(calls)]
    orders = [*_orders(guide, tool, inputs), *_repeated(guide, calls)]
    if orders:
        return Fault.INSTRUCTION, tuple(dict.fromkeys(orders))[:MAX_LACKING]
    missing = [each for each in _named(guide, inputs) if not _is_harmless(each, calls)]
    return (Fault.NOT_IN_CALLS, tuple(dict.fromkeys(missing))[:MAX_LACKING]) if missing else (None, ())


def _named(guide: str, inputs: Sequence[str]) -> Iterator[str]:
    """Addresses, paths, options, identifiers, and commands that no caller used."""
    yield from details_lacking(guide, inputs)
    used = {word.lower() for each in inputs for word in _LATIN.findall(each)}
    commands = words.word_set("consolidating.commands")
    yield from (word for word in _LATIN.findall(guide) if word.islower() and word in commands and word not in used)


def _parameters(calls: Iterable[ToolCall]) -> Iterator[str]:
    """The names of the tool's parameters, each by itself."""
    for call in calls:
        yield from _KEY.findall(call.input)
        try:
            given = json.loads(call.input)
        except ValueError:
            continue
        yield from (str(each) for each in given) if isinstance(given, dict) else ()


def _is_harmless(detail: str, calls: Sequence[ToolCall]) -> bool:
    """What an answer may teach all the same, for it leads nowhere: the name of a form, of a field that more than one
    answer has, and of an error that occurred."""
    if _STANDARD.fullmatch(detail):
        return True
    if _LEADS_ELSEWHERE.search(detail):
        return False
    fields = [set(_KEY.findall(each.output)) for each in calls]
    if sum(detail in each for each in fields) > 1:
        return True
    failed = [each.output for each in calls if not each.success]
    plain = detail.casefold()
    if len(_LATIN.findall(detail)) <= 1:
        return words.pattern("tooling.errors", flags=re.NOFLAG).fullmatch(detail) is not None and any(
            plain in each.casefold() for each in failed
        )
    is_short = len(_WORD.findall(plain)) <= ERROR_WORDS
    return is_short and not _commands_in(detail) and sum(plain in each.casefold() for each in failed) > 0


def _commands_in(text: str) -> bool:
    return any(word.lower() in words.word_set("consolidating.commands") for word in _LATIN.findall(text))


def _orders(guide: str, tool: str, inputs: Sequence[str]) -> Iterator[str]:
    """What is said to the reader about anything but using the tool."""
    said = simplified(unicodedata.normalize("NFKC", guide))
    yield from (match[0].strip() for match in words.pattern("tooling.orders").finditer(said))
    own = {stem(word) for each in (" ".join(_parts(tool)), *inputs) for word in map(str.lower, _LATIN.findall(each))}
    for match in (match for shape in _doing() for match in shape.finditer(said)):
        verb = match["doing"].lower()
        if stem(verb.split()[0]) not in own:
            yield match[0].strip()


@cache
def _doing() -> tuple[re.Pattern[str], ...]:
    """An order to do something, a shape a language: a verb of doing where a sentence, or a call to do it, begins."""
    shapes = ((words.source("tooling.leads", each), words.source("tooling.doing", each)) for each in words.languages())
    return tuple(re.compile(rf"(?:{lead})\s*(?P<doing>{doing})", re.IGNORECASE) for lead, doing in shapes if lead)


def _parts(tool: str) -> list[str]:
    """The words that a tool's name is made of: `send_email`, `sendEmail`."""
    return re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[\u3400-\u9fff]+", tool)


def _repeated(guide: str, calls: Iterable[ToolCall]) -> Iterator[str]:
    """The long runs of words that stand in what the tool answered, too."""
    runs = dict(_runs(guide))
    if not runs:
        return
    for call in calls:
        for key, _text in _runs(call.output):
            if key in runs:
                yield runs.pop(key)
                break


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every run of so many words; a Chinese character is half a word."""
    plain = simplified(unicodedata.normalize("NFKC", text)).casefold()
    found = [match[0] for match in _WORD.finditer(plain)]
    weights = [1.0 if each.isascii() else 0.5 for each in found]
    first, weight = 0, 0.0
    for place, each in enumerate(weights):
        weight += each
        while weight - weights[first] >= RUN_WORDS:
            weight -= weights[first]
            first += 1
        if weight >= RUN_WORDS:
            yield tuple(found[first : place + 1]), " ".join(found[first : place + 1])
