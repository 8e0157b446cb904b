"""Whether a fact may live: it stands on what the user typed, or it waits for a person.

The model is not asked. It may be wrong, or obey a page that the user pasted; what was typed can not be forged by
either."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from orca_core import words
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import is_conditional, remembered_type, sensitive_reason
from orca_core.rules.keeping import said_again
from orca_core.rules.learning.assertions import (
    asserted,
    folded,
    is_denied,
    is_only_asked,
    is_supposed,
    own_words,
    quotations,
)
from orca_core.rules.learning.tense import is_of_another_time
from orca_core.rules.learning.transcripts import Testimony
from orca_core.rules.text.numerals import numbers_in
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.terms import content_words, index_terms

MIN_QUOTE_WORDS = 2
MIN_QUOTE_HAN = 4
"""A shorter quote stands in any text. Chosen by hand: the sets of `MIN_TYPED_SHARE` do not tell 1 from 4 words."""
MIN_TYPED_SHARE = 0.34
"""Without a quote, so much of what a fact says must have been typed.

The sets of `tests/data/trust/first` bound it (docs/decisions/0005): from 0.2 to 0.34 no poisoned fact lives and
6 of 20 honest ones wait; without it two poisoned ones live, at 0.5 eight honest ones wait."""


class Held(StrEnum):
    """Why a fact waits for a person."""

    WEAK_EVIDENCE = said_again.WEAK_EVIDENCE
    NOT_TYPED = "not_typed"
    CONDITIONAL = "conditional"
    URL = "url"
    SECRET = "secret"
    ACCOUNT_NUMBER = "account_number"
    CONTRADICTS_PINNED = "contradicts_pinned"
    KEPT_BY_HAND = "kept_by_hand"
    SECOND_READER = said_again.SECOND_READER
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`held` is None for a fact that may live. `rounds` are those whose typed text holds the quote. What is plain is
    the user's own statement in the present, in its own words: nobody needs to read it a second time."""

    held: Held | None
    quote: str | None = None
    rounds: tuple[int, ...] = ()
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a fact can stand on: the user's own typed texts by round, what others wrote, what the assistant said."""

    own: tuple[tuple[int, str], ...]
    others: tuple[str, ...]
    assistant: tuple[str, ...]


_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<![\w])(?:[A-Z][\w.+-]*|[\w.+-]*[\d@/][\w.@/+-]*|[a-z]+[A-Z]\w*)")


def judge(fact: ProposedFact, said: Testimony) -> Verdict:
    """Whether the fact lives, by what was typed in the rounds that it was found in."""
    ground = _Ground(
        own=tuple((number, own_words(text)) for number, text in said.typed),
        others=(*said.untrusted, *(quotation for _, text in said.typed for quotation in quotations(text))),
        assistant=said.assistant,
    )
    quote, rounds = _typed_quote(fact.quote, ground.own)
    held = _held_for_what_it_says(fact) or _held_for_foreign_words(fact, ground)
    if held is None and quote is None:
        held = _held_without_quote(fact, ground)
    elif held is None and quote is not None:
        held = _held_with_quote(fact, quote, [text for number, text in ground.own if number in rounds], ground)
    return Verdict(held or _held_for_its_labels(fact), quote, rounds)


def _held_for_its_labels(fact: ProposedFact) -> Held | None:
    """What the model itself says of another, or of another time, is weak. An event has its date, and a fact that speaks
    of the past or of a plan in its own words is true of now."""
    if fact.about == "other":
        return Held.WEAK_EVIDENCE
    if fact.when in ("", "now") or fact.type is MemoryType.EVENT or is_of_another_time(fact.content):
        return None
    return Held.WEAK_EVIDENCE


def _held_for_what_it_says(fact: ProposedFact) -> Held | None:
    reason = sensitive_reason(fact.content) or sensitive_reason(fact.quote)
    if reason is not None:
        return Held(reason)
    bare = words.pattern("asserting.the_user").sub("", fact.content).strip()
    is_rule = MemoryType.INSTRUCTION in (fact.type, remembered_type(bare))
    if is_rule or words.pattern("asserting.to_the_assistant").search(fact.content):
        return Held.CONDITIONAL if is_conditional(fact.content) or is_conditional(fact.quote) else None
    return None


