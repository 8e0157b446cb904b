"""What an engine offers of work, in one hand."""

from __future__ import annotations

from dataclasses import dataclass

from orca_core.domain.work.knowledge import Knowledge
from orca_core.flows.working.candidates import EveryCandidate
from orca_core.flows.working.context import Context
from orca_core.flows.working.episodes import Episodes
from orca_core.flows.working.forgetting import Forgetting
from orca_core.flows.working.records import RecordActions
from orca_core.flows.working.tasks import Tasks


@dataclass(frozen=True, slots=True)
class Work:
    tasks: Tasks
    episodes: Episodes
    knowledge: RecordActions[Knowledge]
    context: Context
    candidates: EveryCandidate
    forgetting: Forgetting
