"""A pane beside the chat: what it is called, its key, what it shows, what it takes of what happens."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import gettext as _
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from orca_core.domain.events import Event
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import Key
from orca_tui.app.messages import ChangedBehind, TurnEnded
from orca_tui.app.stage import Stage
from orca_tui.app.state.chat import ChatState
from orca_tui.app.widgets.literal import literal
from orca_tui.marks import Marks

Happening = Event | TurnEnded | ChangedBehind
"""What a pane hears of: an event of the engine, the end of the turn, a change that nobody here made."""


@dataclass(frozen=True, slots=True)
class About:
    """What layout, tab order, F-keys, help and palette know of a pane. `title` and `words` are marked with `N_`."""

    id: str
    title: str
    words: str
    """What its key is called in the line of keys and in the palette."""
    key: str
    keys: tuple[Key, ...]
    """The keys that count in it, for the help; its widget binds them."""
    stop: str
    """The widget that takes the keys, as a selector."""
    share: int = 2
    """How much of the height it gets, compared with the others."""


class Pane(Vertical):
    """One pane. Subclasses say what it is `about`, compose their widgets below the title, and take what happens."""

    about: ClassVar[About]

    class Told(Message):
        """What escape does here, or what leads the line of keys, is another thing now."""

    def __init__(self, stage: Stage, bridge: Bridge, marks: Marks) -> None:
        super().__init__(id=f"pane-{self.about.id}", classes="pane")
        self.stage = stage
        self.bridge = bridge
        self.marks = marks
        self.styles.height = f"{self.about.share}fr"

    def compose(self) -> ComposeResult:
        yield Static(literal(_(self.about.title), "bold"), id=f"{self.about.id}-title", classes="pane-title")
        yield from self.compose_body()

    def compose_body(self) -> ComposeResult:
        """What stands below the title."""
        yield from ()

    @property
    def stop(self) -> Widget:
        """The widget that takes the keys of the pane."""
        return self.query_one(self.about.stop)

    @property
    def lead(self) -> str:
        """What stands before the keys while the pane has the focus."""
        return ""

    @property
    def word_of_escape(self) -> str:
        """What escape would clear in the pane, which has the focus; empty where there is nothing."""
        return ""

    def step_back(self) -> bool:
        """Escape: clear what is filtered or marked. Whether there was anything."""
        return False

    def take(self, event: Happening) -> None:
        """Something happened: in the turn, in the background, elsewhere; or the turn ended."""

    def draw(self, state: ChatState, *, is_wide: bool) -> None:
        """The talk stands like this now; `is_wide` where there is room for details."""

    def look(self, *, anew: bool) -> None:
        """Memories changed; `anew` where there may be other ones than before."""

    def tick(self) -> None:
        """A second passed."""

    def show_title(self, title: Content) -> None:
        """Another title: one with figures, say."""
        self.query_one(f"#{self.about.id}-title", Static).update(title, layout=False)
