"""What a hand writes into a guide."""

from __future__ import annotations

from orca_core.model.episodes import ChangeOne
from orca_core.model.memories import Fields, State
from orca_core.model.tools import Guide
from orca_core.rules.work import kept


def edit(text: str) -> ChangeOne[Guide]:
    """The checked text, line by line. Raises InvalidInput."""
    lines = [kept.text(each, what="guide") for each in text.splitlines()]
    said = "\n".join(filter(None, lines))
    kept.text(said, what="guide", may_be_empty=False)

    def change(guide: Guide) -> Fields:
        return {"text": said, **({"held_because": None} if guide.state is State.LIVE else {})}

    return change
