"""The panes beside the chat in their order, and all keys in the groups that the help shows. A new pane is an entry
here: layout, tab order, keys and help follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_tui.app.chat.transcript import TRANSCRIPT
from orca_tui.app.chat.turn_pane import TurnPane
from orca_tui.app.keymap import AFTER_PANES, BEFORE_PANES, INBOX, Key
from orca_tui.app.pane import Pane
from orca_tui.app.records.activity import ActivityPane
from orca_tui.app.records.memory_pane import MemoriesPane
from orca_tui.app.work.work_pane import WorkPane
from orca_tui.language import N_

PANES: tuple[type[Pane], ...] = (TurnPane, MemoriesPane, ActivityPane, WorkPane)


EVERYWHERE = N_("Everywhere")
THE_TRANSCRIPT = N_("Transcript")

Groups = Mapping[str, tuple[Key, ...]]


def key_groups(panes: Sequence[type[Pane]]) -> Groups:
    """The groups by their names, which are marked with `N_`."""
    opening = tuple(
        Key(f"app.{pane.about.id}", pane.about.key, f"show_pane('{pane.about.id}')", pane.about.words, True, True)
        for pane in panes
    )
    return {
        EVERYWHERE: (*BEFORE_PANES, *opening, *AFTER_PANES),
        THE_TRANSCRIPT: TRANSCRIPT,
        **{pane.about.title: pane.about.keys for pane in panes},
        N_("Review"): INBOX,
    }


def known_ids(groups: Groups) -> frozenset[str]:
    """Every id that `[keys]` may name."""
    return frozenset(key.id for keys in groups.values() for key in keys)
