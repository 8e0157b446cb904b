"""Growth: what acts show, what supports it, and what tools taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from orca_core.domain.growth.actions import Action, ActionRecorded
from orca_core.domain.queries import RecordPage


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

    async def page(
        self, *, session_id: str | None = None, standing: bool = False, limit: int | None = None, offset: int = 0
    ) -> RecordPage[Action]:
        """Newest first; with `standing` those alone that were not taken back."""
        ...


class Growth(Protocol):
    """All of it in one hand."""

    @property
    def actions(self) -> Actions: ...
