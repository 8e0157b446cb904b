"""A pane beside the chat: its name, its key, what it shows, the events that it handles; and the place of all panes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from gettext import gettext as _
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from orca_core.model.events import Event
from orca_tui.app.bridge import Bridge, ChangedBehind, TurnEnded
from orca_tui.app.chat.chat_state import ChatState
from orca_tui.app.keymap import Key
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.text import SteadyText, literal
from orca_tui.marks import Marks

Happening = Event | TurnEnded | ChangedBehind
"""What a pane is told: an event of Orca, the end of the turn, a change by another process."""


class About(Struct, frozen=True):
    """What layout, tab order, F-keys, help and palette need of a pane. `title` and `words` are marked with `N_`."""

    id: str
    title: str
    words: str
    """The name of its key in the line of keys and in the palette."""
    key: str
    keys: tuple[Key, ...]
    """The keys that count in it, for the help; its widget binds them."""
    stop: str
    """The widget that takes the keys, as a selector."""
    share: int = 2
    """Its share of the height, relative to the other panes."""
    is_alone: bool = False
    """Whether it is seen only while it is open, and has the side to itself then."""


class Pane(Vertical):
    """One pane. Subclasses set `about`, compose their widgets below the title, and handle events."""

    about: ClassVar[About]

    class Told(Message):
        """The word of escape or the lead of the line of keys changed."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        super().__init__(id=f"pane-{self.about.id}", classes="pane -alone" if self.about.is_alone else "pane")
        self.stage = stage
        self.bridge = bridge
        self.marks = marks
        self.styles.height = f"{self.about.share}fr"

    def compose(self) -> ComposeResult:
        yield SteadyText(literal(_(self.about.title), "bold"), id=f"{self.about.id}-title", classes="pane-title")
        yield from self.compose_body()

    def compose_body(self) -> ComposeResult:
        """The widgets below the title."""
        yield from ()

    @property
    def stop(self) -> Widget:
        """The widget that takes the keys of the pane."""
        return self.query_one(self.about.stop)

    @property
    def stops(self) -> tuple[Widget, ...]:
        """All widgets in it that take keys, in the order of tab."""
        return (self.stop,)

    @property
    def lead(self) -> str:
        """The text before the keys while the pane has the focus."""
        return ""

    @property
    def word_of_escape(self) -> str:
        """The word for what escape clears here while the pane has the focus; empty where it clears nothing."""
        return ""

    def step_back(self) -> bool:
        """Clear what is filtered or marked, for escape; returns whether there was anything."""
        return False

    def take(self, event: Happening) -> None:
        """Handle an event: of the turn, of background work, of another process, or the end of the turn."""

    def draw(self, state: ChatState, *, is_wide: bool) -> None:
        """Draw what follows from the state of the chat; `is_wide` where there is room for details."""

    def look(self, *, anew: bool) -> None:
        """Read memories again, for they changed; `anew` where the list may hold other ones."""

    def tick(self) -> None:
        """Redraw what changes every second."""

    def show_title(self, title: Content) -> None:
        """Show another title, with figures for example."""
        self.query_one(f"#{self.about.id}-title", SteadyText).say(title)


class SidePanel(Vertical):
    """Holds the panes, and knows the one with the focus. The first frame comes without them."""

    def __init__(self) -> None:
        super().__init__(id="side")
        self.panes: tuple[Pane, ...] = ()

    async def fill(self, panes: Sequence[Pane], draw: Callable[[], None]) -> None:
        """Mount the panes and have them drawn, all in one frame, and wait until it is on the screen."""
        with self.app.batch_update():
            await self.mount_all(panes)
            self.panes = tuple(panes)
            draw()
        is_drawn = asyncio.Event()
        self.screen.call_after_refresh(is_drawn.set)
        await is_drawn.wait()

    @property
    def focused(self) -> Pane | None:
        return next((pane for pane in self.panes if pane.has_focus_within), None)

    def take(self, happening: Happening) -> None:
        """Hand an event to every pane."""
        for pane in self.panes:
            pane.take(happening)

    def look(self, *, anew: bool) -> None:
        """Have every pane read memories again."""
        for pane in self.panes:
            pane.look(anew=anew)

    def tick(self) -> None:
        """Have every pane redraw what changes every second."""
        for pane in self.panes:
            pane.tick()


class Places:
    """Knows the pane that is open, and moves the focus."""

    def __init__(self, screen: Screen[None], side: SidePanel, before: tuple[Widget, ...]) -> None:
        self.open = ""
        self._screen = screen
        self._side = side
        self._before = before

    def show(self, name: str) -> None:
        """Open a pane and look at it; the same again leads back to the first place."""
        self.open = "" if self.open == name else name
        if self.open and not self._screen.has_class("-narrow"):
            self._side.display = True
        opened = next((pane for pane in self._side.panes if pane.about.id == self.open), None)
        for pane in self._side.panes:
            pane.set_class(pane is opened, "-open", update=False)
        self._side.set_class(opened is not None and opened.about.is_alone, "-alone", update=False)
        self._screen.set_class(opened is not None, "-with-pane", update=False)
        self._screen.update_node_styles()  # of all at once: each class alone would take as long
        (opened.stop if opened else self._before[0]).focus()

    def next(self, step: int) -> None:
        """Go on to the next place that takes keys, of those that are seen."""
        of_panes = [stop for pane in self._side.panes if pane.display for stop in pane.stops]
        stops = [stop for stop in (*self._before, *of_panes) if stop.size]
        here = next((at for at, each in enumerate(stops) if each.has_focus_within), 0)
        stops[(here + step) % len(stops)].focus()
