"""Reads from a memory which things it gives a value: what is the slot, whose it is, and what stands in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from orca_core import words
from orca_core.rules.learning import tense
from orca_core.rules.learning.meanings import Meaning, meaning_of
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.same_words import in_one_spelling

_HAN = re.compile(r"[㐀-鿿]")
_LATIN_NAME = re.compile(r"^(?:an? |the |their )?(?:[\w-]+ ){0,2}?[A-Z\d]")


@dataclass(frozen=True, slots=True)
class Value:
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
        mine = _folded(self.text)
        if not mine or (mine in _folded(other.rest) and (self.language_is_han or other.language_is_han)):
            return True
        return set(_tokens(self.text)) <= set(_tokens(other.rest))

    def is_written_in_another_script(self, other: Value) -> bool:
        """Whether the two may be one name in two languages."""
        return self.language_is_han != other.language_is_han and bool(_HAN.search(self.text)) != bool(
            _HAN.search(other.text)
        )


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Which alternatives of a class a memory holds, whose they are, and which words stand beside them."""

    of: str
    held: frozenset[str]
    whose: frozenset[str]
    topic: tuple[str, ...]
    needs_no_topic: bool
    may_stand_beside: bool


@dataclass(frozen=True, slots=True)
class SlotReading:
    """All that a memory says of slots. `within` is for what, when or where alone it holds."""

    meaning: Meaning
    without_denial: str
    values: tuple[Value, ...]
    alternatives: tuple[Alternatives, ...]
    within: frozenset[str]
    is_of_now: bool
    is_definite: bool
    has_happened: bool
    introduces: bool
    tells_of_a_change: bool


@lru_cache(maxsize=4096)
def read_slots(text: str) -> SlotReading:
    plain = re.sub(r"\s+", " ", in_one_spelling(unicodedata.normalize("NFKC", text))).strip().rstrip(".。")
    meaning = meaning_of(text)
    said = words.pattern("slots.beside").sub("", plain)
    return SlotReading(
        meaning=meaning,
        without_denial=_folded(_without(plain, "comparing.negation", "slots.now", "comparing.referring")),
        values=tuple(_values(said)),
        alternatives=tuple(_alternatives(words.pattern("slots.instead").sub("", plain))),
        within=frozenset(_folded(match[0]) for match in words.pattern("slots.within").finditer(plain)),
        is_of_now=not tense.is_of_another_time(plain) and not words.pattern("slots.additive").search(plain),
        is_definite=_owner().match(text) is not None,
        has_happened=words.pattern("slots.happened").search(plain) is not None,
        introduces=words.pattern("slots.introduces").search(plain) is not None,
        tells_of_a_change=bool(meaning.changes) or tense.says_so_now(text),
    )


def _values(said: str) -> Iterator[Value]:
    has_han = _HAN.search(said) is not None
    for key, pattern in words.keyed_patterns("slots.relations"):
        for match in pattern.finditer(said):
            of = match["of"] if "of" in pattern.groupindex else ""
            yield from _value(key, _folded(_whose(said[: match.start()]) + of), match, said, has_han)
    for key, pattern in words.keyed_patterns("slots.relations_of_a_thing"):
        for match in pattern.finditer(said):
            if whose := _whose(said[: match.start()]):
                yield from _value(key, whose, match, said, has_han)
    for pattern in words.patterns("slots.possessive"):
        for match in pattern.finditer(said):
            before = "" if match.start("attribute") < match.start("value") else said[: match.start()]
            if slot := _slot_of(match["attribute"], _whose(before)):
                yield from _value(slot[0], slot[1], match, said, has_han, attribute=match["attribute"])
    for pattern in words.patterns("slots.uses"):
        for match in pattern.finditer(said):
            whose = _whose(said[: match.start()])
            for concept in sorted(concepts_of(match["value"])):
                yield from _value(concept, whose, match, said, has_han, is_one_of_several=True)


def _value(
    key: str,
    whose: str,
    match: re.Match[str],
    said: str,
    has_han: bool,
    attribute: str = "",
    is_one_of_several: bool = False,
) -> Iterator[Value]:
    text = words.pattern("slots.value_end").split(match["value"], 1)[0]
    text = words.pattern("slots.now").sub(" ", text).strip()
    shape = _shape(text)
    if not text or (shape == "word" and not _is_a_value(text, attribute)):
        return
    rest = said[match.start("value") :]
    yield Value((key, whose), text, rest, shape, has_han, is_one_of_several)


