"""What a person writes into an episode or into knowledge: checked fields, with the text that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, ChangeOne, Episode
from orca_core.model.errors import InvalidInput
from orca_core.model.knowledge import KNOWLEDGES, Knowledge, TargetRenamed
from orca_core.model.memories import Fields, State
from orca_core.model.records import Values
from orca_core.model.tasks import Outcome, Task
from orca_core.rules.memory.curation import checked_tags
from orca_core.rules.work import kept
from orca_core.rules.work.texts import episode_text, knowledge_text

MAX_TEXT_CHARS = 2000
MAX_TARGET_CHARS = 200
MAX_STEPS = 500
"""As much as a task may have, which becomes an episode."""
MAX_TOPIC_CHARS = 200
MAX_CONTENT_CHARS = 2000
MAX_POINTS = 20
"""A person may write more than the memory agent may; as much as a memory has. Chosen by hand."""


def edit_episode(
    *,
    trigger: str | None = None,
    target: str | None = None,
    steps: Sequence[str] | None = None,
    outcome: str | None = None,
    outcome_summary: str | None = None,
    tags: Sequence[str] | None = None,
) -> ChangeOne[Episode]:
    """The checked changes. Raises InvalidInput."""
    changes: dict[str, Any] = {}
    if trigger is not None:
        changes["trigger_summary"] = _full("trigger", trigger, MAX_TEXT_CHARS)
    if target is not None:
        changes["target"] = target_of(target)
    if steps is not None:
        changes["steps"] = _steps(steps)
    if outcome is not None:
        changes["outcome"] = kept.word(outcome, tuple(Outcome), what="outcome").value
    if outcome_summary is not None:
        changes["outcome_summary"] = kept.text(outcome_summary, what="outcome summary", most=MAX_TEXT_CHARS)
    if tags is not None:
        changes["tags"] = list(checked_tags(tags))
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda episode: with_text(episode, changes)


def with_text(episode: Episode, changes: Values) -> Fields:
    """The changes, with the text that an episode is found by then."""
    return {**changes, "text": text_of(EPISODES.changed(episode, changes))}


def made_anew(episode: Episode) -> Episode:
    """The episode with the text that follows from its fields."""
    return replace(episode, text=text_of(episode))


def text_of(episode: Episode) -> str:
    """What an episode is found by."""
    return episode_text(
        trigger=episode.trigger_summary,
        target=episode.target,
        steps=episode.steps,
        outcome=episode.outcome,
        tags=episode.tags,
        at=episode.created_at,
    )


def target_of(name: str) -> str:
    """The name of what was worked on, cleaned. Raises InvalidInput where it is too long."""
    return kept.text(name, what="target", most=MAX_TARGET_CHARS)


def edit_knowledge(
    *,
    topic: str | None = None,
    content: str | None = None,
    key_points: Sequence[str] | None = None,
    target: str | None = None,
) -> ChangeOne[Knowledge]:
    """The checked changes. Raises InvalidInput."""
    changes: dict[str, Any] = {}
    if topic is not None:
        changes["topic"] = _full("topic", topic, MAX_TOPIC_CHARS)
    if content is not None:
        changes["content"] = _full("content", content, MAX_CONTENT_CHARS)
    if key_points is not None:
        changes["key_points"] = _points(key_points)
    if target is not None:
        changes["target"] = target_of(target)
    if not changes:
        raise InvalidInput(template="nothing to change", hint="name at least one field")
    return lambda knowledge: _with_knowledge_text(knowledge, changes)


def new_name(target: str) -> str:
    """The name that a target gets. Raises InvalidInput."""
    return _full("target", target_of(target), MAX_TOPIC_CHARS)


def check_renamed(old: str, renamed: TargetRenamed) -> None:
    """Raises InvalidInput where nothing has the old name."""
    if renamed.operation is None:
        raise InvalidInput(
            template="no target is called {found}", hint="orca knowledge target list shows them", found=old
        )


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


def _steps(steps: Sequence[str]) -> list[str]:
    cleaned = [_full("step", step, MAX_TEXT_CHARS) for step in steps]
    if len(cleaned) > MAX_STEPS:
        raise InvalidInput(template="{found} steps, at most {most}", found=len(cleaned), most=MAX_STEPS)
    return cleaned


def _with_knowledge_text(knowledge: Knowledge, changes: Fields) -> Fields:
    then = KNOWLEDGES.changed(knowledge, changes)
    text = knowledge_text(topic=then.topic, content=then.content, key_points=then.key_points, target=then.target)
    return {**changes, "text": text, **({"held_because": None} if knowledge.state is State.LIVE else {})}


def _points(points: Sequence[str]) -> list[str]:
    if len(points) > MAX_POINTS:
        raise InvalidInput(template="{found} key points, at most {most}", found=len(points), most=MAX_POINTS)
    return [_full("key point", each, MAX_TOPIC_CHARS) for each in points]


def _full(name: str, given: str, most: int) -> str:
    """A text that may not be empty."""
    return kept.text(given, what=name, most=most, may_be_empty=False)
