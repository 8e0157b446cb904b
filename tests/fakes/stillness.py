"""When an app has come to rest: nothing in a queue, nothing asked of Orca under way, nothing left to draw.

Textual's own pilot takes a process that uses little of a processor for one that is done, which on a busy machine is
one that waits for its turn.

And it draws here alone: what it draws on the way to its rest is on a screen that nobody looks at, and was two fifths
of what a test cost. `seen` and the pictures draw by themselves.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fakes.patience import PATIENCE_S
from textual._compositor import Compositor
from textual._context import active_app
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen

CALM_ROUNDS = 3
LASTING = {"turn", "learn", "open", "leave", "connect", "events", "look connect", "look models", "look doctor"}
"""Groups of work that may wait for a server, and so for ever: what comes of them is waited for by name."""


async def until_still(*_seconds: float) -> None:
    """Wait until the app of this context rests, and is drawn; in the place of Textual's `wait_for_idle`."""
    app = active_app.get()
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    calm = 0
    while calm < CALM_ROUNDS and app.is_running and not app._exception_event.is_set():
        assert loop.time() < deadline, f"it does not come to rest: {at_work(app)}"
        if at_work(app):
            calm = 0
            await asyncio.sleep(0.001)
            continue
        calm += 1
        app.screen._on_timer_update()
        if calm == CALM_ROUNDS and _draw(app):
            calm = 0  # a drawing may ask for more
        await asyncio.sleep(0)


_render_update = Compositor.render_update


def render_at_rest(compositor: Compositor, full: bool = False, *others: Any, **named: Any) -> Any:
    """In the place of the compositor's `render_update`: what changed is kept for the drawing at rest."""
    return _render_update(compositor, full, *others, **named) if full else None


def _draw(app: App[Any]) -> bool:
    """Draw what changed since the last drawing; whether there was something."""
    screen: Screen[Any] = app.screen
    if app._batch_count or not screen._compositor._dirty_regions:
        return False
    app._display(screen, _render_update(screen._compositor, screen_stack=app._background_screens))
    return True


def at_work(app: App[Any]) -> list[object]:
    """What has still something to do."""
    busy: list[object] = [pump for pump in (app, *app._registry) if pump.is_running and _is_busy(pump)]
    busy += [worker for worker in app.workers if worker.group not in LASTING and not worker.is_finished]
    return busy


def _is_busy(pump: MessagePump) -> bool:
    queue = pump._message_queue
    is_in_the_middle = not queue.ready_event._waiters  # type: ignore[attr-defined]  # no one waits for its next message
    return bool(not queue.empty() or pump._pending_message or pump._next_callbacks or is_in_the_middle)
