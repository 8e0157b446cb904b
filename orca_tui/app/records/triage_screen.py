"""A list of candidates that is narrowed and marked by keys, and beside it room for the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from orca_core.model.records import Ref
from orca_tui.app.records.candidates import Place
from orca_tui.app.records.inbox_keys import OF_MANY
from orca_tui.app.records.inbox_list import InboxList, narrowing_words
from orca_tui.app.records.triage import EVERYTHING, Narrowing, Triage, program_of, type_of
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.literal import literal
from orca_tui.app.widgets.steady_text import SteadyText
from orca_tui.marks import Marks


class TriageScreen(ModalScreen[Place | None]):
    """What is under the cursor is shown by `look`, which subclasses carry out."""

    HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (100, "-beside")]  # noqa: RUF012  # Textual's way

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self.key_line = KeyLine()
        self._marks = marks
        self._waiting: Callable[[], object] | None = None
        """What is done as soon as all came and were looked at: the latest that was asked."""
        self._looks_on = False
        self._list = InboxList(marks, self._moved)
        self._filter = Input(
            placeholder=_("filter"), id="inbox-filter", classes="filter", compact=True, select_on_focus=False
        )

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

    def on_mount(self) -> None:
        self._filter.display = self._list.display = False
        self.query_one(VerticalScroll).focus()

    def look(self) -> None:
        """Another candidate is under the cursor, or the same one is to be shown anew."""
        self._tell()

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

    def _drop(self, refs: Sequence[Ref]) -> None:
        self._draw(self.triage.drop(refs, self._list.cursor))

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
