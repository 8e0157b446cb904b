"""What did not help in a round: said of a record that stood before the model, or taken back. Each is an act."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _

from orca_core.model.feedback import ActionType, naming
from orca_core.model.records import Ref, plain_ref
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.talk.talk import Talk
from orca_tui.language import N_
from orca_tui.words.act_words import why_no_act

DONE_WORDS = {
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
        marks = await self._bridge.engine.feedback.actions.marks(session_id)
        said = [each for each in marks if each.type is ActionType.NOT_HELPFUL and each.round == number]
        return frozenset(each.record for each in said if each.record is not None)

    def turn(self, number: int, ref: Ref, then: Callable[[], None]) -> None:
        """Say that the record did not help in the round, or take that back; then call `then`."""
        if self._is_written(number):
            self._stage.note(_("stop the answer first: esc"))
            return
        actions, session_id = self._bridge.engine.feedback.actions, self._talk.session_id

        async def turned() -> tuple[ActionType, str]:
            is_said = ref in await self.unhelpful(number)
            wanted = ActionType.CANCEL_NOT_HELPFUL if is_said else ActionType.NOT_HELPFUL
            why = why_no_act(wanted, is_private=self._talk.is_private, is_on=actions.is_on)
            if not why and session_id is not None:
                await actions.record(wanted.value, session_id, round=number, data=naming(ref))
            return wanted, why

        def say(done: tuple[ActionType, str]) -> None:
            wanted, why = done
            self._stage.note(why or _(DONE_WORDS[wanted]).format(id=plain_ref(ref)))
            if not why:
                self._stage.changed()
                then()

        self._stage.ask(turned, say)

    def _is_written(self, number: int) -> bool:
        """Whether the answer of the round is being written right now."""
        last = self._talk.transcript.last
        return self._talk.turns.is_answering and last is not None and last.said.number == number
