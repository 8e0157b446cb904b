"""The state of one turn, reduced from its events. Pure."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.events import (
    Archived,
    Event,
    Failed,
    ForgetProposed,
    Injected,
    LevelChanged,
    LookedUp,
    LookingUp,
    Referenced,
    Remembered,
    Reply,
    WeightMoved,
)
from orca_core.model.llm import Cost, Finish, Usage
from orca_core.model.recall import Injection, Receipt, References
from orca_tui.words.turn_words import Move


class TurnView(Struct, frozen=True):
    """One turn: what memory put in, what the model looked up or is `looking` for, what became of it, how the answer
    ended. Of a weight that an answer given again
    moved anew, `moves` has that move alone: what the answer before it did is taken back."""

    injection: Injection | None = None
    references: References = References()
    moves: tuple[Move, ...] = ()
    archived: frozenset[int] = frozenset()
    remembered: tuple[Remembered, ...] = ()
    proposed: tuple[int, ...] | None = None
    usage: Usage | None = None
    cost: Cost | None = None
    seconds: float = 0.0
    level: LevelChanged | None = None
    was_cut: bool = False
    is_unsaved: bool = False
    looking: str = ""

    @property
    def has_looked(self) -> bool:
        """Whether the model looks something up, or did."""
        return bool(self.looking or (self.injection is not None and self.injection.lookups))


def turn_of(receipt: Receipt) -> TurnView:
    """A turn that is over, from its receipt."""
    return TurnView(injection=receipt.injection, references=receipt.references, moves=tuple(receipt.weights))


def turn_after(turn: TurnView, event: Event) -> TurnView:  # a table of events and the states after them
    """The turn with what the event says of it."""
    match event:
        case Injected(injection):
            return replace(turn, injection=injection, looking="")
        case LookingUp() | LookedUp():
            return _after_look_up(turn, event)
        case Referenced(references):
            return replace(turn, references=references)
        case WeightMoved():
            others = tuple(each for each in turn.moves if each.ref != event.ref)
            return replace(turn, moves=(*others, event))
        case Archived(memory_id):
            return replace(turn, archived=turn.archived | {memory_id})
        case Remembered():
            return replace(turn, remembered=(*turn.remembered, event))
        case ForgetProposed(proposed):
            return replace(turn, proposed=proposed)
        case Reply():
            was_cut = event.finish is Finish.INTERRUPTED
            return replace(turn, usage=event.usage, cost=event.cost, seconds=event.seconds, was_cut=was_cut, looking="")
        case LevelChanged():
            return replace(turn, level=event)
        case Failed(kind="not_saved"):
            return replace(turn, is_unsaved=True)
        case Failed():
            return replace(turn, was_cut=True, looking="")
    return turn


def _after_look_up(turn: TurnView, event: LookingUp | LookedUp) -> TurnView:
    if isinstance(event, LookingUp):
        return replace(turn, looking=event.query)
    injection = turn.injection
    if injection is not None:
        injection = replace(injection, lookups=(*injection.lookups, event.lookup))
    return replace(turn, injection=injection, looking="")
