"""What the user thinks of answers, chats and what did not help: each is an act."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from gettext import gettext as _
from typing import Any

from orca_core.model.feedback import ActionType, naming
from orca_core.model.record_types import Ref, plain_ref
from orca_core.model.sessions import Session
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.markdown_lines import code_blocks
from orca_tui.app.chat.transcript import ShownRound
from orca_tui.app.chat.turns import Talk
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.language import N_, counted
from orca_tui.words.feedback_words import why_no_act

BLOCK_CHARS = 60
TAKEN_BACK_BY = {
    ActionType.LIKE: ActionType.CANCEL_LIKE,
    ActionType.DISLIKE: ActionType.CANCEL_DISLIKE,
    ActionType.COLLECT_SESSION: ActionType.UNCOLLECT_SESSION,
}
DONE_WORDS = {
    ActionType.LIKE: N_("noted that you like it · again takes it back"),
    ActionType.DISLIKE: N_("noted that you do not like it · again takes it back"),
    ActionType.CANCEL_LIKE: N_("no longer liked"),
    ActionType.CANCEL_DISLIKE: N_("no longer disliked"),
    ActionType.COLLECT_SESSION: N_("this chat has a star · again takes it away"),
    ActionType.UNCOLLECT_SESSION: N_("this chat has no star any more"),
}


class Acting:
    """The acts on what was said. None is kept in private, and none where acts are switched off."""

    def __init__(self, stage: Stage, bridge: Bridge, talk: Talk) -> None:
        self._stage = stage
        self._bridge = bridge
        self._talk = talk

    def judge(self, said: ShownRound | None, opinion: ActionType) -> None:
        """Like or dislike an answer; again takes it back, the other one turns it."""
        if said is None or not said.answer:
            self._stage.note(_("there is no answer yet"))
        elif self._is_written(said):
            self._stage.note(_("stop the answer first: esc"))
        else:
            wanted = TAKEN_BACK_BY[opinion] if said.opinion is opinion else opinion
            self._record(wanted, _(DONE_WORDS[wanted]), round=said.number)

    def star(self) -> None:
        """Give this chat a star, or take it away."""
        session_id = self._talk.session_id
        if session_id is None:
            self._stage.note(_("this chat has no name yet: it begins with your first message"))
        else:
            self.star_chat(session_id)

    def star_chat(self, session_id: str, then: Callable[[], None] = lambda: None) -> None:
        if not self._bridge.is_ready:
            return
        actions = self._bridge.orca.feedback.actions

        async def turn() -> tuple[ActionType, str]:
            stars = {each.type for each in await actions.marks(session_id)}
            collected = ActionType.COLLECT_SESSION
            wanted = TAKEN_BACK_BY[collected] if collected in stars else collected
            why = self._why_not(wanted)
            if not why:
                await actions.record(wanted.value, session_id)
            return wanted, why

        def turned(done: tuple[ActionType, str]) -> None:
            wanted, why = done
            self._stage.note(why or _(DONE_WORDS[wanted]))
            if not why:
                self._stage.changed(anew=True)
                then()

        self._stage.ask(turn, turned)

    async def with_stars(self, limit: int) -> tuple[list[Session], frozenset[str]]:
        """The latest chats, and which have a star. Raises StorageError."""
        orca = self._bridge.orca
        stars = await orca.feedback.actions.page(type_words=(ActionType.COLLECT_SESSION.value,), standing=True)
        return await orca.sessions.list(limit), frozenset(each.session_id for each in stars.records)

    def edit(self, said: ShownRound) -> None:
        """Open a message in the user's editor: the whole of it, or one of its code blocks."""
        text = said.answer or said.question
        blocks = code_blocks(text)
        if self._is_written(said):
            self._stage.note(_("stop the answer first: esc"))
        elif not blocks:
            self._edit(said, text)
        else:
            parts = [text, *blocks]
            hint = _("enter opens it in your editor · esc back")
            picked = Pick(_("What is to be edited?"), part_choices(blocks), hint=hint)
            self._stage.push(picked, lambda number: None if number is None else self._edit(said, parts[int(number)]))

    def _edit(self, said: ShownRound, before: str) -> None:
        """What was changed is copied, and noted where it was an answer; what the model said stays as it was said."""
        left = self._stage.edit(before)
        after = left if left is None or before.endswith("\n") else left.removesuffix("\n")
        if after is None or after.split() == before.split():
            return
        copied = self._stage.copy(after)
        if said.answer and not self._why_not(ActionType.EDIT_FILE):
            data = {"previous": before, "current": after}
            words = _("{copied} · noted what you changed").format(copied=copied)
            self._record(ActionType.EDIT_FILE, words, round=said.number, data=data)

    def _record(self, kind: ActionType, words: str, *, round: int, data: Mapping[str, Any] | None = None) -> None:
        session_id = self._talk.session_id
        why = self._why_not(kind)
        if why or session_id is None:
            self._stage.note(why or _("there is no answer yet"))
            return
        record = self._bridge.orca.feedback.actions.record

        def recorded() -> Awaitable[object]:
            return record(kind.value, session_id, round=round, data=data)

        def done(_recorded: object) -> None:
            self._stage.note(words)
            self._stage.changed()

        self._stage.ask(recorded, done)

    def _why_not(self, kind: ActionType) -> str:
        """Why no such act is recorded now; empty where it is."""
        if not self._bridge.is_ready:
            return _("there is no answer yet")
        is_on = self._bridge.orca.feedback.actions.is_on
        return why_no_act(kind, is_private=self._talk.is_private, is_on=is_on)

    def _is_written(self, said: ShownRound) -> bool:
        """Whether the answer is being written right now."""
        last = self._talk.transcript.last
        return self._talk.turns.is_answering and last is not None and last.said is said


