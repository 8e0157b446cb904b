"""What is put before the model of a tool: its guide on one line, and its figures, within what knowledge may cost."""

from __future__ import annotations

from orca_core import words
from orca_core.model.tools import Guide, ToolFigures
from orca_core.rules.text import tokens
from orca_core.rules.text.fitting import fitted
from orca_core.rules.text.languages import language_of

GUIDE_TOKENS = 120
"""No line costs more, as knowledge."""
NAME_TOKENS = GUIDE_TOKENS // 2
"""So much of that its tool's name takes at most."""


def guide_line(guide: Guide, figures: ToolFigures) -> str:
    """The name of the tool, what is known of it, and how its calls went, where any are kept."""
    said = " ".join(guide.text.split())
    counted = "" if not figures.calls else f" ({figures_line(figures, language_of(guide.text))})"
    head = f"{fitted(' '.join(guide.target.split()), NAME_TOKENS)}: "
    room = GUIDE_TOKENS - tokens.estimate(head + counted)
    made = f"{head}{fitted(said, max(room, 0))}{counted}"
    while room > 0 and tokens.estimate(made) > GUIDE_TOKENS:  # side by side they may count as more than each by itself
        room -= 1
        made = f"{head}{fitted(said, room)}{counted}"
    return made


def figures_line(figures: ToolFigures, language: str) -> str:
    """How often it was called, how often that succeeded, how long it took."""
    said = [("calls", f"{figures.calls}"), ("succeeded", f"{percent_of(figures)}")]
    if figures.median_s is not None:
        said.append(("seconds", f"{figures.median_s:.3g}"))
    return "".join(words.text("work.tools", key, language).format(value) for key, value in said)


def percent_of(figures: ToolFigures) -> int:
    """Whole percents; all and none only where it is all or none."""
    if figures.succeeded in (0, figures.calls):
        return 100 if figures.succeeded else 0
    return min(99, max(1, round(figures.success_rate * 100)))
