"""The inbox: one candidate after another, whatever its kind, with all that a decision about it needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from gettext import gettext as _
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from orca_core.domain.journal import Undone
from orca_core.domain.refs import Kind
from orca_core.domain.work.waiting import Waits
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.records.candidates import CandidateKind, Place, ToDecide
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_
from orca_tui.words.changes import undone_words

INBOX = (
    Key("inbox.next", "j,down", "move(1)", N_("next"), is_shown=True),
    Key("inbox.previous", "k,up", "move(-1)", N_("before")),
    Key("inbox.accept", "a", "decide('accept')", N_("accept"), is_shown=True),
    Key("inbox.reject", "x", "decide('reject')", N_("reject"), is_shown=True),
    Key("inbox.edit", "e", "decide('edit')", N_("edit and accept"), is_shown=True),
    Key("inbox.undo", "u", "undo", N_("undo"), is_shown=True),
    Key("inbox.open", "o", "open_round", N_("open the round"), is_shown=True),
    Key("inbox.never", "n", "decide('never')", N_("never learn this"), is_shown=True),
    Key("inbox.merge", "m", "decide('merge')", N_("merge"), is_shown=True),
    Key("inbox.replace", "r", "decide('replace')", N_("replace the nearest"), is_shown=True),
)
OF_SOME = tuple(key for key in INBOX if key.id in ("inbox.never", "inbox.merge", "inbox.replace"))
"""Decisions that not every candidate allows: their keys are named where they count."""


class InboxScreen(ModalScreen[Place | None]):
    """Inbox: a accept, e edit, m merge, r replace, x reject, n never; the next one comes by itself. It ends with the
    round that is to be opened, None where none is."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        ("escape,q,f5", "dismiss(None)", ""),
        *bindings(INBOX),
    ]

    def __init__(self, bridge: Bridge, kinds: Mapping[Kind, CandidateKind]) -> None:
        super().__init__()
        self._bridge = bridge
        self._kinds = kinds
        self._candidates: list[Waits] = []
        self._at = 0
        self._shown: ToDecide | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="reader"):
            yield Static("", id="inbox-title", classes="reader-title")
            with VerticalScroll(classes="reader-body"):
                yield Static("", id="case")
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._load()

    def action_move(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self._candidates) - 1))
        self._look()

    def action_undo(self) -> None:
        self._bridge.ask(self._bridge.engine.history.undo, self._undone)

    def _undone(self, undone: Undone) -> None:
        self.query_one(KeyLine).note(undone_words(undone))
        self._load()

    def action_open_round(self) -> None:
        """Leave for a round that the candidate rests on; of several one is chosen."""
        places = self._shown.places if self._shown is not None else ()
        if len(places) == 1:
            self.dismiss(places[0])
        elif places:
            choices = [Choice(each.words, str(number)) for number, each in enumerate(places)]

            def chosen(at: str | None) -> None:
                if at is not None:
                    self.dismiss(places[int(at)])

            self.app.push_screen(Pick(_("What speaks for it"), choices, hint=_("enter goes to the chat")), chosen)
        else:
            self.query_one(KeyLine).note(_("no round speaks for it"))

    def action_decide(self, decision: str) -> None:
        """Carry out the decision on exactly what is shown."""
        shown = self._shown
        if shown is None:
            return
        if decision == "edit" and shown.form is not None:
            self.app.push_screen(shown.form(), partial(self._edited, shown))
        elif decision in shown.decisions:
            self._bridge.ask(shown.decisions[decision], self._decided)
        else:
            self.query_one(KeyLine).note(shown.otherwise)

    def _edited(self, shown: ToDecide, form: Any) -> None:
        """Accept what was on the screen when the dialog opened, in the words of the form."""
        if form is not None and (accept := shown.edited) is not None:
            self._bridge.ask(lambda: accept(form), self._decided)

    def _decided(self, _outcome: object) -> None:
        self._load()

    def _load(self) -> None:
        self._bridge.ask(self._bridge.engine.work.candidates.waits, self._loaded, group="look inbox")

    def _loaded(self, candidates: list[Waits]) -> None:
        self._candidates = [each for each in candidates if each.ref.kind in self._kinds]
        self._at = max(0, min(self._at, len(self._candidates) - 1))
        self._look()

    def _look(self) -> None:
        title = _("To review: {at} of {count}").format(at=self._at + 1, count=len(self._candidates))
        if not self._candidates:
            self._shown = None
            self.query_one("#inbox-title", Static).update(literal(_("Nothing waits for you."), "bold"))
            self.query_one("#case", Static).update(literal(_("What Orca is not sure of will stand here.")))
            return
        self.query_one("#inbox-title", Static).update(literal(title, "bold"))
        waits = self._candidates[self._at]
        self._bridge.ask(lambda: self._kinds[waits.ref.kind].look(waits), self._show, group="look case")

    def _show(self, shown: ToDecide) -> None:
        self._shown = shown
        for key in OF_SOME:
            decision = key.action.split("'")[1]
            self.query_one(KeyLine).rename(key.action, _(key.words) if decision in shown.decisions else "")
        self.query_one(KeyLine).rename("open_round", _("open the round") if shown.places else "")
        self.query_one("#case", Static).update(shown.content)
