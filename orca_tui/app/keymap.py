"""Every key of the app by the id of what it does, which `[keys]` in the configuration may give other keys, and what a
command is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence, Set
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace
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


_FAR = (
    Key("page_down", "pagedown", "page(1)", N_("page down")),
    Key("page_up", "pageup", "page(-1)", N_("page up")),
    Key("first", "g,home", "edge(-1)", N_("first")),
    Key("last", "G,end", "edge(1)", N_("last")),
)
_KEYS = (
    Key("down", "j,down", "cursor(1)", N_("down")),
    Key("up", "k,up", "cursor(-1)", N_("up")),
    *_FAR,
    Key("filter", "slash", "filter", N_("filter"), is_shown=True),
    Key("new", "n", "act('new')", N_("new")),
    Key("open", "enter", "act('open')", N_("detail"), is_shown=True),
    Key("mark", "space", "mark", N_("mark")),
    Key("range", "v", "range", N_("mark a range")),
    Key("pin", "p", "act('pin')", N_("pin"), is_shown=True),
    Key("edit", "e", "act('edit')", N_("edit"), is_shown=True),
    Key("archive", "a", "act('archive')", N_("archive / restore"), is_shown=True),
    Key("delete", "d", "act('delete')", N_("delete"), is_shown=True),
    Key("merge", "m", "act('merge')", N_("merge marked")),
    Key("why", "w", "act('why')", N_("why")),
    Key("history", "h", "act('history')", N_("history")),
    Key("sort", "s", "next_sort", N_("sort")),
    Key("status", "f", "next_status", N_("status")),
    Key("type", "t", "next_type", N_("type")),
    Key("copy", "y", "act('copy')", N_("copy")),
    Key("undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("redo", "U", "act('redo')", N_("redo")),
)


def record_keys(group: str, *, without: Set[str] = frozenset()) -> tuple[Key, ...]:
    """The keys with ids of this group, but those that the kind has no use for."""
    return _of_group(group, tuple(key for key in _KEYS if key.id not in without))


def far_keys(group: str) -> tuple[Key, ...]:
    """Those that go further than a line."""
    return _of_group(group, _FAR)


def _of_group(group: str, keys: Sequence[Key]) -> tuple[Key, ...]:
    return tuple(replace(key, id=f"{group}.{key.id}") for key in keys)


INBOX = (
    Key("inbox.next", "j,down", "move(1)", N_("next"), is_shown=True),
    Key("inbox.previous", "k,up", "move(-1)", N_("before")),
    *far_keys("inbox"),
    Key("inbox.accept", "a", "decide('accept')", N_("accept"), is_shown=True),
    Key("inbox.reject", "x", "decide('reject')", N_("reject"), is_shown=True),
    Key("inbox.mark", "space", "mark", N_("mark"), is_shown=True),
    Key("inbox.mark_shown", "plus", "mark_shown", N_("mark all shown"), is_shown=True),
    Key("inbox.clear_marks", "minus", "clear_marks", N_("clear marks")),
    Key("inbox.filter", "slash", "filter", N_("filter"), is_shown=True),
    Key("inbox.type", "t", "next_type", N_("type")),
    Key("inbox.program", "f", "next_program", N_("the program it came from")),
    Key("inbox.chat", "c", "choose_chat", N_("the chat it came from")),
    Key("inbox.edit", "e", "decide('edit')", N_("edit and accept"), is_shown=True),
    Key("inbox.undo", "u", "undo", N_("undo"), is_shown=True),
    Key("inbox.open", "o", "open_round", N_("open the round"), is_shown=True),
    Key("inbox.never", "n", "decide('never')", N_("never learn this"), is_shown=True),
    Key("inbox.merge", "m", "decide('merge')", N_("merge"), is_shown=True),
    Key("inbox.replace", "r", "decide('replace')", N_("replace the nearest"), is_shown=True),
)
OF_SOME = tuple(key for key in INBOX if key.id in ("inbox.never", "inbox.merge", "inbox.replace"))
"""Decisions that not every candidate allows: their keys are named where they count."""
OF_MANY = tuple(key for key in INBOX if key.id in ("inbox.mark", "inbox.mark_shown", "inbox.filter"))
"""Keys that say nothing where one candidate waits alone."""


D = TypeVar("D")


class Entry(Struct, Generic[D], frozen=True):
    """One command. `words` are marked with `N_`; `run` has the text behind its name."""

    name: str
    words: str
    run: Callable[[D, str], Awaitable[object] | None]
    wants_text: bool = False
