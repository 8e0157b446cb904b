"""Memories that wait for a person: each with its quote, its reason and the memory nearest to it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable
from gettext import gettext as _

from textual.content import Content

from orca_core.domain.views import Case
from orca_core.domain.work.waiting import Waits
from orca_tui.app.bridge import Bridge
from orca_tui.app.memory.edit_memory import EditMemory, MemoryForm
from orca_tui.app.records.candidates import Decision, ToDecide
from orca_tui.app.widgets.literal import literal
from orca_tui.marks import Marks
from orca_tui.words.deciding import held_words, nearest_words, quote_in_context, since_words
from orca_tui.words.memories import memory_line

_PIECE = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)


class MemoryCandidates:
    """The kind of candidate that says something of the user."""

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        self._bridge = bridge
        self._marks = marks

    async def look(self, waits: Waits) -> ToDecide:
        inbox = self._bridge.engine.inbox
        case = await inbox.case(waits.ref.id)
        candidate, nearest = case.memory, case.nearest
        decisions: dict[str, Decision] = {
            "accept": lambda: inbox.accept([candidate.id], {candidate.id: candidate.content}),
            "reject": lambda: inbox.reject([candidate.id]),
            "never": lambda: inbox.never([candidate.id]),
        }
        if nearest is not None:
            decisions["merge"] = lambda: inbox.merge(nearest.id, [candidate.id])
            decisions["replace"] = lambda: inbox.accept_instead(candidate.id, nearest.id, candidate.content)

        def edited(form: MemoryForm) -> Awaitable[object]:
            return inbox.accept_edited(
                candidate.id,
                candidate.content,
                content=form.content,
                type_word=form.type or None,
                tags=form.tags,
                cues=form.cues,
            )

        return ToDecide(
            case_content(case, self._marks),
            decisions,
            form=lambda: EditMemory(f"#{candidate.id}", candidate),
            edited=edited,
            otherwise=_("there is no memory near it"),
        )


def case_content(case: Case, marks: Marks) -> Content:
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
        rounds = ", ".join(map(str, candidate.origin.rounds))
        lines.append(
            literal(
                f"{_('from')}: {candidate.origin.session_id} {marks.dot} {_('rounds')} {rounds}", "$foreground-muted"
            )
        )
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
