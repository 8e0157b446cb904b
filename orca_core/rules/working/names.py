"""Who a name means in what was typed: somebody who did something, or a thing that was worked on or with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec.structs import replace

from orca_core import words
from orca_core.rules.clauses.clause import Clause, Subject
from orca_core.rules.clauses.wording import without_opening
from orca_core.rules.learning.trust.typed import TypedRound
from orca_core.rules.text.scripts import simplified

_USER = re.compile(r"\b(?:I|we)\b")
_SOMEBODY = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.!?]\s+|\n\s*)([A-Za-z])")
_SPEAKER = frozenset({"i", "me", "myself"})
_THEY = re.compile(r"(?:and |then |so )*they ", re.IGNORECASE)
_GERUND = "ing"
_ENDINGS = (_GERUND, "ly", "ed")
"""A word that begins a clause with one of these says what is done, and is nobody's name."""


def with_names(rounds: Sequence[TypedRound], target: str) -> tuple[TypedRound, ...]:
    """The rounds, in which a clause that tells of what somebody did who is only named is another's. What the user
    speaks of as a thing, or what was worked on, does nothing."""
    text = "\n".join(each.text for each in rounds)
    return tuple(replace(each, clauses=tuple(_with_names(each.clauses, text, target))) for each in rounds)


def _with_names(clauses: Sequence[Clause], text: str, target: str) -> Iterator[Clause]:
    who, before = "", None
    for each in clauses:
        goes_on = before is not None and before.sentence == each.sentence
        named = _who_did(each, before if goes_on else None, text, target)
        if named:
            who = named
        elif not (goes_on and not each.is_named and _does(_plain(each))) and not _says_they(each):
            who = who if goes_on and not each.is_named else ""
            before = each
            yield each
            continue
        before = each
        yield each._replace(subject=Subject.ANOTHER, who=who, is_named=bool(named)) if who else each


def _who_did(clause: Clause, before: Clause | None, text: str, target: str) -> str:
    """The name of who did what the clause tells of; empty where nobody is named."""
    said = simplified(clause.text)
    for shape in words.patterns("ending.persons_did"):
        if found := shape.search(said) or shape.search(_plain(clause)):
            return found["who"]
    for match in _capitalised_pattern().finditer(clause.text):
        behind = simplified(clause.text[match.end() :]).lstrip()
        if _han_pattern().search(behind) and not _begins_with(match["who"], said):
            continue
        if not _does(behind) or _USER.search(behind) or _is_of_the_user_too(clause.text[: match.start()], before):
            continue
        is_clear = words.pattern("ending.does").match(behind) is not None or match.start() > 0
        is_named = is_clear or _is_surely_a_name(match["who"], text)
        if is_named and _may_be_a_person(match["who"], clause.text[: match.start()], text, target):
            return match["who"]
    return ""


def _is_surely_a_name(who: str, text: str) -> bool:
    """Whether the capital of a word that begins a sentence says something: the user writes it within one, too, or
    begins sentences with small letters; or it is of two words, or somebody is spoken of."""
    if " " in who or _SOMEBODY.search(text) or re.search(rf"[a-z,] {who}(?!\w)", text):
        return True
    others = [str(each[1]) for each in _SENTENCE.finditer(text) if not text.startswith(who, each.start(1))]
    return 2 * sum(each.islower() for each in others) > len(others)


def _may_be_a_person(who: str, before: str, text: str, target: str) -> bool:
    last = _word_before_pattern().search(before)
    if last is not None and _precedes_a_thing(last[0]):
        return False
    first, *others = who.split()
    if first.lower() in _plain_words() or (last is None and first.lower().endswith(_ENDINGS)):
        return bool(others) and _may_be_a_person(others[0], first, text, target)
    named = {each.lower() for each in (first, *others)}
    if named & (_tools() | {each.lower() for each in target.split()}):
        return False
    return not any(each.lower() in _plain_words() or _is_a_thing(each, text) for each in (first, *others))


def _is_a_thing(name: str, text: str) -> bool:
    """Whether it is spoken of as a thing anywhere: in small letters, as what one has, or what one works in or with."""
    if re.search(rf"(?<!\w){name.lower()}(?!\w)", text):
        return True
    places = re.finditer(rf"(?<!\w){name}(?!\w)", text)
    around = [(_word_before_pattern().search(text[: each.start()]), text[each.end() :]) for each in places]
    if any(before is not None and _precedes_a_thing(before[0]) for before, _ in around):
        return True
    return any(words.pattern("ending.behind_things").match(behind) for _, behind in around)


def _precedes_a_thing(before: str) -> bool:
    word = before.strip().lower()
    if _han_pattern().search(word):
        return not words.word_set("ending.before_things").isdisjoint((word, word[-1]))
    return word in words.word_set("ending.before_things") or word.endswith(_GERUND)


def _begins_with(who: str, said: str) -> bool:
    """Whether the name is what a Chinese clause is about: nothing stands before it but when it was."""
    return words.pattern("ending.before_persons").sub("", said).startswith(who)


def _is_of_the_user_too(before: str, last: Clause | None) -> bool:
    """ "me and Priya": what stands before the name is the user."""
    joined = f"{last.text if last is not None else ''} {before}".lower().split()
    return joined[-1:] == ["and"] and joined[-2:-1] != [] and joined[-2] in _SPEAKER


def _does(text: str) -> bool:
    """Whether it begins with what a person does."""
    return any(words.pattern(f"ending.{table}").match(text) is not None for table in ("does", "does_too"))


def _says_they(clause: Clause) -> bool:
    found = _THEY.match(clause.text)
    return found is not None and _does(clause.text[found.end() :])


def _plain(clause: Clause) -> str:
    return simplified(without_opening(clause.text))


@cache
def _plain_words() -> frozenset[str]:
    """Everyday words, which a sentence may begin with."""
    return _all_of("consolidating.openers", "search.stop", "ending.no_names")


@cache
def _tools() -> frozenset[str]:
    return _all_of("technical.words", "technical.names", "consolidating.commands", "ending.products")


def _all_of(*tables: str) -> frozenset[str]:
    return frozenset(each.lower() for table in tables for each in words.words(table))


@cache
def _capitalised_pattern() -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z0-9_'’.@/-])(?P<who>[A-Z][a-zß-öø-ÿ]+(?: [A-Z][a-zß-öø-ÿ]+)?)(?= |[\u3400-\u9fff])")


@cache
def _word_before_pattern() -> re.Pattern[str]:
    return re.compile(r"([A-Za-z0-9_'’]+) \Z|([\u3400-\u9fff]{1,2}) ?\Z")


@cache
def _han_pattern() -> re.Pattern[str]:
    return re.compile("[\u3400-\u9fff]")
