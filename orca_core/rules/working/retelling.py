"""What a record of work says once its target has another name."""

from __future__ import annotations

from orca_core.domain.memories import Fields
from orca_core.domain.work.episodes import Episode
from orca_core.domain.work.knowledge import Knowledge
from orca_core.domain.work.tasks import Task
from orca_core.rules.working.edits import with_text
from orca_core.rules.working.texts import knowledge_text


def retarget(record: Episode | Knowledge | Task, target: str) -> Fields:
    """Its target, with the text that it is found by then."""
    match record:
        case Episode():
            return with_text(record, {"target": target})
        case Knowledge():
            text = knowledge_text(
                topic=record.topic, content=record.content, key_points=record.key_points, target=target
            )
            return {"target": target, "text": text}
    return {"target": target}
