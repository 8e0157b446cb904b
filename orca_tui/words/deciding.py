"""What a person is to decide, in words: candidates and undecided pairs."""

from __future__ import annotations

from datetime import datetime
from gettext import gettext as _

from orca_core.domain.views import Case, PairView, Waiting
from orca_tui.language import counted, listed
from orca_tui.marks import Marks
from orca_tui.words.memories import memory_line, reason_phrase

CONTEXT_CHARS = 60


def waiting_line(waiting: Waiting, now: datetime) -> str:
    """How many candidates wait, and how long the oldest has; empty where none does."""
    if waiting.since is None:
        return ""
    words = _("{count} to review").format(count=waiting.count)
    if not (days := (now - waiting.since).days) > 0:
        return words
    if waiting.count == 1:
        return listed([words, counted("for {count} day", "for {count} days", days)])
    return listed([words, counted("oldest {count} day", "oldest {count} days", days)])


def case_text(case: Case, marks: Marks) -> str:
    """A candidate with its reason, its quote in its context, and the memory nearest to it."""
    candidate = case.memory
    lines = [
        f"{memory_line(candidate)}  ({candidate.type.value})",
        f"    {_('held back')}: {reason_phrase(candidate.held_because or '')}",
    ]
    if candidate.origin.quote:
        lines.append(f"    {_('quote')}: {quote_in_context(case) or candidate.origin.quote}")
    if candidate.origin.session_id:
        rounds = ", ".join(str(number) for number in candidate.origin.rounds)
        lines.append(f"    {_('from')}: {candidate.origin.session_id} {marks.dot} {_('rounds')} {rounds}")
    if case.nearest is not None:
        word = _("would replace") if candidate.would_replace == case.nearest.id else _("nearest")
        pinned = f"  ({_('pinned')})" if case.nearest.pinned else ""
        lines.append(f"    {word}: {memory_line(case.nearest)}{pinned}")
    return "\n".join(lines)


def quote_in_context(case: Case) -> str:
    """The quote with what stands around it; empty where no round holds it."""
    quote = case.memory.origin.quote or ""
    for each in case.rounds:
        for text in (each.user, each.assistant):
            start = text.find(quote) if quote else -1
            if start >= 0:
                before = " ".join(text[max(0, start - CONTEXT_CHARS) : start].split(" "))
                after = text[start + len(quote) : start + len(quote) + CONTEXT_CHARS]
                return f"{_ellipsis(start > CONTEXT_CHARS)}{before}“{quote}”{after}".replace("\n", " ")
    return ""


def pair_text(pair: PairView) -> str:
    """Two memories that a person should look at."""
    return "\n".join(
        (
            f"{reason_phrase(pair.why)}:",
            f"  {memory_line(pair.older.memory)}",
            f"  {memory_line(pair.newer.memory)}",
            "  " + _("orca memory merge {a} {b}, or orca memory duplicates --keep {a} {b}").format(
                a=pair.older.memory.id, b=pair.newer.memory.id
            ),
        )
    )  # fmt: skip


def _ellipsis(is_cut: bool) -> str:
    return "…" if is_cut else ""
