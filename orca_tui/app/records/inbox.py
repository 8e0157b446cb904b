"""The inbox: all that waits, whatever its kind, and of the one under the cursor all that a decision about it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from gettext import gettext as _
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from orca_core.model.memories import InboxItem
from orca_core.model.operations import UndoOutcome
from orca_core.model.record_types import Kind, Ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import INBOX, OF_MANY, OF_SOME, bindings
from orca_tui.app.records.inbox_list import (
    EVERYTHING,
    InboxList,
    Narrowing,
    Operations,
    Triage,
    can_be_decided,
    carried_out,
    confirmation,
    decided_words,
    narrowing_words,
    program_of,
    taken_back,
    type_of,
)
from orca_tui.app.records.kind import Place, RecordKind, ToDecide
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.text import SteadyText, literal
from orca_tui.marks import Marks
from orca_tui.words.history_words import undone_words

T = TypeVar("T")

OF_ALL_MARKED = ("accept", "reject", "never")
"""Decisions about the marked ones, where some are marked; the others are about the one under the cursor."""
A_PAGE = 200
"""So many are read at once. Chosen by hand."""


class InboxScreen(ModalScreen[Place | None]):
    """A list with marks and a filter, and beside it the candidate under the cursor. What is decided of is gone from the
    list, and the next one comes by itself. It ends with the round that is to be opened, None where none is."""

    HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (100, "-beside")]  # noqa: RUF012  # Textual's way
    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        ("escape", "step_back", ""),
        ("q,f5", "dismiss(None)", ""),
        *bindings(INBOX),
    ]

    def __init__(self, bridge: Bridge, kinds: Mapping[Kind, RecordKind[Any, Any]], marks: Marks) -> None:
        super().__init__()
        self.key_line = KeyLine()
        self._bridge = bridge
        self._kinds = kinds
        self._marks = marks
        self._waiting: Callable[[], object] | None = None
        """What is done as soon as all came and were looked at: the latest that was asked."""
        self._looks_on = False
        self._list = InboxList(marks, self._moved)
        self._filter = Input(
            placeholder=_("filter"), id="inbox-filter", classes="filter", compact=True, select_on_focus=False
        )
        self._shown: tuple[Ref, ToDecide] | None = None
        self._coming = self.triage
        """What waits as it was asked last; it is shown as soon as enough of it came."""
        self._wanted = ""
        """The decision that is carried out as soon as its candidate is shown."""
        self._decided_last: Operations = ()

    def on_mount(self) -> None:
        self._filter.display = self._list.display = False
        self.query_one(VerticalScroll).focus()
        self._load()

    @property
    def triage(self) -> Triage:
        return self._list.triage

    @property
    def is_left(self) -> bool:
        """Whether it was closed: what comes then has no place."""
        return self not in self.app.screen_stack

    def compose(self) -> ComposeResult:
        with Vertical(classes="reader"):
            yield SteadyText(id="inbox-title", classes="reader-title")
            yield self._filter
            with Container(id="triage"):
                yield self._list
                with VerticalScroll(classes="reader-body"):
                    yield Static("", id="case")
            yield self.key_line

    # The list

    def action_move(self, step: int) -> None:
        self._stay_here()
        self._list.action_cursor(step)

    def action_page(self, step: int) -> None:
        self._stay_here()
        self._list.action_page(step)

    def action_edge(self, side: int) -> None:
        if side < 0:
            self._stay_here()
            self._list.action_edge(side)
        else:
            self.once_whole(self._to_the_end)

    def _to_the_end(self) -> None:
        self._list.action_edge(1)

    def _stay_here(self) -> None:
        """Who moves on wants the end no more."""
        if self._waiting == self._to_the_end:
            self._give_up()

    def _moved(self) -> None:
        self._stay_here()
        self.look()

    def action_mark(self) -> None:
        if self._list.current is not None:
            self.triage.toggle(self._list.current)
            self._list.action_cursor(1)
            self._tell_marks()

    def action_mark_shown(self) -> None:
        self.once_whole(self._mark_shown)

    def _mark_shown(self) -> None:
        self.triage.mark_shown()
        self._tell_marks()

    def action_clear_marks(self) -> None:
        self._give_up()
        self.triage.clear_marks()
        self._tell_marks()

    def action_filter(self) -> None:
        if not self._list.display:
            return
        self._filter.display = True
        self.set_focus(self._filter)  # at once: what is typed next belongs to it

    def action_next_type(self) -> None:
        self.once_all_came(self._next_type)

    def _next_type(self) -> None:
        narrowing = self.triage.narrowing
        self._narrow(replace(narrowing, type=self.triage.following(narrowing.type, type_of)))

    def action_next_program(self) -> None:
        self.once_all_came(self._next_program)

    def _next_program(self) -> None:
        narrowing = self.triage.narrowing
        self._narrow(replace(narrowing, program=self.triage.following(narrowing.program, program_of)))

    def action_choose_chat(self) -> None:
        """Narrow to one of the chats that candidates came from."""
        self.once_all_came(self._choose_chat)

    def _choose_chat(self) -> None:
        chats = self.triage.chats()
        if not chats:
            self.key_line.note(_("none of these came from a chat of another program"))
            return
        choices = [Choice(_("all chats"), ""), *(Choice(title, title, str(count)) for title, count in chats)]

        def chosen(chat: str | None) -> None:
            if chat is not None:
                self._narrow(replace(self.triage.narrowing, chat=chat))

        self.app.push_screen(Pick(_("Only from this chat"), choices, at=self.triage.narrowing.chat), chosen)

    def action_step_back(self) -> None:
        """Leave the filter's field, else clear what is filtered, else the marks and what waits, else leave."""
        if self.focused is self._filter or self.triage.is_narrowed:
            self.set_focus(self._list)
            self._filter.value = ""
            self._narrow(EVERYTHING)
        elif self.triage.marked or self._waiting is not None:
            self.action_clear_marks()
        else:
            self.dismiss(None)

    @on(Input.Changed, "#inbox-filter")
    def _typed(self, event: Input.Changed) -> None:
        if event.value != self.triage.narrowing.text:
            self._narrow(replace(self.triage.narrowing, text=event.value))

    @on(Input.Submitted, "#inbox-filter")
    def _typed_to_the_end(self) -> None:
        self.set_focus(self._list)
        self._filter.display = bool(self._filter.value)

    def once_whole(self, act: Callable[[], object]) -> None:
        """What is about all that are shown, as soon as all came and were looked at."""
        self._once(act, can_be_done=self.triage.is_whole)

    def once_all_came(self, act: Callable[[], object]) -> None:
        """What is about all that wait, shown or not, as soon as all came."""
        self._once(act, can_be_done=not self.triage.more_come)

    def _once(self, act: Callable[[], object], *, can_be_done: bool) -> None:
        """Now or as soon as it can be done, in the place of what waits for that."""
        self._give_up()
        if can_be_done:
            act()
        else:
            self._waiting = act
            self.key_line.note(_("as soon as all are read"), "waiting")

    def _give_up(self) -> None:
        """Nothing waits any more."""
        if self._waiting is not None:
            self._waiting = None
            self.key_line.note("", "waiting")

    def _narrow(self, narrowing: Narrowing) -> None:
        self._give_up()
        self.triage.narrow(narrowing)
        self._draw(0)
        self._see_to_rest()

    def _see_to_rest(self) -> None:
        """Look on, a slice at a time, between which keys are heard; then do what waited for that."""
        if not self.triage.is_looked_at:
            if not self._looks_on:
                self._looks_on = True
                self.call_later(self._look_on)
        elif self.triage.is_whole and (act := self._waiting) is not None:
            self._give_up()
            act()

    def _look_on(self) -> None:
        if self.is_left:
            return
        self._looks_on = False
        self.triage.look_on()
        self._draw_more()
        self._see_to_rest()

    def _draw_more(self) -> None:
        """There may be more rows, below those that there were."""
        if self._list.count == 0:
            self._draw(0)
        else:
            self._list.set_count(len(self.triage.shown))
            self._tell()

    def _draw(self, at: int) -> None:
        """Other candidates are shown, with the cursor on this row. One that waits alone needs no list."""
        has_list = self.triage.count > 1 or self.triage.is_narrowed
        is_typing = has_list and self.focused is self._filter
        self._filter.display = is_typing or (has_list and bool(self._filter.value))
        self._list.display = has_list
        if not is_typing:
            self.set_focus(self._list if has_list else self.query_one(VerticalScroll))
        self._list.draw(at)
        for key in OF_MANY:
            self.key_line.rename(key.action, _(key.words) if has_list else "")
        self.look()

    def _tell(self) -> None:
        """Say how many there are, which of them are shown, and how many are marked."""
        marked, shown = len(self.triage.marked), len(self.triage.shown)
        so_far = str(shown) if self.triage.is_whole else f"{shown}{self._marks.ellipsis}"
        title = _("To review: {at} of {count}").format(at=min(self._list.cursor + 1, shown), count=so_far)
        words = [title, *narrowing_words(self.triage)] if self.triage.count else [_("Nothing waits for you.")]
        self.query_one("#inbox-title", SteadyText).say(literal(f" {self._marks.dot} ".join(words), "bold"))
        keys = self.key_line
        keys.rename("decide('accept')", _("accept {count}").format(count=marked) if marked else _("accept"))
        keys.rename("decide('reject')", _("reject {count}").format(count=marked) if marked else _("reject"))

    def _tell_marks(self) -> None:
        """Show other marks in the rows, and say how many there are."""
        self._list.refresh()
        self._tell()

    # What is decided

    def action_undo(self) -> None:
        """Take back the latest decision; of several kinds decided at once all of them."""
        operations, self._decided_last = self._decided_last, ()
        self._ask(taken_back(self._bridge.orca, operations), self._undone)

    def _undone(self, undone: Sequence[UndoOutcome]) -> None:
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
            if form is not None:
                self._ask(lambda: shown.edited(form), partial(self._decided, ref))

        if decision == "edit":
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
                self._ask(carried_out(self._bridge.orca, decision, marked), done)

        if len(marked) == 1:
            answered(True)
        else:
            self.app.push_screen(confirmation(decision, marked, self.triage.hidden), answered)

    # What is shown

    def _ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Ask Orca; what comes after the inbox was left is not told to it."""
        self._bridge.ask(work, lambda outcome: None if self.is_left else then(outcome), group=group)

    def _load(self) -> None:
        """Read what waits, page by page: the first ones are shown before the last ones are read."""
        self._coming = fresh = Triage(more_come=True)

        async def read() -> None:
            async with aclosing(self._bridge.orca.inbox.pages(A_PAGE)) as pages:
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
        self._draw(self.triage.drop(refs, self._list.cursor))

    def look(self) -> None:
        """Another candidate is under the cursor, or the same one is to be shown anew."""
        self._tell()
        self._wanted, waits = "", self._list.current
        if waits is not None:
            self._ask(partial(self._case, waits), partial(self._show, waits.ref), group="look case")
            return
        self._shown = None
        words = "" if self.triage.count else _("What Orca is not sure of will stand here.")
        self.query_one("#case", Static).update(literal(words))

    async def _case(self, waits: InboxItem) -> ToDecide:
        """What a decision needs; a person looks at it, so that the verifier is asked what it has not answered."""
        if waits.held_because == "unread":
            self._bridge.orca.worker.inbox_opened()
        return await self._kinds[waits.ref.kind].candidate(waits)

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
