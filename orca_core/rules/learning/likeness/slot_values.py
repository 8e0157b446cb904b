"""Reads the values that a memory gives: what is the slot, whose it is, and what stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.numerals import counted

_LATIN = re.compile(r"[A-Za-z\d]")
_LATIN_NAME = re.compile(r"(?:an? |the |their |his |her )?(?:[\w-]+ ){0,2}?[A-Z\d]")


class Value(Struct, frozen=True):
    """What stands in a slot: a `figure`, a `day` or a `word`. `rest` is all that follows, with the value; one that
    `is_one_of_several` shows another value only beside a word of change."""

    slot: tuple[str, str]
    text: str
    rest: str
    shape: str
    language_is_han: bool
    is_one_of_several: bool = False

    def is_part_of(self, other: Value) -> bool:
        """Whether all of it stands in what the other says."""
        mine = folded(self.text)
        if not mine or (mine in folded(other.rest) and (self.language_is_han or other.language_is_han)):
            return True
        return set(_tokens(self.text)) <= set(_tokens(other.rest))

    def counts_what(self, other: Value) -> bool:
        """Whether both count the same: six people are no other value than two interns."""
        mine, theirs = (counted().sub("", folded(each.text)) for each in (self, other))
        return self.slot[0] != COUNT or mine in theirs or theirs in mine

    def is_written_in_another_script(self, other: Value) -> bool:
        """Whether the two may be one name in two languages."""
        return self.language_is_han != other.language_is_han and bool(_han_pattern().search(self.text)) != bool(
            _han_pattern().search(other.text)
        )


def read_values(said: str) -> Iterator[Value]:
    """Every value that a memory gives one thing."""
    for key, pattern in words.keyed_patterns("slots.relations"):
        for match in pattern.finditer(said):
            of = match["of"] if "of" in pattern.groupindex else ""
            yield from _value((key, folded(_whose(said[: match.start()]) + of)), match, said)
    for key, pattern in words.keyed_patterns("slots.relations_of_a_thing"):
        for match in pattern.finditer(said):
            of = match["of"] if "of" in pattern.groupindex else ""
            whose = _whose(said[: match.start()])
            if whose and not _describes(match["value"]):
                yield from _value((key, folded(whose + of)), match, said)
    for pattern in words.patterns("slots.possessive"):
        for match in pattern.finditer(said):
            yield from _of_an_attribute(match, said)
    for pattern in words.patterns("slots.uses"):
        for match in pattern.finditer(said):
            whose = _whose(said[: match.start()])
            for concept in sorted(concepts_of(match["value"])):
                yield from _value((concept, whose), match, said, is_one_of_several=True)


def _value(
    slot: tuple[str, str], match: re.Match[str], said: str, *, is_one_of_several: bool = False
) -> Iterator[Value]:
    if text := _named(match):
        rest = said[match.start("value") :]
        yield Value(slot, text, rest, _shape(text, slot[0]), _han_pattern().search(said) is not None, is_one_of_several)


def _of_an_attribute(match: re.Match[str], said: str) -> Iterator[Value]:
    """The value of "the user's …"; none where the thing is described, or is one of several."""
    attribute, text = match["attribute"], _named(match)
    slot = _slot_of(attribute, _whose("" if match.start("attribute") < match.start("value") else said[: match.start()]))
    if slot is None or not text:
        return
    if _shape(text, slot[0]) != "word":
        yield from _value(slot, match, said)
    elif not _describes(text) and (certainty := _certainty(text, slot)) is not None:
        yield from _value(slot, match, said, is_one_of_several=not certainty)


def _certainty(text: str, slot: tuple[str, str]) -> bool | None:
    """Whether the text surely is the thing's value; None where it says what the thing is like. A plain Chinese word
    behind what no table knows is its name only where it took another's place."""
    key, whose = slot
    if key in words.word_set("slots.persons"):
        return True if words.pattern("slots.name_of_a_person").match(text) else None
    if key in words.keyed("slots.attributes") or whose.endswith(FAVOURITE):
        return True
    if _han_pattern().search(text):
        return key in words.keyed("slots.things") or _LATIN.search(text) is not None
    return True if _LATIN_NAME.match(text) else None


