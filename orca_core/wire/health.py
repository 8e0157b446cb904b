"""How a database and what stands around it are: the doctor's findings, and figures."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.diagnosis import Diagnosis
from orca_core.domain.learning import Queue
from orca_core.domain.refs import MEMORY
from orca_core.domain.spending import Allowance, Spent
from orca_core.domain.views import Stats
from orca_core.wire.values import Json, timestamp_json


def diagnosis_json(diagnosis: Diagnosis) -> Json:
    """What the doctor found."""
    return {
        "level": int(diagnosis.level),
        "checks": [
            {"name": check.name, "state": check.state, "detail": check.detail, "fix": check.fix}
            for check in diagnosis.checks
        ],
    }


def stats_json(stats: Stats, queue: Queue) -> Json:
    """What is stored, and how large it is; `kinds` counts memories, tasks, episodes and knowledge by status,
    acts and supports by state."""
    health = stats.health
    return {
        "status": dict(stats.by_status),
        "type": dict(stats.by_type),
        "queue": queue.rounds,
        "last_extraction": timestamp_json(queue.last_success),
        "sizes": {"bytes": health.bytes, **health.counts},
        "failing": queue.failing,
        "parked": queue.parked,
        "last_error": queue.last_error or None,
        "kinds": {MEMORY.name: dict(stats.by_status), **stats.of_work},
    }


def cost_json(today: Allowance, spent: Sequence[Spent]) -> Json:
    """What the memory agent's calls used: today, of how much, and by day, job and model."""
    return {
        "today": {"tokens": today.used, "limit": today.limit or None, "rests_until": timestamp_json(today.rests_until)},
        "days": [
            {
                "day": each.day,
                "job": each.job,
                "model": each.model,
                "calls": each.calls,
                "prompt_tokens": each.prompt_tokens,
                "completion_tokens": each.completion_tokens,
                "estimated": each.estimated,
                "cost": each.cost.amount if each.cost else None,
                "currency": each.cost.currency if each.cost else None,
            }
            for each in spent
        ],
    }
