"""The keys of the inbox."""

from __future__ import annotations

from orca_tui.app.keymap import Key
from orca_tui.app.records.keys import far_keys
from orca_tui.language import N_

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