def _named(match: re.Match[str]) -> str:
    """The value itself, without what is said beside it."""
    text = words.pattern("slots.value_end").split(match["value"], 1)[0]
    return words.pattern("slots.now").sub(" ", text).strip()


def _describes(text: str) -> bool:
    return words.pattern("slots.describes").match(text) is not None


def _shape(text: str, key: str) -> str:
    if words.pattern("comparing.weekdays").search(text):
        return "day"
    if key in words.keyed("slots.things") and _named_by_a_figure_pattern().match(text):
        return "word"
    return "figure" if words.pattern("slots.figure").match(text) else "word"


FAVOURITE = "(favourite)"
COUNT = "measures"
"""The slot of how many of something a thing has, of which it may have several."""


def _slot_of(attribute: str, before: str) -> tuple[str, str] | None:
    """The slot of "the user's …", and whose it is; None for a thing of which one has several."""
    key, others = _head(attribute)
    favourite = [each for each in others if each in words.word_set("slots.one_favourite")]
    last = (_tokens(attribute)[-1:] or [attribute])[0]
    if key is None and not favourite and _is_one_of_many(attribute, last):
        return None
    passed_over = {*favourite, *words.word_set("slots.first_of_all")}
    now = words.pattern("slots.now")
    kept = [each for each in others if each not in passed_over and not now.fullmatch(each)]
    mark = FAVOURITE if favourite and key is None else ""
    return key or last, folded(before + "".join(kept)) + mark


def _is_one_of_many(attribute: str, last: str) -> bool:
    return any(last == each or (not each.isascii() and attribute.endswith(each)) for each in words.words("slots.many"))


def _head(attribute: str) -> tuple[str | None, list[str]]:
    """The key of what is named last, as the tables know it, and the words before it."""
    plain = re.sub(r"['’]s\b|的", " " if not _han_pattern().search(attribute) else "", attribute.casefold()).strip()
    known = _known_attributes()
    if _han_pattern().search(plain):
        for start in range(len(plain)):
            if plain[start:] in known:
                return known[plain[start:]], [plain[:start]] if start else []
        first = next((each for each in words.words("slots.one_favourite") if plain.startswith(each)), "")
        return None, [each for each in (first, plain.removeprefix(first)) if each]
    tokens = plain.split()
    for start in range(len(tokens)):
        if (key := known.get(" ".join(tokens[start:]))) is not None:
            return key, tokens[:start]
    return None, tokens[:-1]


def _whose(before: str) -> str:
    """Who or what stands before a relation; empty for the user."""
    clause = without(words.pattern("slots.value_end").split(before)[-1], "comparing.referring", "slots.now")
    return folded(re.sub(r"['’]s\b|\bthe\b|\b(?:has|have|is|are)\b|的|在\s*$", " ", clause))


def without(text: str, *tables: str) -> str:
    """The text with what these tables name taken out."""
    for table in tables:
        text = words.pattern(table).sub("", text)
    return text


def folded(text: str) -> str:
    """Its letters and figures alone."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z\d](?:[\w.+#-]*[\w+#])?|[\u3400-\u9fff]", text.casefold())


@cache
def _known_attributes() -> dict[str, str]:
    tables = [words.keyed(table).items() for table in ("slots.things", "slots.attributes")]
    return {name.casefold(): key for named in tables for key, lines in named for line in lines for name in line.split()}


@cache
def _han_pattern() -> re.Pattern[str]:
    return re.compile(r"[㐀-鿿]")


@cache
def _named_by_a_figure_pattern() -> re.Pattern[str]:
    """A thing told by its year or size and its name: "2014 Fiesta", 256G的小米13."""
    return re.compile(r"[\d.,]+[A-Za-z]{0,2}(?: ?(?![KMGT]bps)[A-Z][a-z]{2,}| ?的?[㐀-鿿]{1,4} ?[A-Za-z\d])")
