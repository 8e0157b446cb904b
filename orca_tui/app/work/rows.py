"""How an episode and knowledge look in a line, and what their lists say while they are empty. Pure."""

from __future__ import annotations

from gettext import gettext as _

from rich.segment import Segment

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.records import plain_ref
from orca_core.model.views import EpisodeView, KnowledgeView
from orca_tui.app.records.row import bar, bar_width, record_row
from orca_tui.app.widgets.rows import RowStyles
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.work_words import importance_figure, outcome_mark


def share(number: float) -> str:
    """Two digits, without the nought that all but one have."""
    return bare(f"{number:.2f}")


def bare(figure: str) -> str:
    """A figure without the nought that all but one have."""
    return figure.removeprefix("0")


def episode_row(
    view: EpisodeView, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
) -> list[Segment]:
    """What was done, how it ended, how important it is."""
    episode = view.episode
    tail = f" {outcome_mark(episode.outcome, marks)} {change or f'{bare(importance_figure(view)):>4}'}"
    tail += f" {bar(view.importance, cells, marks)}" if (cells := bar_width(width)) else ""
    name = str(plain_ref(EPISODES.ref(episode)))
    text, is_changed = episode.trigger_summary, bool(change)
    return record_row(
        episode, view.status, name, text, tail, width, marks, styles, is_marked=is_marked, is_changed=is_changed
    )


def knowledge_row(
    view: KnowledgeView, width: int, marks: Marks, styles: RowStyles, *, is_marked: bool, change: str
) -> list[Segment]:
    """What it is about, and how sure that is."""
    known = view.knowledge
    figure = change or f"{share(known.confidence):>4}"
    tail = f" {figure}"
    tail += f" {bar(known.confidence, cells, marks)}" if (cells := bar_width(width)) else ""
    name = str(plain_ref(KNOWLEDGES.ref(known)))
    return record_row(
        known, view.status, name, known.topic, tail, width, marks, styles, is_marked=is_marked, is_changed=bool(change)
    )


def no_episodes(is_filtered: bool, to_review: int) -> str:
    """What an empty list of episodes says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "No episode yet, but {count} waits for you: f5", "No episode yet, but {count} wait for you: f5", to_review
        )
    return _(
        "No episode yet. One is made of every task that ends (/task, /done), and of problems worked on in a chat "
        "when that is over."
    )


def no_knowledge(is_filtered: bool, to_review: int) -> str:
    """What an empty list of knowledge says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "Nothing learnt yet, but {count} waits for you: f5",
            "Nothing learnt yet, but {count} wait for you: f5",
            to_review,
        )
    return _("Nothing learnt yet. What three episodes on one target teach comes to stand here.")
