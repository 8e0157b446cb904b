"""What becomes of a memory's cues: written by a hand or a machine, and when the memory changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.domain.memories import CuesBy, Decide, Fields, Memory, State
from orca_core.rules.text.cues import MAX_CUES, checked_cues, fitting_cues


def edited(memory: Memory, content: str | None, cues: Sequence[str] | None, further: Sequence[str]) -> Fields:
    """What a hand's edit does to them; `content` is the new one, if any. Those of a machine belong to the words for
    which they were written: it writes others for new ones. Raises InvalidInput for a cue that can be none."""
    if cues is not None or further:
        given = [*(memory.cues if cues is None else cues), *further]
        return _fields(checked_cues(given, content or memory.content), CuesBy.USER)
    is_reworded = content is not None and content != memory.content
    return _fields((), None) if is_reworded and memory.cues_by is CuesBy.AGENT else {}


def merged(memories: Sequence[Memory]) -> Fields:
    """Those of several memories that become one, the first's first."""
    by = {memory.cues_by for memory in memories}
    all_cues = dict.fromkeys(cue for memory in memories for cue in memory.cues)
    writer = CuesBy.USER if CuesBy.USER in by else CuesBy.AGENT if all_cues else memories[0].cues_by
    return _fields(tuple(all_cues)[:MAX_CUES], writer)


def cued(proposed: Mapping[int, Sequence[object]], shown: Mapping[int, str]) -> Decide:
    """Memories get the cues that a machine proposes, by their numbers; one of which it says nothing has none. Only
    those that still live, say what was `shown`, and have none yet."""

    def decide(memories: Sequence[Memory]) -> Mapping[int, Fields]:
        return {
            memory.id: _fields(fitting_cues(proposed.get(memory.id, ()), memory.content)[0], CuesBy.AGENT)
            for memory in memories
            if memory.state is State.LIVE and memory.cues_by is None and memory.content == shown[memory.id]
        }

    return decide


def _fields(cues: Sequence[str], by: CuesBy | None) -> dict[str, Any]:
    return {"cues": list(cues), "cues_by": by and by.value}
