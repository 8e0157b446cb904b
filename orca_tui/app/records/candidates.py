"""Candidates of every kind as the inbox shows them: what they say, why they are held back, what speaks for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from gettext import gettext as _
from typing import TYPE_CHECKING

from msgspec import Struct
from textual.content import Content

from orca_core.model.feedback import Action, PromotionScore, Support
from orca_core.model.memories import InboxItem, Memory
from orca_core.model.record_types import plain_ref
from orca_core.model.views import InboxCase
from orca_tui.app.records.details import MUTED, Row, source_words, table
from orca_tui.app.records.kind import Decision, Place, ToDecide
from orca_tui.app.records.memory_pane import fields_of
from orca_tui.app.widgets.dialogs import EditFields
from orca_tui.app.widgets.text import Field, joined, literal
from orca_tui.marks import Marks
from orca_tui.times import ago
from orca_tui.words.feedback_words import near_words, promotion_words, support_words
from orca_tui.words.inbox_words import held_words, nearest_words, quote_in_context, since_words
from orca_tui.words.learning_words import span_of
from orca_tui.words.memory_words import elsewhere_words, memory_line, reason_phrase

if TYPE_CHECKING:
    from orca_core.orca import Orca
    from orca_core.services.feedback import Feedback

WARNING = "$text-warning"
_PIECE = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)


async def memory_candidate(
    orca: Orca, waits: InboxItem, entries: Callable[[Memory], list[Field]], marks: Marks
) -> ToDecide:
    """A memory that waits, with its quote, its reason and the memory nearest to it. Raises StorageError, NotFound."""
    memories = orca.memories
    case = await memories.case(waits.ref.id)
    shown = await shown_of(orca.feedback, case.memory)
    candidate, nearest = case.memory, case.nearest
    decisions: dict[str, Decision] = {
        "accept": lambda: memories.accept([candidate.id], {candidate.id: candidate.content}),
        "reject": lambda: memories.reject([candidate.id]),
        "never": lambda: memories.never([candidate.id]),
    }
    if nearest is not None:
        decisions["merge"] = lambda: memories.merge(nearest.id, [candidate.id])
        decisions["replace"] = lambda: memories.accept_instead(candidate.id, nearest.id, candidate.content)

    def edited(changed: Mapping[str, str]) -> Awaitable[object]:
        fields = {"content": candidate.content, **fields_of(changed)}
        return memories.accept_edited(candidate.id, candidate.content, **fields)

    return ToDecide(
        joined([case_content(case, marks), *shown_content(shown)], "\n"),
        decisions,
        otherwise=_("there is no memory near it"),
        form=lambda: EditFields(f"#{candidate.id}", entries(candidate)),
        edited=edited,
        places=shown.places,
    )


def candidate_content(
    waits: InboxItem, kind: str, title: str, rows: Sequence[Row], text: Sequence[Content], now: datetime, marks: Marks
) -> Content:
    """A candidate of work: its title, its text, why it is held back, the rows of its kind, where it came from."""
    held = _("held back"), literal(_held_words(waits), WARNING)
    came = _("from"), source_words("", waits.origin, marks)
    head = [literal(title, "bold"), literal(f"{plain_ref(waits.ref)}  {kind}", MUTED), Content("")]
    return Content("\n").join([*head, *text, *table([held, *rows, came, (_("created"), ago(waits.since, now))])])


def _held_words(waits: InboxItem) -> str:
    """Why it is held back at present, and why it was when it was found, if that is something else."""
    then, now = reason_phrase(waits.held_because or ""), waits.held_now
    if now == waits.held_because:
        return then
    words = _("not any more, by today's rules") if now is None else reason_phrase(now)
    return _("{now} (when it was found: {then})").format(now=words, then=then) if then else words


class ShownByActs(Struct, frozen=True):
    """How near a candidate is to going live by what acts show (None where it is none), and those acts by their
    numbers."""

    weighed: PromotionScore | None
    acts: Mapping[int, Action]

    @property
    def supports(self) -> tuple[Support, ...]:
        return () if self.weighed is None else self.weighed.supports

    @property
    def places(self) -> tuple[Place, ...]:
        """The rounds that speak for it, each once, the latest first."""
        found: dict[tuple[str, int], str] = {}
        for each in reversed(self.supports):
            act = self.acts.get(each.act or 0)
            session_id = each.session_id or (act.session_id if act else "")
            number = each.round if each.round is not None else (act.round if act else None)
            if session_id and number is not None:
                found.setdefault((session_id, number), support_words(each, act))
        return tuple(Place(session_id, number, words) for (session_id, number), words in found.items())


async def shown_of(feedback: Feedback, memory: Memory) -> ShownByActs:
    """What came out of another program's file waits for a person alone until something speaks for it: it is not weighed
    against all others. Raises StorageError."""
    if memory.elsewhere.program and not await feedback.pools.carried([memory.id]):
        return ShownByActs(None, {})
    weighed = (await feedback.pools.weighed([memory.id])).get(memory.id)
    numbers = [each.act for each in weighed.supports if each.act is not None] if weighed is not None else []
    page = await feedback.actions.get(numbers) if numbers else []
    return ShownByActs(weighed, {each.id: each for each in page})


def shown_content(shown: ShownByActs) -> list[Content]:
    """How near it is to going live, what would bring it there, and what speaks for it. Nothing where only a person can
    decide, and nothing speaks for it."""
    weighed = shown.weighed
    if weighed is None or (weighed.blocked_by and not weighed.supports):
        return []
    lines = [
        Content(""),
        literal(f"{_('shown')}: ", "$foreground-muted") + literal(near_words(weighed)),
        literal(promotion_words(weighed)),
    ]
    if shown.supports:
        lines.append(literal(f"{_('supported by')}:", "$foreground-muted"))
        lines += [literal(f"  {support_words(each, shown.acts.get(each.act or 0))}") for each in shown.supports]
    return lines


def case_content(case: InboxCase, marks: Marks) -> Content:
    """A candidate with all that a decision needs."""
    candidate = case.memory
    lines = [
        literal(candidate.content, "bold"),
        literal(
            f"{candidate.type.value}  {', '.join(candidate.tags)}  {candidate.confidence:.2f}", "$foreground-muted"
        ),
        Content(""),
        literal(f"{_('held back')}: ", "$foreground-muted") + literal(held_words(case), "$text-warning"),
        *(literal(words, "$text-warning") for words in since_words(case)),
    ]
    if candidate.origin.quote:
        lines.append(literal(f"{_('quote')}: ", "$foreground-muted") + literal(quote_in_context(case)))
    if candidate.origin.session_id:
        rounds = span_of(candidate.origin.rounds) if candidate.origin.rounds else ""
        where = f" {marks.dot} ".join(filter(None, (candidate.origin.session_id, rounds)))
        lines.append(literal(f"{_('from')}: {where}", "$foreground-muted"))
    if elsewhere := elsewhere_words(candidate, marks):
        lines.append(literal(f"{_('from')}: {elsewhere}", "$foreground-muted"))
    if case.nearest is not None:
        line = f"{nearest_words(case)}: {memory_line(case.nearest)}"
        lines += [Content(""), literal(line, "$foreground-muted")]
        lines.append(word_diff(case.nearest.content, candidate.content))
    return Content("\n").join(lines)


def word_diff(before: str, after: str) -> Content:
    """The two texts in one: what goes is struck through and bracketed, what comes is marked with a plus."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    parts: list[Content] = []
    for tag, first, last, start, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        gone, come = "".join(old[first:last]), "".join(new[start:end])
        if tag == "equal":
            parts.append(literal(gone))
            continue
        if gone:
            parts.append(literal(f"[-{gone}-]", "$text-error strike"))
        if come:
            parts.append(literal(f"{{+{come}+}}", "$text-success"))
    return Content("").join(parts)
