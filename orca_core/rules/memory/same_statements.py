"""Tell which statements count as the same: those in the same letters are merged, and what a person refused or deleted
(of which only a keyed hash is kept) does not come back in other spelling.
docs/decisions/0045-the-same-statement-when-refused.md tells where this ends, and why."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from orca_core import words
from orca_core.model.episodes import Episode
from orca_core.model.invisible_characters import IGNORABLE
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import ConfirmedBy, Memory, MemoryType, State
from orca_core.model.tools import Guide
from orca_core.rules.memory import said_again
from orca_core.rules.text.spelling import in_one_spelling, letters_of, statement

_UNSEEN = re.compile(f"[{IGNORABLE}\ufff9-\ufffd]")
_ARTICLES = frozenset(("a", "an", "the"))
_COPULAS = frozenset(("am", "are", "is", "was", "were"))
"""Both sides of one may change places: what is the user's tea is Sencha, and Sencha is it."""
_FEWEST_TURNED = 3
"""So many words, without these, may begin at any of them: two could be a name, and its other way round."""
_MOST_TURNED = 2_000
"""So many letters are turned; it bounds the time, and no memory is longer."""
_POSSESSIVE = re.compile(r"(?:['’]?s|的)\s*$")


@lru_cache(maxsize=8192)
def statement_keys(text: str) -> tuple[str, str]:
    """By each of these a statement is known again: by its words, whichever comes first, and by its letters without the
    user whom it begins with."""
    spelled = _spelled(text)
    opening = words.pattern("asserting.the_user_first").match(spelled)
    if opening is None:
        return _in_one_order(_told(spelled), spelled), letters_of(spelled) or spelled
    rest = spelled[opening.end() :]
    user = "users" if _POSSESSIVE.search(opening[0]) else "user"
    return _in_one_order([user, *_told(rest)], rest), letters_of(rest) or letters_of(spelled)


def is_spelled_anew(text: str, other: str) -> bool:
    """Tell whether two texts are one statement in two spellings: the same letters in the same order, whoever of the two
    names the user first as "User" or "The user"."""
    return statement_keys(text)[1] == statement_keys(other)[1]


@lru_cache(maxsize=8192)
def sorted_words(text: str) -> str:
    """The words of a statement, sorted: two with the same ones in another order may say the same, or the opposite.
    Empty where nothing parts its words, or they are few."""
    spelled = _spelled(text)
    told = sorted(_told(spelled))
    return "" if _han().search(spelled) or len(told) < _FEWEST_TURNED else " ".join(told)


def visible_text(text: str) -> str:
    """The text folded in width, without what is not shown."""
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text))


def _spelled(text: str) -> str:
    return in_one_spelling(visible_text(text)).casefold().strip()


def _in_one_order(told: Sequence[str], written: str) -> str:
    if _han().search(written):  # where nothing parts words, their order stays
        return "".join(told)
    copulas = sorted(each for each in told if each in _COPULAS)
    kept = [each for each in told if each not in _COPULAS]
    letters = "".join(kept)
    if len(kept) >= _FEWEST_TURNED and len(letters) <= _MOST_TURNED:
        letters = min(letters[start:] + letters[:start] for start in range(len(letters)))
    return " ".join([*copulas, letters])


def _told(spelled: str) -> list[str]:
    """The words of a text, each as its letters; without articles, where that leaves any."""
    every = list(filter(None, map(letters_of, spelled.split())))
    return [each for each in every if each not in _ARTICLES] or every or [spelled]


@cache
def _han() -> re.Pattern[str]:
    return re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


_FULL_STOPS = ".。!！"
_INVISIBLE = frozenset({"Cf", "Cc"})


class DuplicateGroup(Struct, frozen=True):
    """The memory that stays, and those that say just the same."""

    kept: Memory
    others: tuple[Memory, ...]


def duplicate_key(content: str, memory_type: MemoryType) -> tuple[str, MemoryType]:
    """Return what is the same of memories that say just the same. Signs count: C, C# and C++ are three things."""
    plain = "".join(content.split()).lower() if content.isascii() else _letters(content)
    return plain.rstrip(_FULL_STOPS), memory_type


def find_duplicates(memories: Iterable[Memory]) -> Sequence[DuplicateGroup]:
    """Those of the memories that live and say just the same. What a person pinned stays; of the rest what stands on a
    person's word, what weighs most, what is oldest."""
    alike: dict[tuple[str, MemoryType], list[Memory]] = {}
    for memory in memories:
        if memory.state is State.LIVE:
            alike.setdefault(duplicate_key(memory.content, memory.type), []).append(memory)
    found = []
    for group in alike.values():
        kept, *rest = sorted(group, key=_by_right_to_stay)
        if others := tuple(each for each in rest if not each.pinned):
            found.append(DuplicateGroup(kept, others))
    return found


def _letters(content: str) -> str:
    """A text folded in width and case, without blanks and invisible characters: all at once, for all memories are."""
    plain = unicodedata.normalize("NFKC", content).casefold()
    return "".join(each for each in plain if not each.isspace() and unicodedata.category(each) not in _INVISIBLE)


def _by_right_to_stay(memory: Memory) -> tuple[bool, bool, float, int]:
    return (not memory.pinned, memory.confirmed_by is not ConfirmedBy.HAND, -memory.weight, memory.id)


_SENTENCE_END = re.compile(r"(?<=[。！？；：\n])|(?<=[.!?;:]\s)")


def record_statement(record: Any) -> str:
    """Return what a record says, whenever it was said; empty of one that says nothing by itself."""
    match record:
        case Memory():
            return record.content
        case Episode():
            return "\n".join((record.trigger_summary, *record.steps, record.outcome.value, record.outcome_summary))
        case Knowledge():
            return record.content
        case Guide():
            return f"{record.target}\n{record.text}"
    return ""


def statements_of(text: str, tell: Callable[[str], str]) -> tuple[str, ...]:
    """A statement as it is compared, first as its hashes are kept today, then as they were before. `tell` puts it into
    the third person; what it can not, it leaves empty."""
    plain = visible_text(text)
    order, letters = statement_keys(tell(plain) or plain)
    before = (f"tells {_of_whomever(tell(text) or text)}", f"says {statement(text)}", _as_it_was_kept_before(text))
    return tuple(dict.fromkeys((f"order {order}", f"tells {letters}", *before)))


def refusal_of(record: Any) -> str:
    """Tell why a machine may not bring back what a record here says: a person rejected it, archived a memory, or took
    back what made it. Empty where it may."""
    if isinstance(record, Memory):
        return said_again.refusal_reason(record)
    is_rejected = getattr(record, "state", None) is State.REJECTED and not said_again.is_expired(record)
    return "rejected" if is_rejected else ""


def sentences_of(text: str) -> list[str]:
    """Return what a text is made of, each with what ends it."""
    return _SENTENCE_END.split(text)


def _of_whomever(told: str) -> str:
    """Without the user, whom a memory names first in one way or another: "User …", "The user's …", "用户的…"."""
    spelled = in_one_spelling(unicodedata.normalize("NFKC", told)).strip()
    opening = words.pattern("asserting.the_user_first").match(spelled)
    return (statement(spelled[opening.end() :]) if opening else "") or statement(spelled)


def _as_it_was_kept_before(text: str) -> str:
    return re.sub(r"[\W_]+", "", in_one_spelling(unicodedata.normalize("NFKC", text)).casefold())
