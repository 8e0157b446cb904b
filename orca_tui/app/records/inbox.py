"""The inbox: all that waits, whatever its kind, and of the one under the cursor all that a decision about it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from gettext import gettext as _
from typing import Any, ClassVar, TypeVar

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from orca_core.model.memories import Waits
from orca_core.model.operations import Undone
from orca_core.model.records import Kind, Ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import bindings
from orca_tui.app.records.candidates import CandidateKind, ToDecide
from orca_tui.app.records.deciding_many import (
    Operations,
    can_be_decided,
    carried_out,
    confirmation,
    decided_words,
    taken_back,
)
from orca_tui.app.records.inbox_keys import INBOX, OF_SOME
from orca_tui.app.records.triage import Triage
from orca_tui.app.records.triage_screen import TriageScreen
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.literal import literal
from orca_tui.marks import Marks
from orca_tui.words.history_words import undone_words

T = TypeVar("T")

OF_ALL_MARKED = ("accept", "reject", "never")
"""Decisions about the marked ones, where some are marked; the others are about the one under the cursor."""
A_PAGE = 200
"""So many are read at once. Chosen by hand."""


class InboxScreen(TriageScreen):
    """A list with marks and a filter, and beside it the candidate under the cursor. What is decided of is gone from the
    list, and the next one comes by itself. It ends with the round that is to be opened, None where none is."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        ("escape", "step_back", ""),
        ("q,f5", "dismiss(None)", ""),
        *bindings(INBOX),
    ]

    def __init__(self, bridge: Bridge, kinds: Mapping[Kind, CandidateKind], marks: Marks) -> None:
        super().__init__(marks)
        self._bridge = bridge
        self._kinds = kinds
        self._shown: tuple[Ref, ToDecide] | None = None
        self._coming = self.triage
        """What waits as it was asked last; it is shown as soon as enough of it came."""
        self._wanted = ""
        """The decision that is carried out as soon as its candidate is shown."""
        self._decided_last: Operations = ()

    def on_mount(self) -> None:
        self._load()

    # What is decided

    def action_undo(self) -> None:
        """Take back the latest decision; of several kinds decided at once all of them."""
        operations, self._decided_last = self._decided_last, ()
        self._ask(taken_back(self._bridge.engine, operations), self._undone)

    def _undone(self, undone: Sequence[Undone]) -> None:
        self.key_line.note(f" {self._marks.dot} ".join(map(undone_words, undone)))
        self._load()

    def action_open_round(self) -> None:
        """Leave for a round that the candidate rests on; of several one is chosen."""
        self._give_up()
        places = self._shown[1].places if self._shown is not None else ()
        if len(places) == 1:
            self.dismiss(places[0])
        elif places:
            choices = [Choice(each.words, str(number)) for number, each in enumerate(places)]

            def chosen(at: str | None) -> None:
                if at is not None:
                    self.dismiss(places[int(at)])

            self.app.push_screen(Pick(_("What speaks for it"), choices, hint=_("enter goes to the chat")), chosen)
        else:
            self.key_line.note(_("no round speaks for it"))

    def action_decide(self, decision: str) -> None:
        """Carry out the decision on all that is marked, else on exactly what is shown."""
        if decision in OF_ALL_MARKED and self._waiting == self._mark_shown:
            self.key_line.note(_("still reading what is to be marked"), "waiting")
            return
        self._give_up()
        current = self._list.current
        if decision in OF_ALL_MARKED and self.triage.marked:
            if self.triage.has_all_marks:
                self._decide_marked(decision)
            else:
                self.once_whole(partial(self._decide_marked, decision))
        elif current is None:
            return
        elif self._shown is None or self._shown[0] != current.ref:
            self._wanted = decision
        else:
            self._decide(decision, *self._shown)

    def _decide(self, decision: str, ref: Ref, shown: ToDecide) -> None:
        def edited(form: Any) -> None:
            """Accept what was on the screen when the dialog opened, in the words of the form."""
            if form is not None and (accept := shown.edited) is not None:
                self._ask(lambda: accept(form), partial(self._decided, ref))

        if decision == "edit" and shown.form is not None:
            self.app.push_screen(shown.form(), edited)
        elif decision in shown.decisions:
            self._ask(shown.decisions[decision], partial(self._decided, ref))
        else:
            self.key_line.note(shown.otherwise)

    def _decided(self, ref: Ref, _outcome: object) -> None:
        self._decided_last = ()
        self._drop([ref])

    def _decide_marked(self, decision: str) -> None:
        """As one; of more than one it is asked."""
        marked = self.triage.marked
        if not marked:
            return
        if not can_be_decided(decision, marked):
            self.key_line.note(_("only of memories it can be said that they are never to be learnt"))
            return

        def done(operations: Operations) -> None:
            self._decided_last = operations
            self.key_line.note(decided_words(decision, len(marked)))
            self._drop([each.ref for each in marked])

        def answered(yes: bool | None) -> None:
            if yes:
                self.key_line.note(_("deciding of {count} …").format(count=len(marked)))
                self._ask(carried_out(self._bridge.engine, decision, marked), done)

        if len(marked) == 1:
            answered(True)
        else:
            self.app.push_screen(confirmation(decision, marked, self.triage.hidden), answered)

    # What is shown

    def _ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Ask the engine; what comes after the inbox was left is not told to it."""
        self._bridge.ask(work, lambda outcome: None if self.is_left else then(outcome), group=group)

    def _load(self) -> None:
        """Read what waits, page by page: the first ones are shown before the last ones are read."""
        self._coming = fresh = Triage(more_come=True)

        async def read() -> None:
            async with aclosing(self._bridge.engine.work.candidates.pages(A_PAGE)) as pages:
                async for page in pages:
                    if self.is_left:
                        return
                    fresh.take([each for each in page if each.ref.kind in self._kinds], more_come=True)
                    self._came(fresh)
            fresh.take((), more_come=False)

        self._ask(read, lambda _none: self._came(fresh), group="look inbox")

    def _came(self, fresh: Triage) -> None:
        """What came takes the place of what is shown as soon as it has the row of the cursor."""
        if fresh is not self._coming or self.is_left:
            return
        if self.triage is fresh:
            self._draw_more()
        else:
            fresh.narrow_as(self.triage)
            if len(fresh.shown) > self._list.cursor or fresh.is_whole:
                fresh.follow(self.triage)
                self._list.triage = fresh
                self._draw(self._list.cursor)
            elif not fresh.more_come:
                self.call_later(self._came, fresh)
        self._see_to_rest()

    def _drop(self, refs: Sequence[Ref]) -> None:
        if self._coming is not self.triage:
            self._coming.drop(refs, 0)
        super()._drop(refs)

    def look(self) -> None:
        super().look()
        self._wanted, waits = "", self._list.current
        if waits is not None:
            self._ask(partial(self._case, waits), partial(self._show, waits.ref), group="look case")
            return
        self._shown = None
        words = "" if self.triage.count else _("What Orca is not sure of will stand here.")
        self.query_one("#case", Static).update(literal(words))

    async def _case(self, waits: Waits) -> ToDecide:
        """What a decision needs; a person looks at it, so that the verifier is asked what it has not answered."""
        if waits.held_because == "unread":
            self._bridge.engine.worker.inbox_opened()
        return await self._kinds[waits.ref.kind].look(waits)

    def _show(self, ref: Ref, shown: ToDecide) -> None:
        if self._list.current is None or self._list.current.ref != ref:
            return
        self._shown = ref, shown
        for key in OF_SOME:
            decision = key.action.split("'")[1]
            self.key_line.rename(key.action, _(key.words) if decision in shown.decisions else "")
        self.key_line.rename("open_round", _("open the round") if shown.places else "")
        self.query_one("#case", Static).update(shown.content)
        self.query_one(VerticalScroll).scroll_home(animate=False)
        wanted, self._wanted = self._wanted, ""
        if wanted:
            self.action_decide(wanted)
