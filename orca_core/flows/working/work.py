"""What an engine offers of work, in one hand."""

from __future__ import annotations

from msgspec import Struct

from orca_core.flows.pipelines.episodes import EpisodePipeline
from orca_core.flows.pipelines.knowledge import KnowledgePipeline
from orca_core.flows.working.candidates import EveryCandidate
from orca_core.flows.working.context import Context
from orca_core.flows.working.episodes import Episodes
from orca_core.flows.working.forgetting import Forgetting
from orca_core.flows.working.knowledge import KnowledgeActions
from orca_core.flows.working.tasks import Tasks


class Work(Struct, frozen=True):
    tasks: Tasks
    episodes: Episodes
    chats: EpisodePipeline
    context: Context
    candidates: EveryCandidate
    forgetting: Forgetting
    knowledge: KnowledgeActions
    consolidation: KnowledgePipeline
