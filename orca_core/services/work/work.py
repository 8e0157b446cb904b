"""What an Orca offers of work, in one hand."""

from __future__ import annotations

from msgspec import Struct

from orca_core.services.work.candidates import EveryCandidate
from orca_core.services.work.context import Context
from orca_core.services.work.episodes import Episodes
from orca_core.services.work.forgetting import Forgetting
from orca_core.services.work.knowledge import KnowledgeActions
from orca_core.services.work.tasks import Tasks


class Work(Struct, frozen=True):
    """Tasks, episodes, knowledge, and what is made of them."""

    tasks: Tasks
    episodes: Episodes
    context: Context
    candidates: EveryCandidate
    forgetting: Forgetting
    knowledge: KnowledgeActions
