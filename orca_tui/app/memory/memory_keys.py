"""The keys of the list of memories."""

from __future__ import annotations

from orca_tui.app.keymap import Key
from orca_tui.language import N_

MEMORIES = (
    Key("memories.down", "j,down", "cursor(1)", N_("down")),
    Key("memories.up", "k,up", "cursor(-1)", N_("up")),
    Key("memories.page_down", "pagedown", "page(1)", N_("page down")),
    Key("memories.page_up", "pageup", "page(-1)", N_("page up")),
    Key("memories.first", "g,home", "edge(-1)", N_("first")),
    Key("memories.last", "G,end", "edge(1)", N_("last")),
    Key("memories.filter", "slash", "filter", N_("filter"), is_shown=True),
    Key("memories.new", "n", "act('new')", N_("new")),
    Key("memories.open", "enter", "act('open')", N_("detail"), is_shown=True),
    Key("memories.mark", "space", "mark", N_("mark")),
    Key("memories.range", "v", "range", N_("mark a range")),
    Key("memories.pin", "p", "act('pin')", N_("pin"), is_shown=True),
    Key("memories.edit", "e", "act('edit')", N_("edit"), is_shown=True),
    Key("memories.archive", "a", "act('archive')", N_("archive / restore"), is_shown=True),
    Key("memories.delete", "d", "act('delete')", N_("delete"), is_shown=True),
    Key("memories.merge", "m", "act('merge')", N_("merge marked")),
    Key("memories.why", "w", "act('why')", N_("why")),
    Key("memories.history", "h", "act('history')", N_("history")),
    Key("memories.sort", "s", "next_sort", N_("sort")),
    Key("memories.status", "f", "next_status", N_("status")),
    Key("memories.type", "t", "next_type", N_("type")),
    Key("memories.copy", "y", "act('copy')", N_("copy")),
    Key("memories.undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("memories.redo", "U", "act('redo')", N_("redo")),
)
