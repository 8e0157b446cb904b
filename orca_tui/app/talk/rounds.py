"""Actions on one round: copy, answer again, edit and send again, judge, show why."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.feedback import ActionType
from orca_core.model.recall import Receipt
from orca_tui.app.bridge import Bridge
from orca_tui.app.records.cited import Cited
from orca_tui.app.stage import Stage
from orca_tui.app.state.chat import Edits, Question
from orca_tui.app.talk.acting import Acting
from orca_tui.app.talk.chats import Chats
from orca_tui.app.talk.light_markdown import code_blocks
from orca_tui.app.talk.messages import TranscriptAction
from orca_tui.app.talk.receipts import as_content, why_lines
from orca_tui.app.talk.shown_round import ShownRound
from orca_tui.app.talk.talk import Talk
from orca_tui.app.talk.turns import untrusted_in
from orca_tui.app.widgets.dialogs import TextView
from orca_tui.marks import Marks


class Rounds:
    """The keys on a message."""

    def __init__(
        self,
        stage: Stage,
        bridge: Bridge,
        talk: Talk,
        chats: Chats,
        acting: Acting,
        marks: Marks,
        cited: Cited,
    ) -> None:
        self._stage = stage
        self._bridge = bridge
        self._talk = talk
        self._chats = chats
        self._acting = acting
        self._marks = marks
        self._cited = cited
        self._code_at: tuple[int, int] = (0, 0)
        self._draft = ""

    async def act(self, action: TranscriptAction) -> None:
        """What a key on a message asks for."""
        said = action.said
        match action.action:
            case "copy":
                self._copied(said.answer or said.question)
            case "copy_code":
                self._copy_code(said)
            case "regenerate":
                await self._regenerate(said)
            case "edit":
                self._begin_editing(said)
            case "why":
                self.show_why(said.number)
            case "memories":
                self._show_memories(said)
            case "editor":
                self._acting.edit(said)
            case "like":
                self._acting.judge(said, ActionType.LIKE)
            case "dislike":
                self._acting.judge(said, ActionType.DISLIKE)

    def stop_editing(self) -> None:
        """Leave everything as it was, the draft too."""
        self._talk.turns.happen(Edits(None))
        self._talk.prompt.fill(self._draft)
        self._stage.redraw()

    async def send_edited(self, sent: Question) -> None:
        """Replace the last question; after an older one the chat is forked."""
        number = self._talk.turns.state.editing
        if self._talk.turns.is_answering:  # a waiting message was sent first
            self._talk.prompt.fill(sent.text)
            self._stage.note(_("stop the answer first: esc"))
            return
        self.stop_editing()
        if number is None:
            return
        if self._is_last(number):
            await self._talk.turns.again(number, sent.spans)
        else:
            self._chats.fork_before(number, sent)

    def show_why(self, number: int | None) -> None:
        """The receipt of a round, whole."""

        def show(receipt: Receipt) -> None:
            title = _("Why: round {number}").format(number=receipt.round)
            lines = why_lines(receipt, self._marks)
            self._stage.push(TextView(title, as_content(lines)))

        turns = self._talk.turns
        turn = turns.state.turn
        if turns.is_private and turn.injection is not None:
            show(Receipt("private", number or 0, turn.injection, turn.references))
        elif turns.session_id is None or not self._bridge.is_ready:
            self._stage.note(_("there is no turn yet"))
        else:
            session_id = turns.session_id
            self._stage.ask(lambda: self._bridge.engine.sessions.receipt(session_id, number), show, group="look why")

    def open_shown(self) -> None:
        """Open what stood before the model in this turn, put in or looked up; where nothing did, all that is known of
        why."""
        injection = self._talk.turns.state.turn.injection
        if injection is not None and injection.shown:
            self._cited.look_at([item.ref for item in injection.shown], _("What the model was given"), self._latest)
        else:
            self.show_why(None)

    def judge_shown(self) -> None:
        """Say of something that stood before the model in this turn that it did not help."""
        injection, number = self._talk.turns.state.turn.injection, self._latest
        if injection is not None and injection.shown and number is not None:
            self._cited.judge([item.ref for item in injection.shown], number)
        else:
            self._stage.note(_("nothing was put in"))

    def _show_memories(self, said: ShownRound) -> None:
        """What the answer names; where it names nothing, all that is known of why."""
        if said.cited:
            self._cited.look_at(said.cited, _("What this answer cites"), said.number)
        else:
            self.show_why(said.number)

    def _copied(self, text: str) -> None:
        self._stage.copy(text)

    def _copy_code(self, said: ShownRound) -> None:
        """The next code block of the message at each press."""
        blocks = code_blocks(said.answer or said.question)
        if not blocks:
            self._stage.note(_("no code in this message"))
            return
        at = (self._code_at[1] + 1) % len(blocks) if self._code_at[0] == said.number else 0
        self._code_at = (said.number, at)
        self._copied(blocks[at])

    async def _regenerate(self, said: ShownRound) -> None:
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
        elif self._is_last(said.number):
            await self._talk.turns.again(said.number)
        else:
            self._stage.note(_("only the last answer can be given again; e on an older one begins a fork"))

    def _begin_editing(self, said: ShownRound) -> None:
        """Put the question into the prompt and keep the draft that stood there."""
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        if self._talk.turns.state.editing is None:
            self._draft = self._talk.prompt.text
        self._talk.turns.happen(Edits(said.number))
        self._talk.prompt.fill(said.question, untrusted_in(said.spans))
        self._talk.prompt.focus()
        self._stage.redraw()

    def _is_last(self, number: int) -> bool:
        return self._latest == number

    @property
    def _latest(self) -> int | None:
        """The round that the pane "This turn" tells of."""
        last = self._talk.transcript.last
        return None if last is None else last.said.number
