"""What a hand writes into knowledge: checked fields, with the text that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import Fields, State
from orca_core.domain.work.consolidating import TargetRenamed
from orca_core.domain.work.knowledge import KNOWLEDGES, Knowledge
from orca_core.domain.work.records import ChangeOne
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.working.edits import target_of
from orca_core.rules.working.texts import knowledge_text

MAX_TOPIC_CHARS = 200
MAX_CONTENT_CHARS = 2000
MAX_POINTS = 20
"""A person may write more than the memory agent may; as much as a memory has. Chosen by hand."""


def edit(
    *,
    topic: str | None = None,
    content: str | None = None,
    key_points: Sequence[str] | None = None,
    target: str | None = None,
) -> ChangeOne[Knowledge]:
    """The checked changes. Raises InvalidInput."""
    changes: dict[str, Any] = {}
    if topic is not None:
        changes["topic"] = _text("topic", topic, MAX_TOPIC_CHARS)
    if content is not None:
        changes["content"] = _text("content", content, MAX_CONTENT_CHARS)
    if key_points is not None:
        changes["key_points"] = _points(key_points)
    if target is not None:
        changes["target"] = target_of(target)
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda knowledge: _with_text(knowledge, changes)


def new_name(target: str) -> str:
    """The name that a target gets. Raises InvalidInput."""
    return _text("target", target_of(target), MAX_TOPIC_CHARS)


def check_renamed(old: str, renamed: TargetRenamed) -> None:
    """Raises InvalidInput where nothing has the old name."""
    if renamed.operation is None:
        raise InvalidInput(
            template="no target is called {found}", hint="orca knowledge target list shows them", found=old
        )


def _with_text(knowledge: Knowledge, changes: Fields) -> Fields:
    then = KNOWLEDGES.changed(knowledge, changes)
    text = knowledge_text(topic=then.topic, content=then.content, key_points=then.key_points, target=then.target)
    return {**changes, "text": text, **({"held_because": None} if knowledge.state is State.LIVE else {})}


def _points(points: Sequence[str]) -> list[str]:
    if len(points) > MAX_POINTS:
        raise InvalidInput(template="{found} key points, at most {most}", found=len(points), most=MAX_POINTS)
    return [_text("key point", each, MAX_TOPIC_CHARS) for each in points]


def _text(name: str, given: str, most: int) -> str:
    cleaned = clean_memory(given)
    if not cleaned:
        raise InvalidInput(template="the {name} is empty", hint="say it in a few words", name=name)
    if len(cleaned) > most:
        raise InvalidInput(
            template="{name}: {found} characters, at most {most}",
            hint="shorten it",
            name=name,
            found=len(cleaned),
            most=most,
        )
    return cleaned
