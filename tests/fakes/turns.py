"""Running turns and picking their events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from orca_core.model.events import Event
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import NewSession, SessionById, TurnRequest
from orca_core.orca import Orca

E = TypeVar("E")


async def turn(
    orca: Orca, *parts: str | Span, session_id: str = "s", new_session: bool = False, **request: object
) -> list[Event]:
    """All events of one turn; plain texts are typed. The turns of a test are one session, unless they say otherwise."""
    session = NewSession() if new_session else SessionById(session_id, may_be_new=True)
    said = tuple(part if isinstance(part, Span) else Span(part, Source.TYPED) for part in parts)
    return [event async for event in orca.chat.turn(TurnRequest(said, session, **request))]  # type: ignore[arg-type]


def only(events: Sequence[Event], kind: type[E]) -> E:
    """The one event of this kind."""
    [event] = of(events, kind)
    return event


def of(events: Sequence[Event], kind: type[E]) -> list[E]:
    """The events of this kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def names(events: Sequence[Event]) -> list[str]:
    """What happened, in order, repeats folded."""
    folded: list[str] = []
    for event in events:
        if not folded or folded[-1] != event.event:
            folded.append(event.event)
    return folded
