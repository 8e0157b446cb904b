"""The parts of the talk that its controllers share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from orca_tui.app.talk.prompt import Prompt
from orca_tui.app.talk.transcript import Transcript
from orca_tui.app.talk.turns import Turns


@dataclass(frozen=True, slots=True)
class Talk:
    """What is said, where it is shown, where it is written; `welcome` is what an empty chat says."""

    turns: Turns
    transcript: Transcript
    prompt: Prompt
    welcome: Callable[[], str]
