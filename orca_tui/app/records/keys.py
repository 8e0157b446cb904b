"""The keys of a list of records: the same for every kind, as far as it can do what they ask for."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec.structs import replace

from orca_tui.app.keymap import Key
from orca_tui.language import N_

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
