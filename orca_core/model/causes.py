"""The cause of a state, stored so that it can be shown in any language: a kind, sentences and their fields."""

from __future__ import annotations

from msgspec import Struct, field

STOPPED = "stopped"
"""The kind of a cause: somebody stopped it."""


class Cause(Struct, frozen=True):
    """What happened, and what can be done about it. The templates are message ids of the catalogue, as an error's
    are."""

    kind: str
    template: str
    hint_template: str = ""
    fields: dict[str, str | int | float] = field(default_factory=dict)

    def __str__(self) -> str:
        """What happened and what can be done about it, in English, as an error says it."""
        return f"{self.sentence} — {self.way_out}" if self.hint_template else self.sentence

    @property
    def sentence(self) -> str:
        """What happened, in English."""
        return self.template.format(**self.fields)

    @property
    def way_out(self) -> str:
        """What can be done about it, in English; empty where nothing can."""
        return self.hint_template.format(**self.fields)


def cause_of_sentence(sentence: str | None) -> Cause | None:
    """A cause with its sentence alone; None where there is no sentence."""
    return Cause("told", "{sentence}", fields={"sentence": sentence}) if sentence else None
