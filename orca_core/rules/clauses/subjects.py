"""Of whom a clause speaks: by its own subject, or by the one that it takes over from before it."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from orca_core import words
from orca_core.rules.clauses.clause import Subject
from orca_core.rules.clauses.wording import find, has, match, part, without_opening

MAX_NAMING_WORDS = 4
"""A subject of more words is cut. It bounds the time."""
MAX_NAMING_CHARACTERS = 8
"""The same for Chinese."""

_LATIN_NAME = re.compile(r"[A-Za-z][\w.+#/'’-]*")


class Named(NamedTuple):
    """A subject, the words that name it, and whether they stand in the clause itself."""

    subject: Subject
    who: str = ""
    is_own: bool = True


NOBODY = Named(Subject.UNKNOWN, is_own=False)
_USER = Named(Subject.USER)


def subject_of(clause: str, before: Named, person: Named, *, same_sentence: bool) -> Named:
    """`before` is the last subject that was named; it is taken over where the clause names none. `person` is the last
    one that a pronoun can mean."""
    rest = without_opening(clause)
    named = _named(clause, rest, before, person)
    if named is not None:
        return named
    if match("predicates", rest):  # 住在杭州: Chinese leaves out the subject where it is the one who speaks
        return _left_out(before, same_sentence=same_sentence, begins=_han_run_pattern().match(rest) is not None)
    other = _other(rest, before, same_sentence=same_sentence)
    return other or _left_out(before, same_sentence=same_sentence, begins=False)


def _named(clause: str, rest: str, before: Named, person: Named) -> Named | None:
    return (
        _led_on(clause)
        or _owned(rest)
        or _speaking(rest)
        or _referring(rest, before, person)
        or _nearby(rest)
        or _inside(rest)
    )


def _led_on(clause: str) -> Named | None:
    """ "since the kids came we eat at home": what the clause leads on to says who speaks."""
    leads = match("leads_on", clause)
    return _USER if leads is not None and has("first_person", clause[leads.end() :]) else None


def _owned(rest: str) -> Named | None:
    """ "my team …", 我老婆…: what is the user's, or another who is the user's acquaintance."""
    owner = match("owner", rest)
    if owner is None:
        return None
    if match("joined", rest):
        return _USER
    named = _naming_pattern().match(rest, owner.end())
    noun = part(rest, *named.span(1)) if named else ""
    close, strange = match_within("kin", noun), match_within("strangers", noun)
    if strange is not None and (close is None or strange.start() <= close.start()):
        return Named(Subject.ANOTHER, _said(noun, strange))
    if close is not None:
        return Named(Subject.THEIRS, noun[: close.end()])
    if noun and not _han_run_pattern().match(noun) and not _han_run_pattern().match(rest):
        return Named(Subject.THEIRS, _before_its_verb(noun))
    verb = find("predicates", noun) if has("possessive", part(rest, *owner.span())) else None
    return Named(Subject.THING, noun[: verb.start()]) if verb is not None and verb.start() > 0 else None


def _before_its_verb(noun: str) -> str:
    """ "landlord has": the noun alone; its first word is no verb."""
    first, *rest = noun.split()
    is_verb = [match("finite", word) is not None for word in rest]
    return " ".join([first, *rest[: is_verb.index(True) if True in is_verb else len(rest)]])


def _said(text: str, found: re.Match[str]) -> str:
    return text[found.start() : found.end()]


def match_within(wording: str, noun: str) -> re.Match[str] | None:
    """A wording in a noun phrase; in Chinese only where it begins, for there the verb follows."""
    return match(wording, noun) if _han_run_pattern().match(noun) else find(wording, noun)


def _speaking(rest: str) -> Named | None:
    if match("first_person", rest):
        return _USER
    return Named(Subject.ASSISTANT) if match("assistant", rest) else None


def _referring(rest: str, before: Named, person: Named) -> Named | None:
    """Pronouns: they mean the last one who was named."""
    another = match("another", rest) or find("speaks_of_another", rest)
    if another is not None and not match("kin", rest):
        if person.subject in (Subject.THEIRS, Subject.ANOTHER):
            return Named(person.subject, person.who)
        return Named(Subject.ANOTHER, _said(rest, another))
    if match("some_of", rest) and before.subject in (Subject.THEIRS, Subject.ANOTHER):
        return Named(before.subject, before.who, is_own=False)
    thing = match("thing", rest)
    if thing is None:
        return None
    if before.subject is Subject.THEIRS:
        return Named(before.subject, before.who)
    return Named(Subject.THING, _said(rest, thing))


def _nearby(rest: str) -> Named | None:
    """ "wife is …", 同事用…: named without an owner."""
    strange = match("strangers", rest)
    if strange is not None and match("first_person", rest, strange.end()):
        return _USER  # 实习生我不带了: what is done with them, and who does it
    if strange is not None:
        return Named(Subject.ANOTHER, _said(rest, strange))
    close = match("kin", rest)
    return Named(Subject.THEIRS, _said(rest, close)) if close is not None and not match("predicates", rest) else None


def _inside(rest: str) -> Named | None:
    """ "at work we use …", 做饭我老公负责: the subject stands behind something else."""
    found = find("first_person", rest)
    if found is None:
        return None
    behind = rest[found.start() :]
    if _han_run_pattern().match(behind):
        return _owned(behind) or _USER
    return Named(Subject.USER, is_own=match("predicates", rest) is not None)


def _other(rest: str, before: Named, *, same_sentence: bool) -> Named | None:
    """Any other subject that is named: what stands before the first verb. In Chinese it is a part of what the sentence
    is about: 她养的是布偶，肾不好."""
    if _LATIN_NAME.match(rest):
        finite = _finite().match(rest)
        return Named(Subject.THING, finite["who"]) if finite else None
    if _han_run_pattern().match(rest):
        verb = find("predicates", rest)
        if verb is None or verb.start() > MAX_NAMING_CHARACTERS:
            return None
        if same_sentence and before.subject is Subject.ANOTHER:
            return Named(before.subject, before.who, is_own=False)
        return Named(Subject.THING, rest[: verb.start()])
    return None


@cache
def _finite() -> re.Pattern[str]:
    """A subject of a few words and its verb."""
    verbs = words.source("clauses.finite", *words.of_whole_words())
    return re.compile(
        rf"(?P<who>[A-Za-z][\w.+#/'’-]*?(?: [A-Za-z][\w.+#/'’-]*?){{0,4}}?)(?:['’]s|['’]re| (?:{verbs}))\b",
        re.IGNORECASE,
    )


def _left_out(before: Named, *, same_sentence: bool, begins: bool) -> Named:
    """A subject that is left out is the one before, surely so within a sentence; where none was before, the user."""
    match before.subject:
        case Subject.USER:
            return Named(Subject.USER, is_own=same_sentence or begins)
        case Subject.UNKNOWN:
            return _USER if begins else NOBODY
        case Subject.THING if begins and not same_sentence:
            return _USER
        case Subject.THEIRS | Subject.ANOTHER if same_sentence:
            is_thing = before.subject is Subject.THEIRS and not has("people", before.who)
            return Named(before.subject, before.who, is_own=is_thing)
        case _:
            return NOBODY


@cache
def _han_run_pattern() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]")


@cache
def _naming_pattern() -> re.Pattern[str]:
    return re.compile(rf"\W*((?:[A-Za-z][A-Za-z0-9_'’-]*\s*){{1,{MAX_NAMING_WORDS}}}|[\u3400-\u9fff]{{1,8}})")
