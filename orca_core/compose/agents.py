"""Puts together what programs hold that run an agent of their own."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.ground import Ground
from orca_core.compose.turns import recording_on
from orca_core.flows.growing.growth import Growth
from orca_core.flows.jobs.extraction import ExtractionJob
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.keeping.memories import Memories
from orca_core.flows.turn.messages import Messages
from orca_core.flows.working.memory import AgentMemory
from orca_core.flows.working.telling import Telling
from orca_core.flows.working.work import Work


def agent_memory_on(
    ground: Ground,
    worker: Worker,
    work: Work,
    memories: Memories,
    growth: Growth,
    extraction: ExtractionJob,
    changed: Callable[[], None],
) -> AgentMemory:
    stores, levels, clock, memory = ground.stores, ground.levels, ground.clock, ground.settings.memory
    messages = Messages(stores.dialogues, recording_on(ground), worker, levels, changed, clock, memory)
    return AgentMemory(
        save_message=messages.save,
        telling=Telling(messages.save, stores.dialogues, stores.memories, changed, clock),
        tasks=work.tasks,
        context=work.context,
        memories=memories,
        search=ground.search,
        pools=growth.pools,
        episodes=work.episodes,
        knowledge=work.knowledge,
        forgetting=work.forgetting,
        consolidation=work.consolidation,
        tools=growth.tools,
        actions=growth.actions,
        extraction=extraction,
        acts=growth.reading,
    )
