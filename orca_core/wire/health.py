"""How a database and what stands around it are: the doctor's findings, and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orca_core.domain.diagnosis import Diagnosis, StoreHealth
from orca_core.domain.learning import Queue
from orca_core.domain.spending import Allowance, Spent
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


def stats_json(by_status: Mapping[str, int], by_type: Mapping[str, int], health: StoreHealth, queue: Queue) -> Json:
    """What is stored, and how large it is."""
    return {
        "status": dict(by_status),
        "type": dict(by_type),
        "queue": queue.rounds,
        "last_extraction": timestamp_json(queue.last_success),
        "sizes": {"bytes": health.bytes, **health.counts},
        "failing": queue.failing,
        "parked": queue.parked,
        "last_error": queue.last_error or None,
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
