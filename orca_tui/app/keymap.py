"""Every key of the app by the id of what it does: `[keys]` in the configuration gives other keys to any of them."""

from __future__ import annotations

from msgspec import Struct
from textual.binding import Binding

from orca_tui.language import N_


class Key(Struct, frozen=True):
    """One action: its id, the keys it has unless the configuration says otherwise, and what it is called."""

    id: str
    keys: str
    action: str
    words: str
    is_shown: bool = False
    has_priority: bool = False


BEFORE_PANES = (
    Key("app.stop", "escape", "stop_or_back", N_("stop, else back"), is_shown=True),
    Key("app.next_pane", "tab", "next_pane(1)", N_("next pane")),
    Key("app.previous_pane", "shift+tab", "next_pane(-1)", N_("pane before")),
)
AFTER_PANES = (
    Key("app.chats", "ctrl+s", "command('/chats')", N_("chats"), is_shown=True, has_priority=True),
    Key("app.new", "ctrl+n", "command('/new')", N_("new chat"), has_priority=True),
    Key("app.model", "ctrl+l", "command('/model')", N_("model"), has_priority=True),
    Key("app.commands", "ctrl+p", "command_palette", N_("commands"), is_shown=True, has_priority=True),
    Key("app.search_prompts", "ctrl+r", "search_prompts", N_("search my prompts"), has_priority=True),
    Key("app.edit_prompt", "ctrl+g", "edit_prompt", N_("prompt in $EDITOR"), has_priority=True),
    Key("app.side", "ctrl+t", "toggle_side", N_("side panel"), has_priority=True),
    Key("app.inbox", "f5", "command('/review')", N_("review"), has_priority=True),
    Key("app.help", "f1", "help", N_("help"), is_shown=True, has_priority=True),
    Key("app.interrupt", "ctrl+c", "interrupt", N_("copy, else stop"), has_priority=True),
    Key("app.quit", "ctrl+q", "quit", N_("quit"), has_priority=True),
)


def bindings(keys: tuple[Key, ...]) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The keys as Textual's bindings. Their words are translated where they are shown."""
    return [
        Binding(key.keys, key.action, key.words, show=key.is_shown, priority=key.has_priority, id=key.id)
        for key in keys
    ]
