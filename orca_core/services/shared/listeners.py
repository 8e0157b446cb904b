"""Listeners to what happens in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from orca_core.unattended import LOG

E = TypeVar("E")


class Listeners(Generic[E]):
    """The listeners of one kind of event. A listener that raises stops neither the work nor the other listeners."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[E], None]] = []

    def add(self, listener: Callable[[E], None]) -> Callable[[], None]:
        """Call the listener for each event from now on; returns a function that unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: E) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001  # a listener that raises must not stop the work
                LOG.error("a listener broke", exc_info=error)
