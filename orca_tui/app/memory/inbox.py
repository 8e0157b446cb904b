"""The inbox: one candidate after another, with its quote, its reason and the memory nearest to it."""

from __future__ import annotations

import difflib
import re
from functools import partial
from gettext import gettext as _
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from orca_core.domain.journal import Undone
from orca_core.domain.memories import Memory
from orca_core.domain.views import Case
from orca_tui.app.bridge import Bridge
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.memory.edit_memory import EditMemory, MemoryForm
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.changes import undone_words
from orca_tui.words.deciding import held_words, nearest_words, quote_in_context, since_words
from orca_tui.words.memories import memory_line

_PIECE = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)

INBOX = (
    Key("inbox.next", "j,down", "move(1)", N_("next"), is_shown=True),
    Key("inbox.previous", "k,up", "move(-1)", N_("before")),
    Key("inbox.accept", "a", "decide('accept')", N_("accept"), is_shown=True),
    Key("inbox.edit", "e", "decide('edit')", N_("edit and accept"), is_shown=True),
    Key("inbox.merge", "m", "decide('merge')", N_("merge"), is_shown=True),
    Key("inbox.replace", "r", "decide('replace')", N_("replace the nearest"), is_shown=True),
    Key("inbox.reject", "x", "decide('reject')", N_("reject"), is_shown=True),
    Key("inbox.never", "n", "decide('never')", N_("never learn this"), is_shown=True),
    Key("inbox.undo", "u", "undo", N_("undo"), is_shown=True),
)


class InboxScreen(ModalScreen[None]):
    """Inbox: a accept, e edit, m merge, r replace, x reject, n never; the next one comes by itself."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        ("escape,q,f5", "dismiss(None)", ""),
        *bindings(INBOX),
    ]

    def __init__(self, bridge: Bridge, marks: Marks) -> None:
        super().__init__()
        self._bridge = bridge
        self._marks = marks
        self._candidates: list[Memory] = []
        self._at = 0
        self._case: Case | None = None

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

    def action_decide(self, decision: str) -> None:
        """Carry out the decision on exactly what is shown."""
        if self._case is None:
            return
        candidate, nearest = self._case.memory, self._case.nearest
        inbox = self._bridge.engine.inbox
        shown = {candidate.id: candidate.content}
        match decision:
            case "accept":
                self._bridge.ask(lambda: inbox.accept([candidate.id], shown), self._decided)
            case "edit":
                self.app.push_screen(EditMemory(f"#{candidate.id}", candidate), partial(self._edited, candidate))
            case "merge" if nearest is not None:
                self._bridge.ask(lambda: inbox.merge(nearest.id, [candidate.id]), self._decided)
            case "replace" if nearest is not None:
                self._bridge.ask(
                    lambda: inbox.accept_instead(candidate.id, nearest.id, candidate.content), self._decided
                )
            case "reject":
                self._bridge.ask(lambda: inbox.reject([candidate.id]), self._decided)
            case "never":
                self._bridge.ask(lambda: inbox.never([candidate.id]), self._decided)
            case _:
                self.query_one(KeyLine).note(_("there is no memory near it"))

    def _edited(self, candidate: Memory, form: MemoryForm | None) -> None:
        """Accept what was on the screen when the dialog opened, in the words of the form."""
        if form is None:
            return
        accept = self._bridge.engine.inbox.accept_edited
        self._bridge.ask(
            lambda: accept(
                candidate.id,
                candidate.content,
                content=form.content,
                type_word=form.type or None,
                tags=form.tags,
                cues=form.cues,
            ),
            self._decided,
        )

    def _decided(self, _outcome: object) -> None:
        self._load()

    def _load(self) -> None:
        self._bridge.ask(self._bridge.engine.inbox.inbox, self._loaded, group="look inbox")

    def _loaded(self, candidates: list[Memory]) -> None:
        self._candidates = candidates
        self._at = max(0, min(self._at, len(candidates) - 1))
        self._look()

    def _look(self) -> None:
        title = _("To review: {at} of {count}").format(at=self._at + 1, count=len(self._candidates))
        if not self._candidates:
            self._case = None
            self.query_one("#inbox-title", Static).update(literal(_("Nothing waits for you."), "bold"))
            self.query_one("#case", Static).update(literal(_("What Orca is not sure of will stand here.")))
            return
        self.query_one("#inbox-title", Static).update(literal(title, "bold"))
        candidate_id = self._candidates[self._at].id
        self._bridge.ask(lambda: self._bridge.engine.inbox.case(candidate_id), self._show, group="look case")

    def _show(self, case: Case) -> None:
        self._case = case
        self.query_one("#case", Static).update(case_content(case, self._marks))


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
