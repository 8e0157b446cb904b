"""How a database and what stands around it are: the doctor's findings, and figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from orca_core.domain.diagnosis import Check, Diagnosis, Evidence
from orca_core.domain.errors import OrcaError
from orca_core.domain.learning import Queue
from orca_core.domain.offers import Offer
from orca_core.domain.refs import MEMORY
from orca_core.domain.spending import Allowance, Spent
from orca_core.domain.views import Stats
from orca_core.wire.outcomes import error_json
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, timestamp_json


def diagnosis_json(diagnosis: Diagnosis) -> Json:
    """What the doctor found."""
    return {
        "level": int(diagnosis.level),
        "checks": [_check_json(check) for check in diagnosis.checks],
        "repairs": [
            {"name": each.name, "state": each.state, "detail": each.detail, "operation": each.operation}
            for each in diagnosis.repairs
        ],
        "left": list(diagnosis.left),
    }


def _check_json(check: Check) -> Json:
    return {
        "name": check.name,
        "state": check.state,
        "detail": check.detail,
        "fix": check.fix,
        "evidence": [_evidence_json(each) for each in check.evidence],
        "more": check.more,
    }


def _evidence_json(evidence: Evidence) -> Json:
    return {
        "id": None if evidence.ref is None else ref_json(evidence.ref),
        "text": evidence.text,
        "what": evidence.what or None,
        "command": evidence.command or None,
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


def offers_json(offers: Sequence[Offer], sentences: Callable[[OrcaError], tuple[str, str]]) -> Json:
    """What endpoints offer; `sentences` says why one did not, and what can be done about it."""
    return {"endpoints": [_offer_json(offer, sentences) for offer in offers]}


def _offer_json(offer: Offer, sentences: Callable[[OrcaError], tuple[str, str]]) -> Json:
    failure = offer.failure
    return {
        "provider": offer.provider,
        "models": [{"id": model, "used_for": list(offer.used_for.get(model, ()))} for model in offer.models],
        "unlisted": [{"id": model, "used_for": list(offer.used_for[model])} for model in offer.unlisted],
        "error": None if failure is None else error_json(failure.kind, *sentences(failure))["error"],
    }
