"""Which memories a request to forget means, of those that a search found: not their neighbours, and none where its
words fit nothing well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.concepts import concepts_of
from orca_core.rules.text.search_terms import content_words, index_terms
from orca_core.rules.text.spelling import simplified

MIN_FIT = 0.5
"""So much of what is to be forgotten must stand in a memory. Chosen by hand: of two words one, and not by its concept
alone."""
BESIDE_THE_BEST = 0.8
"""So near the best fit another memory must be to be meant too. Chosen by hand."""
CONCEPT_FIT = 0.6
"""What a word counts that stands in a memory by its concept alone. Chosen by hand: "my address" means "lives in …"."""


_OF_A_PERSON = re.compile(r"(?<![A-Za-z])['’]s\b|\bnames?\b|名字|姓名", re.IGNORECASE)
"""What is left of "sister's" without the person; and the name, for who somebody is says it without the word."""


class Known(Struct, frozen=True, dict=True):
    """A live memory that a search found. `age` orders memories, the oldest first; `took_over` where it took the place
    of an older one; `is_near` where its meaning alone is near."""

    id: int
    content: str
    age: int = 0
    took_over: bool = False
    is_near: bool = False

    @cached_property
    def plain(self) -> str:
        return simplified(self.content)

    @cached_property
    def is_former(self) -> bool:
        """Whether it speaks of what was."""
        return _says("former", self.plain)


def meant_to_be_forgotten(wanted: str, known: Sequence[Known]) -> list[int]:
    """The memories that `wanted` names, in the order in which they were found."""
    told = simplified(wanted)
    fits = {each.id: _fit(told, each.plain) for each in known}
    best = max(fits.values(), default=0.0)
    named = [each for each in known if fits[each.id] >= max(MIN_FIT, BESIDE_THE_BEST * best)]
    chosen = named or [each for each in known if each.is_near][:1]
    own = [each for each in chosen if not _is_of_somebody_else(told, each.plain)]
    return [each.id for each in _of_its_time(told, own)]


def _fit(told: str, content: str) -> float:
    """The share of the words for what is to be forgotten that stand in a memory. Of "my sister's birthday" that is the
    birthday: whose it is is asked apart."""
    matter = words.pattern("remember.around").sub(" ", told)
    without_age = words.pattern("remember.former").sub(" ", words.pattern("remember.present").sub(" ", matter))
    besides = _OF_A_PERSON.sub(" ", words.pattern("remember.people").sub(" ", without_age))
    wanted = content_words(besides) or content_words(without_age) or content_words(told)
    held, concepts = frozenset(index_terms(content)), concepts_of(content)
    if not wanted:
        return 0.0
    by_word = sum(1.0 if word in held else _concept_fit(word, concepts) for word in wanted) / len(wanted)
    meant = concepts_of(without_age)
    by_concept = CONCEPT_FIT * len(meant & concepts) / len(meant) if meant else 0.0
    return max(by_word, by_concept if meant and len(wanted) <= len(meant) + 1 else 0.0)


def _concept_fit(word: str, concepts: frozenset[str]) -> float:
    return CONCEPT_FIT if concepts & concepts_of(word) else 0.0


def _is_of_somebody_else(told: str, content: str) -> bool:
    """Whether the memory is of people whom the request doesn't name, or not of all whom it names: "my address" is not
    my parents', and "my mother's birthday" is not mine."""
    if not _says("mine", told):
        return False
    people, wanted = _people_in(content), _people_in(told)
    if not all(each.rstrip("s") in content.casefold() for each in wanted):
        return True
    return bool(people) and not any(each.rstrip("s") in told.casefold() for each in people)


def _people_in(text: str) -> frozenset[str]:
    return frozenset(found[0].casefold() for found in words.pattern("remember.people").finditer(text))


def _of_its_time(told: str, known: Sequence[Known]) -> Sequence[Known]:
    """Of an old and a new value the one that is meant; of another person or thing all that was and is."""
    if not any(_says(each, told) for each in ("mine", "former", "present")):
        return known
    former = [each for each in known if each.is_former]
    rest = [each for each in known if not each.is_former]
    if not _says("former", told):
        return [_newest(rest)] if _says("present", told) and rest else rest or former
    if former:
        return former
    older = [each for each in rest if not each.took_over]
    return older if len(older) < 2 else [each for each in older if each.age < _newest(older).age]


def _newest(known: Sequence[Known]) -> Known:
    return max(known, key=attrgetter("age"))


def _says(wording: str, text: str) -> bool:
    return words.pattern(f"remember.{wording}").search(text) is not None