def part_choices(blocks: Sequence[str]) -> list[Choice]:
    """The whole message, and each of its code blocks, by its first line."""
    whole = Choice(_("the whole message"), "0")
    return [
        whole,
        *(
            Choice(
                _("code {number}: {beginning}").format(number=number, beginning=one_line(block, BLOCK_CHARS)),
                str(number),
                counted("{count} line", "{count} lines", len(block.splitlines())),
            )
            for number, block in enumerate(blocks, start=1)
        ),
    ]


HELP_WORDS = {
    ActionType.NOT_HELPFUL: N_("noted that #{id} did not help · again takes it back"),
    ActionType.CANCEL_NOT_HELPFUL: N_("#{id}: no longer noted as not helpful"),
}


class Helping:
    """The acts on what the rounds of this chat were given. None is kept in private, and none where acts are off."""

    def __init__(self, stage: Stage, bridge: Bridge, talk: Talk) -> None:
        self._stage = stage
        self._bridge = bridge
        self._talk = talk

    async def unhelpful(self, number: int) -> frozenset[Ref]:
        """The records of a round that did not help. Raises StorageError."""
        session_id = self._talk.session_id
        if session_id is None:
            return frozenset()
        marks = await self._bridge.orca.feedback.actions.marks(session_id)
        said = [each for each in marks if each.type is ActionType.NOT_HELPFUL and each.round == number]
        return frozenset(each.record for each in said if each.record is not None)

    def turn(self, number: int, ref: Ref, then: Callable[[], None]) -> None:
        """Say that the record did not help in the round, or take that back; then call `then`."""
        if self._is_written(number):
            self._stage.note(_("stop the answer first: esc"))
            return
        actions, session_id = self._bridge.orca.feedback.actions, self._talk.session_id

        async def turned() -> tuple[ActionType, str]:
            is_said = ref in await self.unhelpful(number)
            wanted = ActionType.CANCEL_NOT_HELPFUL if is_said else ActionType.NOT_HELPFUL
            why = why_no_act(wanted, is_private=self._talk.is_private, is_on=actions.is_on)
            if not why and session_id is not None:
                await actions.record(wanted.value, session_id, round=number, data=naming(ref))
            return wanted, why

        def say(done: tuple[ActionType, str]) -> None:
            wanted, why = done
            self._stage.note(why or _(HELP_WORDS[wanted]).format(id=plain_ref(ref)))
            if not why:
                self._stage.changed()
                then()

        self._stage.ask(turned, say)

    def _is_written(self, number: int) -> bool:
        """Whether the answer of the round is being written right now."""
        last = self._talk.transcript.last
        return self._talk.turns.is_answering and last is not None and last.said.number == number
