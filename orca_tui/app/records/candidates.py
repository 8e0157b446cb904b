"""What the inbox has to be told of candidates of a kind: what one looks like, and what can be decided of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from textual.content import Content
from textual.screen import ModalScreen

from orca_core.model.memories import Waits

Decision = Callable[[], Awaitable[object]]


class Place(Struct, frozen=True):
    """A round that a candidate rests on, and in words why."""

    session_id: str
    round: int
    words: str


class ToDecide(Struct, frozen=True):
    """A candidate as it is shown, and what each decision about exactly that does, by the words of the keys; `otherwise`
    is said of those that can't be taken. `form` is where it is said in other words (None where it can't be), `edited`
    accepts it in them. `places` can be opened."""

    content: Content
    decisions: Mapping[str, Decision]
    otherwise: str
    form: Callable[[], ModalScreen[Any]] | None = None
    edited: Callable[[Any], Awaitable[object]] | None = None
    places: Sequence[Place] = ()


class CandidateKind(Protocol):
    async def look(self, waits: Waits) -> ToDecide:
        """All that a decision needs."""
        ...
