"""The turns in which a record was put before the model, in words: the same for every kind. Pure."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.recall import Appearance
from orca_core.model.refs import Ref, plain_ref
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.memories import reason_phrase, weight_figure

USE_WORDS = {"used": N_("used"), "unused": N_("unused"), "unknown": N_("unknown")}


def appearances_title(ref: Ref) -> str:
    """What a list of them is called."""
    return _("#{id}: where it was put in, and why").format(id=plain_ref(ref))


def no_appearance() -> str:
    """What stands where there is none."""
    return _("It was not put before the model yet.")


def appearance_parts(each: Appearance, marks: Marks) -> tuple[str, str, str]:
    """When it was, what came of it and why it went in, and in which round."""
    when = each.at.astimezone().strftime("%m-%d %H:%M")
    step = ""
    if each.before is not None and each.after is not None and each.before != each.after:
        step = f"{weight_figure(each.before)}{marks.arrow}{weight_figure(each.after)}"
    words = "  ".join(part for part in (_(USE_WORDS.get(each.use, each.use)), step, reason_phrase(each.reason)) if part)
    return when, words, _("{title}, round {number}").format(title=each.title, number=each.round)
