"""How a database and what stands around it are: the doctor's findings, and figures."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.diagnosis import Diagnosis, StoreHealth
from orca_core.domain.learning import Queue
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
