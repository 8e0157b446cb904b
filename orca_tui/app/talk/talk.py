"""The parts of the talk that its controllers share."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from orca_tui.app.state.chat import Founded
from orca_tui.app.talk.prompt import Prompt
from orca_tui.app.talk.transcript import Transcript
from orca_tui.app.talk.turns import Turns


class Talk(Struct, frozen=True):
    """What is said, where it is shown, where it is written; `welcome` is what an empty chat says."""

    turns: Turns
    transcript: Transcript
    prompt: Prompt
    welcome: Callable[[], str]

    @property
    def session_id(self) -> str | None:
        return self.turns.session_id

    @property
    def is_private(self) -> bool:
        return self.turns.is_private

    def found(self, session_id: str) -> None:
        """Give a new chat its name before its first message."""
        self.turns.happen(Founded(session_id))
