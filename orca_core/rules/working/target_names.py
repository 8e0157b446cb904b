"""What a piece of work was on, where the agent calls it otherwise than the user: in another language, or by a name of
its own. Nothing is given a name here that nobody typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from orca_core import words
from orca_core.rules.learning.trust.wordings import compare, units_of, wording_of
from orca_core.rules.text.letters import folded
from orca_core.rules.text.scripts import simplified

MAX_NAME_CHARS = 24
"""A longer stretch of what was typed tells what happened. Chosen by hand."""


def typed_name(target: str, trigger: str, typed: Sequence[str], known: Collection[str]) -> str:
    """What the user called it in one of the typed clauses; empty where none of them says what the target says, and
    none of the known targets is what made the work begin."""
    name = _in_other_words(target, typed) or _known_in(trigger, typed, known)
    return next((each for each in known if folded(each) == folded(name)), name)


def is_named_in(target: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts names it in another language."""
    things = _things_in(target)
    return bool(things) and any(things <= _things_in(text) for text in texts)


def _in_other_words(target: str, typed: Sequence[str]) -> str:
    """The stretch of a clause that has each thing that the target is made of, and the target nothing else."""
    things = _things_in(target)
    if not things or units_of(_thing().sub(" ", simplified(target))):
        return ""
    for text in typed:
        places = [match for match in _thing().finditer(simplified(text)) if _key_of(match[0]) in things]
        if things <= {_key_of(match[0]) for match in places}:
            name = text[places[0].start() : places[-1].end()]
            if len(name) <= MAX_NAME_CHARS:
                return name
    return ""


def _known_in(trigger: str, typed: Sequence[str], known: Collection[str]) -> str:
    """The one known target that was typed, where it stands in what made the work begin."""
    spoken = wording_of("\n".join(typed))
    named = [each for each in known if (found := compare(each, spoken)).said and found.share == 1]
    return named[0] if len(named) == 1 and folded(named[0]) in folded(trigger) else ""


def _things_in(text: str) -> set[str]:
    return {_key_of(match[0]) for match in _thing().finditer(simplified(text))}


def _key_of(word: str) -> str:
    return _keys()[word.lower()]


@cache
def _keys() -> Mapping[str, str]:
    """What each word means, in any language."""
    return {
        word.replace("_", " ").lower(): key
        for key, written in words.keyed("work.things").items()
        for word in " ".join(written).split()
    }


@cache
def _thing() -> re.Pattern[str]:
    longest_first = sorted(_keys(), key=len, reverse=True)
    latin = "|".join(re.escape(each) for each in longest_first if each.isascii())
    other = "|".join(re.escape(each) for each in longest_first if not each.isascii())
    return re.compile(rf"(?<![A-Za-z0-9])(?:{latin})(?![A-Za-z0-9])|{other}", re.IGNORECASE)
