"""Puts together what programs hold that run an agent of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_core.engine.turns import recording_on
from orca_core.services.chat.recording import Messages
from orca_core.services.work.memory import AgentMemory
from orca_core.services.work.telling import Telling

if TYPE_CHECKING:
    from orca_core.orca import Orca


def agent_memory_on(engine: Orca) -> AgentMemory:
    work, feedback, changed = engine.work, engine.feedback, engine.changed
    stores, levels, clock, memory = engine.stores, engine.levels, engine.clock, engine.settings.memory
    messages = Messages(stores.dialogues, recording_on(engine), engine.worker, levels, changed, clock, memory)
    return AgentMemory(
        save_message=messages.save,
        telling=Telling(messages.save, stores.dialogues, stores.memories, changed, clock),
        tasks=work.tasks,
        context=work.context,
        memories=engine.memories,
        search=engine.search,
        pools=feedback.pools,
        episodes=work.episodes,
        knowledge=work.knowledge,
        forgetting=work.forgetting,
        consolidation=work.consolidation,
        tools=engine.tools,
        actions=feedback.actions,
        extraction=engine.extraction,
        acts=feedback.reading,
    )
