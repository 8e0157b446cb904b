"""Episodes that the memory agent read out of a conversation: proposed, judged, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.learning import DroppedFact
from orca_core.model.memories import Fields, Origin, State
from orca_core.model.work.episodes import Episode
from orca_core.model.work.tasks import Outcome


class ProposedEpisode(Struct, frozen=True):
    """An episode as the memory agent gave it, within the rules of form; nothing says yet that it is true. `continues`
    is the number of an earlier episode of the session that it goes on with."""

    trigger: str
    target: str = ""
    steps: tuple[str, ...] = ()
    outcome: Outcome = Outcome.UNKNOWN
    outcome_quote: str = ""
    tags: tuple[str, ...] = ()
    continues: int | None = None


class EpisodeReading(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    episodes: tuple[ProposedEpisode, ...]
    dropped: tuple[DroppedFact, ...]


class JudgedEpisode(Struct, frozen=True):
    """What of a proposed episode is believed: `held` says why it waits for a person, None where it may live. The quote
    of its outcome is what was typed, or empty. `rounds` are those that it was read from, `left_out` what was not kept
    of it, each with the reason."""

    proposed: ProposedEpisode
    held: str | None = None
    rounds: tuple[int, ...] = ()
    left_out: tuple[DroppedFact, ...] = ()

    def without(self, *dropped: DroppedFact, **fields: Any) -> JudgedEpisode:
        """The episode with other fields, for what was left out of them."""
        return replace(self, proposed=replace(self.proposed, **fields), left_out=(*self.left_out, *dropped))


class SessionEpisode(Struct, frozen=True):
    """An episode that a session has already, and its fields that a person wrote, which no machine changes."""

    episode: Episode
    by_hand: Collection[str] = ()


class Telling(Struct, frozen=True):
    """What a run does to a session's episodes: those that it makes, and the fields of those that it changes."""

    made: tuple[Episode, ...] = ()
    changed: Mapping[int, Fields] | None = None
    dropped: tuple[DroppedFact, ...] = ()


SettleEpisodes = Callable[[Sequence[JudgedEpisode], Sequence[SessionEpisode], Origin, datetime], Telling]
"""Decides inside the transaction, on the session's episodes as they are (`rules.working.telling.settle`)."""

SettleUnverified = Callable[[JudgedEpisode, SessionEpisode], Fields]
"""Decides inside the transaction what changes in an episode that waited for the verifier
(`rules.working.telling.verified_since`)."""


class Told(Struct, frozen=True):
    """What a run changed, in one operation (None where nothing changed)."""

    made: tuple[Episode, ...] = ()
    changed: tuple[Episode, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    operation: int | None = None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Those that wait for a person."""
        return tuple(each.id for each in (*self.made, *self.changed) if each.state is State.CANDIDATE)
