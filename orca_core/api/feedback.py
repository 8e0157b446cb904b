"""Feedback: what acts show, and what supports it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from orca_core.model.events import ActsRead
    from orca_core.model.feedback.actions import Action, ActionRecorded
    from orca_core.model.feedback.supports import Carried, Weighed
    from orca_core.model.learning import Wanted
    from orca_core.model.queries import RecordPage
    from orca_core.model.views import ViewPage


class Actions(Protocol):
    """Acts of the user. Each is one operation, which can be undone."""

    @property
    def is_on(self) -> bool: ...

    async def record(
        self,
        type_word: str,
        session_id: str,
        *,
        round: int | None = None,  # as its users call it
        round_id: int | None = None,
        message: str = "",
        task: int | None = None,
        tool: str = "",
        call: str = "",
        data: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> ActionRecorded | None:
        """None where acts are switched off. Raises InvalidInput where the act is unknown, or does not say what it is
        about."""
        ...

    async def marks(self, session_id: str) -> list[Action]:
        """The acts of a session that stand and show as marks."""
        ...

    async def get(self, ids: Sequence[int]) -> list[Action]: ...

    async def speaks_for(self, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """The memories that each of these acts supports, as far as both stand; only acts that support some."""
        ...

    async def page(
        self,
        *,
        session_id: str | None = None,
        type_words: Sequence[str] = (),
        standing: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> RecordPage[Action]:
        """Newest first; with `standing` those alone that were not taken back, and of the types that are named."""
        ...


class Pools(Protocol):
    """What is known of the user, in the three pools that clients know."""

    async def weighed(self, memory_ids: Sequence[int] | None = None) -> Mapping[int, Weighed]:
        """How near these candidates are to going live, every one where none are named. What is no candidate is left
        out."""
        ...

    async def page(self, pool: str, limit: int | None = None, offset: int = 0) -> ViewPage:
        """`candidates`, oldest first; of what lives `info` (facts, projects, events) and `profile` (preferences,
        instructions), the weightiest first. Raises InvalidInput."""
        ...

    async def carried(self, memory_ids: Sequence[int]) -> Mapping[int, Carried]:
        """What speaks for these memories, also for such as live; those that nothing speaks for are left out."""
        ...

    async def searched(self, memory_ids: Sequence[int]) -> None:
        """A program's search returned these: the candidates among them are visited by that."""
        ...


class ActsReading(Protocol):
    """Reading what acts show, asked for and watched."""

    @property
    def is_on(self) -> bool: ...

    def run(self, wanted: Wanted) -> AsyncIterator[ActsRead]: ...


class Feedback(Protocol):
    """Acts, what they show, and the reading of them."""

    @property
    def actions(self) -> Actions: ...

    @property
    def pools(self) -> Pools: ...

    @property
    def reading(self) -> ActsReading: ...
