"""How a fact of the memory agent comes into a store: proposed, compared with what is known, settled."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from orca_core.model.journal import Change
from orca_core.model.memories import Memory, NewMemory, SaidAgain


class Proposal(Struct, frozen=True):
    """A judged fact on its way into the store, with the known memories nearest to it, nearest first. `same` is the
    memory that says it already, `replaces` the one that no longer holds now that it does, both by the verifier's word.
    Those that are `close` are so by their vectors."""

    new: NewMemory
    nominated: tuple[int, ...] = ()
    same: int | None = None
    replaces: int | None = None
    close: frozenset[int] = frozenset()


class Settlement(Struct, frozen=True):
    """What a rule makes of a proposal, beside the memories as they are inside the transaction.

    Either a memory says it already (`known`, `again`), or it is dropped (`reason`), or it is stored: then the
    memories in `supersedes` are archived for it. Either way the candidates in `moot` are archived, for nothing is left
    to decide of them, and `undecided` pairs (memory, why) are listed for a person. What was said before `outdated_by`
    is archived at once, stored or brought alive, as what that one has replaced.
    """

    store: NewMemory | None = None
    known: int | None = None
    again: SaidAgain | None = None
    reason: str = ""
    supersedes: tuple[int, ...] = ()
    outdated_by: int | None = None
    moot: tuple[int, ...] = ()
    undecided: tuple[tuple[int, str], ...] = ()


class Known(Struct, frozen=True):
    """The memories that a fact is compared with: the nearest first, in any state, with what persons did to them.
    `heard` are those that the same rounds made, confirmed or retracted before, `undone` those of them whose run a
    person undid. Those in `since` stand as they do by words that were typed, or by what a person did, after the fact's
    words."""

    memories: tuple[Memory, ...]
    hand_changes: tuple[Change, ...] = ()
    heard: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()
    since: frozenset[int] = frozenset()


Settle = Callable[[Proposal, Known], Settlement]
"""The rule that decides what a proposed fact comes to (`rules.learning.resolution.settle`)."""
