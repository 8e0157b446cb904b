"""Who is told of what happens behind the turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from orca_core.unattended import LOG

E = TypeVar("E")


class Listeners(Generic[E]):
    """Those who want to hear of one kind of event. Who listens badly keeps nobody from their work."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[E], None]] = []

    def add(self, listener: Callable[[E], None]) -> Callable[[], None]:
        """Tell the listener from now on; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: E) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001  # what a listener does wrong is no fault of the work
                LOG.error("a listener broke", exc_info=error)