def _held_for_foreign_words(fact: ProposedFact, ground: _Ground) -> Held | None:
    """Held if a detail of the fact stands only in text that was not typed, or if more of its words stand there than in
    typed text."""
    says, typed, foreign = _said_by(fact.content), _typed(ground), _said_by("\n".join(ground.others))
    if _only_elsewhere(fact.content, typed, foreign) or len((says & foreign) - typed) > len(says & typed):
        return Held.NOT_TYPED
    return None


def _held_without_quote(fact: ProposedFact, ground: _Ground) -> Held | None:
    if _stands_in(fact.quote, ground.others) or _stands_in(fact.quote, ground.assistant):
        return Held.NOT_TYPED
    answered = _said_by("\n".join(ground.assistant))
    if ground.others or _only_elsewhere(fact.content, _typed(ground), answered):
        return Held.WEAK_EVIDENCE
    says = _said_by(fact.content)
    stated = _said_by("\n".join(asserted(text) for _, text in ground.own))
    near, far = len(says & stated), len((says & answered) - stated)
    return None if says and near / len(says) >= MIN_TYPED_SHARE and near >= far else Held.WEAK_EVIDENCE


def _held_with_quote(fact: ProposedFact, quote: str, own: Sequence[str], ground: _Ground) -> Held | None:
    """A typed quote may still say something else, stand under a condition, behind a denial, in a question."""
    says, typed, answered = _said_by(fact.content), _typed(ground), _said_by("\n".join(ground.assistant))
    if _only_elsewhere(fact.content, typed, answered):
        return Held.WEAK_EVIDENCE
    if len((says & answered) - typed) > len(says & typed):
        return Held.NOT_TYPED
    if any(is_supposed(quote, text) for text in own):
        return Held.CONDITIONAL
    if any(is_denied(quote, text) for text in own) or all(is_only_asked(quote, text) for text in own):
        return Held.WEAK_EVIDENCE
    return None if says & _said_by(quote) else Held.WEAK_EVIDENCE


def _typed_quote(quote: str, own: Iterable[tuple[int, str]]) -> tuple[str | None, tuple[int, ...]]:
    """The quote, if it is long enough and stands whole in one typed span, and the rounds where it does."""
    if len(_HAN.findall(quote)) < MIN_QUOTE_HAN and len(_WORD.findall(_HAN.sub("", quote))) < MIN_QUOTE_WORDS:
        return None, ()
    wanted = folded(quote)
    rounds = tuple(dict.fromkeys(number for number, text in own if wanted in folded(text)))
    return (quote, rounds) if rounds else (None, ())


def _stands_in(quote: str, texts: Sequence[str]) -> bool:
    wanted = folded(quote)
    return bool(wanted) and any(wanted in folded(text) for text in texts)


def _typed(ground: _Ground) -> frozenset[str]:
    return _said_by("\n".join(text for _, text in ground.own))


@lru_cache(maxsize=16)
def _said_by(text: str) -> frozenset[str]:
    """The words of a text, its dates and numbers in one spelling, and the concepts that they stand for. All facts of a
    run are compared with the same texts, of which a pasted one may be long."""
    about = in_one_spelling(words.pattern("asserting.the_user").sub(" ", text))
    concepts = {term for term in index_terms(about) if term.startswith(("k_", "d_"))}
    return content_words(about) | concepts | {_number(digits) for digits in numbers_in(about)}


def _number(digits: str) -> str:
    return f"#{digits}"


def _only_elsewhere(content: str, typed: frozenset[str], elsewhere: frozenset[str]) -> bool:
    """Whether a number, name or address of the fact stands in the other text and was not typed."""
    no_names = words.word_set("asserting.no_names")
    names = (match[0] for match in _NAME.finditer(unicodedata.normalize("NFKC", content)))
    details = [_said_by(name) for name in names if name.lower() not in no_names]
    details += [frozenset({_number(digits)}) for digits in numbers_in(content)]
    return any(detail & elsewhere and not detail & typed for detail in details)
