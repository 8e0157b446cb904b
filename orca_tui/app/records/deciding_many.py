"""What is decided of all marked candidates at once: how it is asked, carried out, said and taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from orca_core.model.memories import Waits
from orca_core.model.operations import Undone
from orca_core.model.records import MEMORY, plain_ref
from orca_tui.app.widgets.dialogs import Confirm
from orca_tui.language import counted

if TYPE_CHECKING:
    from orca_core.orca import Orca

NAMED = 5
"""So many of them are named where it is asked."""

Operations = tuple[int, ...]
"""What a decision wrote: an operation for each kind that it was about."""


def can_be_decided(decision: str, marked: Sequence[Waits]) -> bool:
    """Whether all of these can be decided so: only of memories it can be said that they are never to be learnt."""
    return decision in ("accept", "reject") or all(each.ref.kind == MEMORY for each in marked)


def confirmation(decision: str, marked: Sequence[Waits], hidden: int) -> Confirm:
    """Asks about them by their number; names the first, and says how many are not on the screen."""
    count = len(marked)
    lines = [f"{plain_ref(each.ref)}  {each.text}" for each in marked[:NAMED]]
    if count > NAMED:
        lines.append(counted("and {count} more", "and {count} more", count - NAMED))
    if hidden:
        lines.append(
            counted(
                "{count} of them is marked, but not shown just now",
                "{count} of them are marked, but not shown just now",
                hidden,
            )
        )
    lines += ["", _("One undo brings all of them back.")]
    match decision:
        case "accept":
            question, yes = counted("Accept {count} candidate?", "Accept {count} candidates?", count), _("Accept")
        case "reject":
            question, yes = counted("Reject {count} candidate?", "Reject {count} candidates?", count), _("Reject")
        case _:
            question = counted("Never learn {count} candidate again?", "Never learn {count} candidates again?", count)
            yes = _("Never")
    return Confirm(question, "\n".join(lines), yes)


def carried_out(engine: Orca, decision: str, marked: Sequence[Waits]) -> Callable[[], Awaitable[Operations]]:
    """The decision, about exactly these."""
    refs = [each.ref for each in marked]

    async def decide() -> Operations:
        if decision == "never":
            return _numbers([await engine.inbox.never([ref.id for ref in refs])])
        candidates = engine.work.candidates
        return _numbers(await (candidates.accept(refs) if decision == "accept" else candidates.reject(refs)))

    return decide


def taken_back(engine: Orca, operations: Operations) -> Callable[[], Awaitable[list[Undone]]]:
    """All that a decision wrote, the latest first; without one the latest change of all."""

    async def undo() -> list[Undone]:
        return [await engine.history.undo(each) for each in reversed(operations)] or [await engine.history.undo()]

    return undo


def decided_words(decision: str, count: int) -> str:
    """What was done, and how it is taken back."""
    match decision:
        case "accept":
            words = counted("accepted {count} candidate", "accepted {count} candidates", count)
        case "reject":
            words = counted("rejected {count} candidate", "rejected {count} candidates", count)
        case _:
            words = counted("{count} candidate, never again", "{count} candidates, never again", count)
    return f"{words} · {_('u takes it back')}"


def _numbers(changes: Sequence[Any]) -> Operations:
    return tuple(each.operation for each in changes if each.operation is not None)
