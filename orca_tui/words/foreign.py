"""What comes into a home out of another program's file, in words."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.exchange import Arrived, ImportTerms
from orca_core.model.foreign import ForeignBrought, LeftOut, Repeated, Unread
from orca_tui.language import N_, counted
from orca_tui.words.deciding import figure_words
from orca_tui.words.exchange import arrived_line, brought_words
from orca_tui.words.memories import reason_phrase

IMPORTED = "imported"
LEFT_WORDS = {
    Unread.NO_TEXT: N_("holds no text"),
    Unread.PUT_AWAY: N_("deleted or switched off there"),
    Unread.TOO_SHORT: N_("too short for a memory"),
    Unread.TOO_LONG: N_("too long for a memory"),
    Unread.NO_STATEMENT: N_("nothing is plainly said in it"),
}


def foreign_line(heard: Arrived | LeftOut | Repeated) -> str:
    """What became, or would become, of one entry; empty of a chat that only has nothing in it."""
    match heard:
        case LeftOut(why=Unread.NO_STATEMENT):
            return ""
        case LeftOut():
            return f"{heard.place}  {_(LEFT_WORDS[heard.why])}  {heard.text}".rstrip()
        case Repeated():
            return f"{heard.place}  {_('the same as {place}').format(place=heard.first)}"
    # That it comes from a file is plain: told is what keeps it waiting with trust, too.
    why = heard.held_because if heard.held_because != IMPORTED else ""
    return f"{arrived_line(heard)}  ({reason_phrase(why)})" if why else arrived_line(heard)


def near_line(heard: Arrived | LeftOut | Repeated) -> str:
    """The memory nearest to what would come, below it; empty where none is near."""
    if not isinstance(heard, Arrived) or heard.near is None:
        return ""
    return f"    {_('nearest')} ({figure_words(heard.near.nearness)}): #{heard.near.id}  {heard.near.content}"


def foreign_words(brought: ForeignBrought, terms: ImportTerms) -> list[str]:
    """What an import came to, or would come to."""
    lines = brought_words(brought.brought, terms)
    if brought.repeated:
        lines.append(counted("said again, and folded: {count}", "said again, and folded: {count}", brought.repeated))
    for why, words in LEFT_WORDS.items():
        if (count := brought.left.get(why.value, 0)) and why is not Unread.NO_STATEMENT:
            lines.append(_("left out: {count} ({why})").format(count=count, why=_(words)))
    if chats := brought.left.get(Unread.NO_STATEMENT.value, 0):
        lines.append(counted("nothing in {count} chat", "nothing in {count} chats", chats))
    return lines
