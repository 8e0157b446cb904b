"""An app whose lists act on a key before the next one is handed on."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.app import App

from orca_tui.app.widgets.line_list import LineList

T = TypeVar("T")


class KeysInOrder(App[T]):
    """Textual hands a key to what has the focus and acts on it when it has come back from there. What is typed at once
    would all go to a list, though its first key may lead into a field."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded and isinstance(self.focused, LineList):
            for has_priority in (True, False):
                if await self._check_bindings(event.key, has_priority):
                    return
        await super().on_event(event)
