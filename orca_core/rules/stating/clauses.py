"""Puts down what a sentence states of its speaker, clause by clause; one without a subject takes that before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from orca_core import words
from orca_core.rules.learning.agent.parsing import MIN_FACT_CHARS
from orca_core.rules.text.languages import language_of
from orca_core.rules.text.scripts import simplified

_AROUND = " 。.!！？?；;，,\n…"


class Whose(Enum):
    """The subject of a clause. A clause without one may be about the user, for subjects are dropped."""

    NOBODYS_YET = "nobody's yet"
    USERS = "the user's"
    THEIRS = "of something of the user's"
    OTHERS = "another's"


class Subject(Struct, frozen=True):
    """The subject of a sentence so far; `name` is who or what of the user's it is ("daughter Mia ")."""

    whose: Whose = Whose.NOBODYS_YET
    name: str = ""


class Statement(Struct, frozen=True):
    """A clause that states something of the user: in the third person, and as it was typed."""

    content: str
    quote: str


NOBODY_YET, USER, OTHERS = Subject(), Subject(Whose.USERS), Subject(Whose.OTHERS)
_Read = tuple[Subject, str | None]


def statements(sentence: str) -> Iterator[Statement]:
    """What a sentence states of the user, one statement a clause."""
    is_chinese = language_of(sentence) == "zh"
    read, split = (_chinese, _zh("clause")) if is_chinese else (_english, _en("clause"))
    subject, waiting, begin = NOBODY_YET, "", 0
    for start, end in _clauses(sentence, split):
        subject, content = read(sentence[start:end], subject)
        if content is None:
            waiting = ""
            continue
        begin, content = (begin, f"{waiting}，{sentence[start:end]}") if waiting else (start, content)
        waiting = content if len(content) < MIN_FACT_CHARS else ""  # too short to stand alone: joined with the next
        if not waiting:
            yield Statement(content, sentence[begin:end])


def in_the_third_person(text: str) -> str:
    """A text that is one statement of its speaker as another would put it; any other as it is."""
    told = list(statements(text))
    return told[0].content if len(told) == 1 and told[0].quote == text.strip(_AROUND) else text


def is_a_task(text: str) -> bool:
    """Whether it asks for a piece of work now, and not for a way of doing things: "write a function that sorts"."""
    return words.pattern("stating.task").search(simplified(text)) is not None


def _zh(table: str) -> re.Pattern[str]:
    return words.pattern(f"stating.{table}", "zh", flags=re.NOFLAG)


def _en(table: str) -> re.Pattern[str]:
    return words.pattern(f"stating.{table}", "en")


def _no_verb() -> re.Pattern[str]:
    """In small letters alone: a clause that begins with a capital has no verb of the user's either."""
    return words.pattern("stating.no_verb", "en", flags=re.NOFLAG)


def _clauses(sentence: str, split: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where each clause begins and ends, without what stands around it."""
    start = 0
    for match in [*split.finditer(sentence), None]:
        end = len(sentence) if match is None else match.start()
        if bare := sentence[start:end].strip(_AROUND):
            at = sentence.index(bare, start)
            yield at, at + len(bare)
        start = end if match is None else match.end()


def _chinese(clause: str, subject: Subject) -> _Read:
    clause = clause[_end_of(_zh("lead").match(simplified(clause))) :]
    adverbs = clause[: _end_of(_zh("opening").match(simplified(clause)))]
    written = clause[len(adverbs) :]
    bare = simplified(written)
    states = not _zh("states_nothing").search(bare)
    if _zh("others").match(bare):
        return OTHERS, None
    if theirs := _zh("theirs").match(bare):
        return Subject(Whose.THEIRS), f"用户的{written[theirs.end() :]}" if states else None
    if themselves := _zh("oneself").match(bare):
        return USER, f"用户{adverbs.rstrip('，,')}{written[themselves.end() :]}" if states else None
    if subject.whose is Whose.OTHERS or not states:
        return subject, None
    if subject.whose is Whose.NOBODYS_YET:
        if not _zh("dropped").match(bare) and not (adverbs and _zh("begins").match(bare)):
            return subject, None
        subject = USER
    return subject, f"用户的{clause}" if _zh("belongings").match(bare) else f"用户{clause}"


def _end_of(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _english(clause: str, subject: Subject) -> _Read:
    opening = clause[: _end_of(_en("opening").match(clause))]
    bare = clause[len(opening) :]
    if match := _en("oneself").match(bare):
        content = _of_the_user(_spelled_out(match["be"], match["rest"]), match["adverb"])
        return USER if content else OTHERS, content  # "I tried it, look at line 40"
    if subject.whose in (Whose.THEIRS, Whose.USERS) and subject.name and bare.lower().startswith("it "):
        return subject, f"User's {subject.name}{bare[3:]}"
    goes_on_with_it = bool(subject.name) and _en("verb_of_another").match(bare) is not None
    if _en("others").match(bare) and not goes_on_with_it:
        return OTHERS, None
    if match := _en("theirs").match(bare):
        named = _en("named").match(match["rest"])
        return Subject(Whose.THEIRS, named["who"] if named else ""), f"User's {match['rest']}" if named else None
    adverbs = _en("own_adverbs").search(opening)
    return _going_on(clause, adverbs[0] if adverbs else "", bare, subject)


def _going_on(clause: str, adverbs: str, bare: str, subject: Subject) -> _Read:
    """A clause without a subject of its own."""
    if subject.whose is Whose.OTHERS:
        return subject, None
    if subject.whose is Whose.THEIRS:
        goes_on = subject.name and _en("verb_of_another").match(bare)
        return subject, f"User's {subject.name}{adverbs}{bare}" if goes_on else None
    if _en("participle").match(bare) and not _en("states_nothing").match(bare):
        return USER, f"User is {clause}"
    if _en("lone_denial").match(adverbs + bare):
        return subject, None
    if subject.whose is Whose.USERS and not _no_verb().match(bare):
        return subject, _of_the_user(bare, adverbs)
    return subject, None


def _spelled_out(be: str | None, rest: str) -> str:
    spelled = dict(words.spellings("stating.spelled_out", "en")).get((be or "").replace("’", "'"))
    return f"{spelled} {rest}" if spelled else rest


def _of_the_user(predicate: str, adverb: str) -> str | None:
    """ "live in Berlin" → "User lives in Berlin"; None where that states nothing lasting."""
    lead = _en("adverbs").match(predicate)
    adverb, predicate = adverb + (lead[0] if lead else ""), predicate[lead.end() if lead else 0 :]
    if _en("states_nothing").match(predicate):
        return None
    two = _en("two_words").match(predicate)
    first = two[0] if two else predicate.split(" ", 1)[0]
    return f"User {adverb}{_third_person(first)}{predicate[len(first) :]}"


def _third_person(written: str) -> str:
    verb = written.lower().replace("’", "'")
    irregular = dict(words.spellings("stating.third_person", "en"))
    if verb in irregular:
        return irregular[verb]
    if verb in words.word_set("stating.past", "en") or verb.endswith("ed") or not verb.isalpha():
        return written
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{written}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{written[:-1]}ies"
    return f"{written}s"
