"""What a person is to decide, in words: candidates and undecided pairs."""

from __future__ import annotations

from datetime import datetime
from gettext import gettext as _

from orca_core.model.llm import Source
from orca_core.model.memories import NearBy, Nearness, State
from orca_core.model.views import InboxCase, InboxCount, PairView, StaleReason
from orca_tui.language import N_, counted, listed
from orca_tui.marks import Marks
from orca_tui.words.memory_words import elsewhere_words, memory_line, reason_phrase

CONTEXT_CHARS = 60

SAME_WORDS = {
    State.LIVE: N_("already remembered as #{id}"),
    State.CANDIDATE: N_("#{id} waits for you and says the same"),
    State.ARCHIVED: N_("#{id} says the same and is archived"),
    State.REJECTED: N_("#{id} says the same and was rejected"),
}
SINCE_WORDS = {
    StaleReason.DELETED: N_("you deleted a memory that said this"),
    StaleReason.ROUNDS_GONE: N_("the conversation that it came from is gone"),
    StaleReason.QUOTE_GONE: N_("its quote stands nowhere in the conversation"),
    StaleReason.TARGET_GONE: N_("the memory that it was to replace is deleted"),
    StaleReason.TARGET_ARCHIVED: N_("#{id}, which it was to replace, does not live any more"),
    StaleReason.TARGET_PINNED: N_("#{id}, which it was to replace, is pinned by now"),
    StaleReason.TARGET_CHANGED: N_("#{id}, which it would replace, says something else by now"),
}


def waiting_line(waiting: InboxCount, now: datetime) -> str:
    """How many candidates wait, and how long the oldest has; empty where none does."""
    if waiting.since is None:
        return ""
    words = _("{count} to review").format(count=waiting.count)
    if not (days := (now - waiting.since).days) > 0:
        return words
    if waiting.count == 1:
        return listed([words, counted("for {count} day", "for {count} days", days)])
    return listed([words, counted("oldest {count} day", "oldest {count} days", days)])


def case_text(case: InboxCase, marks: Marks) -> str:
    """A candidate with its reason, its quote in its context, and the memory nearest to it."""
    candidate = case.memory
    lines = [
        f"{memory_line(candidate)}  ({candidate.type.value})",
        f"    {_('held back')}: {held_words(case)}",
        *(f"    {words}" for words in since_words(case)),
    ]
    if candidate.origin.quote:
        lines.append(f"    {_('quote')}: {quote_in_context(case)}")
    if candidate.origin.session_id:
        rounds = ", ".join(str(number) for number in candidate.origin.rounds)
        source = f"{candidate.origin.session_id} {marks.dot} {_('rounds')} {rounds}"
        lines.append(f"    {_('from')}: {source if rounds else candidate.origin.session_id}")
    if elsewhere := elsewhere_words(candidate, marks):
        lines.append(f"    {_('from')}: {elsewhere}")
    if case.nearest is not None:
        lines.append(f"    {nearest_words(case)}: {memory_line(case.nearest)}")
    return "\n".join(lines)


def held_words(case: InboxCase) -> str:
    """Why a candidate is held back at present, and why it was when it was found, if that is something else."""
    then, now = reason_phrase(case.memory.held_because or ""), case.standing.held_because
    if now == case.memory.held_because:
        return then
    words = _("not any more, by today's rules") if now is None else reason_phrase(now)
    return _("{now} (when it was found: {then})").format(now=words, then=then) if then else words


def since_words(case: InboxCase) -> list[str]:
    """What changed since a candidate was found, a sentence each; what is remembered by now comes first."""
    lines = [_(SINCE_WORDS[each]).format(id=case.memory.would_replace) for each in case.standing.since]
    if (same := case.standing.same) is not None:
        lines.insert(0, _(SAME_WORDS[same.state]).format(id=same.id))
    return lines


def nearest_words(case: InboxCase) -> str:
    """What the memory beside a candidate is to it; how near it is, where that is all."""
    nearest, standing = case.nearest, case.standing
    assert nearest is not None
    beside = [_("pinned")] if nearest.pinned else []
    if standing.same is not None and standing.same.id == nearest.id:
        word = _("says the same")
    elif standing.replaces == nearest.id:
        word = _("would replace")
    else:
        word = _("nearest")
        beside += [figure_words(case.nearness)] if case.nearness is not None else []
    return f"{word} ({listed(beside)})" if beside else word


def figure_words(nearness: Nearness) -> str:
    """How near, and whether by meaning or by the words alone."""
    by = _("by meaning") if nearness.by is NearBy.MEANING else _("by words")
    return f"{nearness.similarity:.2f} {by}"


def quote_in_context(case: InboxCase) -> str:
    """The quote with what was typed around it, as far as it stands there on one line; empty where there is none."""
    quote = case.memory.origin.quote or ""
    for text in (span.text for each in case.rounds for span in each.spans if span.source is Source.TYPED):
        start = text.find(quote) if quote else -1
        if start >= 0:
            before = " ".join(text[max(0, start - CONTEXT_CHARS) : start].split(" "))
            after = text[start + len(quote) : start + len(quote) + CONTEXT_CHARS]
            return f"{_ellipsis(start > CONTEXT_CHARS)}{before}“{quote}”{after}".replace("\n", " ")
    return f"“{quote}”" if quote else ""


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