def _is_a_value(text: str, attribute: str) -> bool:
    """Whether it names something, and does not say what a thing is like. Of what no table knows only a name counts."""
    if _describing().match(text):
        return False
    if not attribute:
        return True
    if _head(attribute)[0] is not None:
        return True
    return re.search(r"[A-Za-z\d]", text) is not None if _HAN.search(text) else _LATIN_NAME.match(text) is not None


def _shape(text: str) -> str:
    if words.pattern("comparing.weekdays").search(text):
        return "day"
    return "figure" if words.pattern("slots.figure").match(text) else "word"


def _slot_of(attribute: str, before: str) -> tuple[str, str] | None:
    """The slot of "the user's …", and whose it is; None for a thing of which one has several."""
    key, others = _head(attribute)
    favourite = [each for each in others if each in words.word_set("slots.one_favourite")]
    last = _tokens(attribute)[-1:] or [attribute]
    if key is None and not favourite and _is_one_of_many(attribute, last[0]):
        return None
    named = key if key is not None else last[0]
    kept = [each for each in others if each not in favourite and not words.pattern("slots.now").fullmatch(each)]
    mark = ["favourite"] if favourite and key is None else []
    return named, _folded(before + "".join([*mark, *kept]))


def _is_one_of_many(attribute: str, last: str) -> bool:
    return any(last == each or (_HAN.match(each) and attribute.endswith(each)) for each in words.words("slots.many"))


def _head(attribute: str) -> tuple[str | None, list[str]]:
    """The key of what is named last, as the tables know it, and the words before it."""
    plain = re.sub(r"['’]s\b|的", " " if not _HAN.search(attribute) else "", attribute.casefold()).strip()
    known = _known_attributes()
    if _HAN.search(plain):
        for start in range(len(plain)):
            if plain[start:] in known:
                return known[plain[start:]], [plain[:start]] if start else []
        return None, [plain]
    tokens = plain.split()
    for start in range(len(tokens)):
        if (key := known.get(" ".join(tokens[start:]))) is not None:
            return key, tokens[:start]
    return None, tokens[:-1]


def _alternatives(said: str) -> Iterator[Alternatives]:
    held: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    topic: dict[str, str] = {}
    for key, pattern in words.keyed_patterns("slots.alternatives"):
        of, _, value = key.rpartition("_")
        match = pattern.search(said)
        if match is not None:
            held.setdefault(of, set()).add(value)
            first[of] = min(first.get(of, len(said)), match.start())
            topic[of] = pattern.sub(" ", topic.get(of, said))
    about: dict[str, bool] = {}
    for of, pattern in words.keyed_patterns("slots.about"):
        about[of] = about.get(of, False) or pattern.search(said) is not None
    for of, values in held.items():
        if not about.get(of, True):
            continue
        left = meaning_of(words.pattern("slots.now").sub(" ", topic[of]).lower())
        yield Alternatives(
            of,
            frozenset(values),
            _people(said[: first[of]]),
            tuple(sorted(set(left.words))),
            of in about or of in words.word_set("slots.alone"),
            of in words.word_set("slots.side_by_side"),
        )


def _people(before: str) -> frozenset[str]:
    lowered = before.casefold()
    tokens = set(re.findall(r"[a-z-]+", lowered))
    return frozenset(
        each for each in words.words("slots.people") if each in tokens or (_HAN.match(each) and each in lowered)
    )


def _whose(before: str) -> str:
    """Who or what stands before a relation; empty for the user."""
    clause = _without(words.pattern("slots.value_end").split(before)[-1], "comparing.referring", "slots.now")
    return _folded(re.sub(r"['’]s\b|\bthe\b|\b(?:has|have|is|are)\b|的|在\s*$", " ", clause))


def _without(text: str, *tables: str) -> str:
    for table in tables:
        text = words.pattern(table).sub("", text)
    return text


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-z\d][\w.+#-]*|[\u3400-\u9fff]", text.casefold())


@cache
def _owner() -> re.Pattern[str]:
    return re.compile(r"(?:the )?(?:user|my|our)['’]s |用[户戶]的|the ", re.IGNORECASE)


@cache
def _describing() -> re.Pattern[str]:
    return re.compile(words.source("slots.describes"), re.IGNORECASE)


@cache
def _known_attributes() -> dict[str, str]:
    named = words.keyed("slots.attributes").items()
    return {name.casefold(): key for key, lines in named for line in lines for name in line.split()}
