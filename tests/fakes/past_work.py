"""Episodes and knowledge for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.tasks import Outcome
from orca_core.rules.work.record_texts import episode_text, knowledge_text

AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
BY_HAND = OperationHeader(Actor.USER, "add", AT)


def an_episode(
    trigger: str = "nginx answers 502 after the deploy",
    *,
    target: str = "nginx gateway",
    steps: Sequence[str] = ("read the error log", "raised proxy_read_timeout to 120 s"),
    outcome: Outcome = Outcome.SUCCESS,
    **others: Any,
) -> Episode:
    """One that an add gives its number."""
    text = episode_text(trigger=trigger, target=target, steps=steps, outcome=outcome, at=AT)
    uid = others.pop("uid", f"e of {trigger}")
    return Episode(
        0, uid, text, trigger, AT, AT, AT, target=target, steps=tuple(steps), outcome=outcome, **others
    )  # fmt: skip


def some_knowledge(
    topic: str = "502 of the nginx gateway",
    *,
    content: str = "A deploy makes the upstream slow for a minute, nginx gives up first.",
    key_points: Sequence[str] = ("look at the upstream first", "proxy_read_timeout must outlast a deploy"),
    target: str = "nginx gateway",
    **others: Any,
) -> Knowledge:
    """Some that an add gives its number."""
    text = knowledge_text(topic=topic, content=content, key_points=key_points, target=target)
    uid = others.pop("uid", f"k of {topic}")
    return Knowledge(0, uid, text, topic, content, AT, AT, target=target, key_points=tuple(key_points), **others)
