"""Why something is as it is, kept so that it can be said again, in any language: a kind, sentences and their fields."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cause:
    """What happened, and what can be done about it. The templates are sentences of the catalogue, as an error's are."""

    kind: str
    template: str
    hint_template: str = ""
    fields: dict[str, str | int | float] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What happened, in English."""
        return self.template.format(**self.fields)

    @property
    def way_out(self) -> str:
        """What can be done about it, in English; empty where nothing can."""
        return self.hint_template.format(**self.fields)
