"""The history of the prompt: recalled with the up key, or searched."""

from __future__ import annotations

from gettext import gettext as _

from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.talk.prompt import MAX_HISTORY, Prompt
from orca_tui.app.widgets.dialogs import Choice, Pick


class Prompts:
    """The history of one prompt."""

    def __init__(self, stage: Stage, bridge: Bridge, prompt: Prompt) -> None:
        self._stage = stage
        self._bridge = bridge
        self._prompt = prompt

    def recall(self) -> None:
        """What was sent in earlier sittings comes back with the up key."""
        if not self._prompt.past:
            sessions = self._bridge.engine.sessions
            self._stage.ask(lambda: sessions.questions(MAX_HISTORY), self._prompt.remember, group="look past")

    def search(self) -> None:
        """Choose one of the messages that were sent before."""
        past = [Choice(text.replace("\n", " "), text) for text in reversed(self._prompt.past)]

        def chosen(text: str | None) -> None:
            if text is not None:
                self._prompt.fill(text)

        self._stage.push(Pick(_("What you sent"), past), chosen)

    def edit(self) -> None:
        """Go on writing in the user's editor."""
        text = self._stage.edit(self._prompt.text)
        if text is not None:
            self._prompt.fill(text.rstrip("\n"))
