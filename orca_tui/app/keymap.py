"""Every key of the app by the id of what it does: `[keys]` in the configuration gives other keys to any of them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding

from orca_tui.language import N_


@dataclass(frozen=True, slots=True)
class Key:
    """One action: its id, the keys it has unless the configuration says otherwise, and what it is called."""

    id: str
    keys: str
    action: str
    words: str
    is_shown: bool = False
    has_priority: bool = False


EVERYWHERE = (
    Key("app.stop", "escape", "stop_or_back", N_("stop, else back"), is_shown=True),
    Key("app.next_pane", "tab", "next_pane(1)", N_("next pane")),
    Key("app.previous_pane", "shift+tab", "next_pane(-1)", N_("pane before")),
    Key("app.turn", "f2", "show_pane('turn')", N_("this turn"), is_shown=True, has_priority=True),
    Key("app.memories", "f3", "show_pane('memories')", N_("memories"), is_shown=True, has_priority=True),
    Key("app.activity", "f4", "show_pane('activity')", N_("activity"), is_shown=True, has_priority=True),
    Key("app.chats", "ctrl+s", "chats", N_("chats"), is_shown=True, has_priority=True),
    Key("app.new", "ctrl+n", "new_chat", N_("new chat"), has_priority=True),
    Key("app.model", "ctrl+l", "model", N_("model"), has_priority=True),
    Key("app.commands", "ctrl+p", "command_palette", N_("commands"), is_shown=True, has_priority=True),
    Key("app.search_prompts", "ctrl+r", "search_prompts", N_("search my prompts"), has_priority=True),
    Key("app.edit_prompt", "ctrl+g", "edit_prompt", N_("prompt in $EDITOR"), has_priority=True),
    Key("app.side", "ctrl+t", "toggle_side", N_("side panel"), has_priority=True),
    Key("app.inbox", "f5", "inbox", N_("review"), has_priority=True),
    Key("app.help", "f1", "help", N_("help"), is_shown=True, has_priority=True),
    Key("app.interrupt", "ctrl+c", "interrupt", N_("copy, else stop"), has_priority=True),
    Key("app.quit", "ctrl+q", "quit", N_("quit"), has_priority=True),
)
TRANSCRIPT = (
    Key("transcript.next", "j", "move(1)", N_("next message")),
    Key("transcript.previous", "k", "move(-1)", N_("message before")),
    Key("transcript.memories", "enter", "act('memories')", N_("its memories"), is_shown=True),
    Key("transcript.copy", "y", "act('copy')", N_("copy message"), is_shown=True),
    Key("transcript.copy_code", "c", "act('copy_code')", N_("copy next code block"), is_shown=True),
    Key("transcript.regenerate", "r", "act('regenerate')", N_("answer again"), is_shown=True),
    Key("transcript.edit", "e", "act('edit')", N_("edit and resend"), is_shown=True),
    Key("transcript.why", "w", "act('why')", N_("why"), is_shown=True),
    Key("transcript.reasoning", "t", "reasoning", N_("show thinking")),
    Key("transcript.editor", "o", "act('editor')", N_("open in $EDITOR")),
    Key("transcript.end", "end", "follow", N_("follow the end")),
)
TURN = (Key("turn.why", "enter,w", "why", N_("why, and the block as sent"), is_shown=True),)
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
ACTIVITY = (
    Key("activity.down", "j,down", "cursor(1)", N_("down")),
    Key("activity.up", "k,up", "cursor(-1)", N_("up")),
    Key("activity.open", "enter", "act('open')", N_("detail"), is_shown=True),
    Key("activity.undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("activity.redo", "U", "act('redo')", N_("redo")),
    Key("activity.retry", "r", "act('retry')", N_("retry now"), is_shown=True),
)
INBOX = (
    Key("inbox.next", "j,down", "move(1)", N_("next"), is_shown=True),
    Key("inbox.previous", "k,up", "move(-1)", N_("before")),
    Key("inbox.accept", "a", "decide('accept')", N_("accept"), is_shown=True),
    Key("inbox.edit", "e", "decide('edit')", N_("edit and accept"), is_shown=True),
    Key("inbox.merge", "m", "decide('merge')", N_("merge"), is_shown=True),
    Key("inbox.replace", "r", "decide('replace')", N_("replace the nearest"), is_shown=True),
    Key("inbox.reject", "x", "decide('reject')", N_("reject"), is_shown=True),
    Key("inbox.never", "n", "decide('never')", N_("never learn this"), is_shown=True),
    Key("inbox.undo", "u", "undo", N_("undo"), is_shown=True),
)
GROUPS = {
    N_("Everywhere"): EVERYWHERE,
    N_("Transcript"): TRANSCRIPT,
    N_("This turn"): TURN,
    N_("Memories"): MEMORIES,
    N_("Activity"): ACTIVITY,
    N_("Review"): INBOX,
}


def bindings(keys: tuple[Key, ...]) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The keys as Textual's bindings. Their words are translated where they are shown."""
    return [
        Binding(key.keys, key.action, key.words, show=key.is_shown, priority=key.has_priority, id=key.id)
        for key in keys
    ]


def known_ids() -> frozenset[str]:
    """Every id that `[keys]` may name."""
    return frozenset(key.id for keys in GROUPS.values() for key in keys)
