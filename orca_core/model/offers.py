"""What an endpoint offers: the models that its server lists, and what of them is used."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from orca_core.model.errors import OrcaError


class Offer(Struct, frozen=True):
    """The models of one endpoint, in the order of their names; none, and a `failure`, where its server did not say.
    `used_for` names what each model of it is configured for, also one that is not listed."""

    provider: str
    models: tuple[str, ...] = ()
    used_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failure: OrcaError | None = None

    @property
    def unlisted(self) -> tuple[str, ...]:
        """What is configured and not listed."""
        return tuple(each for each in self.used_for if each not in self.models)
