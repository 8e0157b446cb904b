"""All that is known for one question, in JSON."""

from __future__ import annotations

from orca_core.domain.work.contexts import Context, Message
from orca_core.wire.knowledge import knowledge_json
from orca_core.wire.memories import view_json
from orca_core.wire.receipts import parts_json
from orca_core.wire.tasks import task_json
from orca_core.wire.tools import guide_json
from orca_core.wire.values import Json, number, timestamp_json
from orca_core.wire.work import episode_json


def context_json(context: Context) -> Json:
    """What was found, nearest first, and all of it as one text."""
    return {
        "session_id": context.session_id,
        "messages": [message_json(each) for each in context.messages],
        "task": None if context.task is None else task_json(context.task),
        "memories": [
            {**view_json(hit.view), "score": number(hit.parts.total), "parts": parts_json(hit.parts)}
            for hit in context.memories
        ],
        "episodes": [episode_json(view) for view in context.episodes],
        "knowledge": [knowledge_json(view) for view in context.knowledge],
        "guides": [guide_json(view) for view in context.guides],
        "level": int(context.level),
        "rules": list(context.rules),
        "text": context.text,
    }


def message_json(message: Message) -> Json:
    """What somebody said, whole."""
    return {
        "role": message.role.value,
        "content": message.content,
        "round": message.round,
        "at": timestamp_json(message.at),
    }
