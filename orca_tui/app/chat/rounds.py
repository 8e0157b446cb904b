"""Actions on one round: copy, answer again, edit and send again, judge, show why, open what it was given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from gettext import gettext as _
from typing import Any

from orca_core.model.feedback import ActionType
from orca_core.model.recall import Receipt
from orca_core.model.record_types import Kind, Ref, plain_ref
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.chat_state import Edits, Question
from orca_tui.app.chat.chats import Chats
from orca_tui.app.chat.markdown_lines import code_blocks
from orca_tui.app.chat.opinions import Acting, Helping
from orca_tui.app.chat.transcript import ShownRound, TranscriptAction
from orca_tui.app.chat.turn_pane import as_content, why_lines
from orca_tui.app.chat.turns import Talk, untrusted_in
from orca_tui.app.records.kind import RecordKind
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice, Pick, TextView
from orca_tui.marks import Marks

NOT_HELPFUL_KEY = "ctrl+n"
_TURN = "turn"


class Cited:
    """One record is opened at once; of several it is asked which. `number` is the round that they belong to: without
    it nothing can be said of them."""

    def __init__(self, stage: Stage, kinds: Mapping[Kind, RecordKind[Any, Any]], judges: Helping, marks: Marks) -> None:
        self._stage = stage
        self._kinds = kinds
        self._judges = judges
        self._marks = marks

    def look_at(self, refs: Sequence[Ref], title: str, number: int | None = None) -> None:
        """Open what these name, as far as it is still there; of several it is asked under this title."""

        def choose(found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> None:
            if len(found) == 1:
                self._open(*next(iter(found.items())))
            else:
                self._offer(found, unhelpful, title, number)

        self._find(refs, number, choose)

    def judge(self, refs: Sequence[Ref], number: int) -> None:
        """Say of one of these that it did not help in this round, or take that back."""

        def choose(found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> None:
            by_name = {str(plain_ref(ref)): ref for ref in found}

            def chosen(name: str | None) -> None:
                if name is not None:
                    self._judges.turn(number, by_name[name], lambda: None)

            if len(found) == 1:
                chosen(next(iter(by_name)))
            else:
                hint = _("enter notes it, again takes it back · esc leaves it as it is")
                choices = self._choices(found, unhelpful)
                self._stage.push(Pick(_("What did not help?"), choices, hint=hint), chosen)

        self._find(refs, number, choose)

    def _find(
        self, refs: Sequence[Ref], number: int | None, choose: Callable[[Mapping[Ref, Any], Collection[Ref]], None]
    ) -> None:
        """Call `choose` with those that have a page and are there, and those of them that did not help; else say why
        there are none."""

        async def look() -> tuple[dict[Ref, Any], Collection[Ref]]:
            return await self._there(refs), () if number is None else await self._judges.unhelpful(number)

        def show(looked: tuple[dict[Ref, Any], Collection[Ref]]) -> None:
            if looked[0]:
                choose(*looked)
            elif any(ref.kind not in self._kinds for ref in refs):
                self._stage.note(_("what was put in has no page of its own: w shows it"))
            else:
                self._stage.note(_("what was put in is gone"))

        self._stage.ask(look, show, group="look memory")

    def _offer(self, found: Mapping[Ref, Any], unhelpful: Collection[Ref], title: str, number: int | None) -> None:
        """Of several it is asked which is opened, or did not help."""
        by_name = {str(plain_ref(ref)): ref for ref in found}

        def chosen(value: str | None) -> None:
            if value is None:
                return
            action, _colon, name = value.rpartition(":")
            ref = by_name[name]
            if action == _TURN and number is not None:
                self._judges.turn(number, ref, lambda: self.look_at(list(found), title, number))
            else:
                self._open(ref, found[ref])

        keys = {} if number is None else {NOT_HELPFUL_KEY: _TURN}
        hint = _("enter opens") if number is None else _("enter opens · ctrl+n not helpful · esc back")
        choices = self._choices(found, unhelpful)
        self._stage.push(Pick(title, choices, keys=keys, hint=hint), chosen)

    def _choices(self, found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> list[Choice]:
        judged = f"{self._marks.disliked} {_('not helpful')}"
        return [
            Choice(
                one_line(self._kinds[ref.kind].line(record), 80),
                str(plain_ref(ref)),
                f"#{plain_ref(ref)}" + (f"  {judged}" if ref in unhelpful else ""),
            )
            for ref, record in found.items()
        ]

    async def _there(self, refs: Sequence[Ref]) -> dict[Ref, Any]:
        found: dict[Ref, Any] = {}
        for ref in refs:
            kind = self._kinds.get(ref.kind)
            for view in await kind.views([ref.id]) if kind is not None else ():
                found[ref] = view.record
        return found

    def _open(self, ref: Ref, record: Any) -> None:
        self._kinds[ref.kind].open(record)


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
                self._stage.copy(said.answer or said.question)
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

    def act_on_turn(self, action: str) -> None:
        """What a key in the pane "This turn" asks for."""
        match action:
            case "open":
                self._open_shown()
            case "not_helpful":
                self._judge_shown()
            case "why":
                self.show_why(None)

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
            self._stage.ask(lambda: self._bridge.orca.sessions.receipt(session_id, number), show, group="look why")

    def _open_shown(self) -> None:
        """Open what stood before the model in this turn, put in or looked up; where nothing did, all that is known of
        why."""
        injection = self._talk.turns.state.turn.injection
        if injection is not None and injection.shown:
            self._cited.look_at([item.ref for item in injection.shown], _("What the model was given"), self._latest)
        else:
            self.show_why(None)

    def _judge_shown(self) -> None:
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

    def _copy_code(self, said: ShownRound) -> None:
        """The next code block of the message at each press."""
        blocks = code_blocks(said.answer or said.question)
        if not blocks:
            self._stage.note(_("no code in this message"))
            return
        at = (self._code_at[1] + 1) % len(blocks) if self._code_at[0] == said.number else 0
        self._code_at = (said.number, at)
        self._stage.copy(blocks[at])

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
