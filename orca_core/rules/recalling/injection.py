"""Which memories a turn may get: decided from its text alone, without a model and without looking into the store."""

from __future__ import annotations

from dataclasses import dataclass

from orca_core.domain.recall import Level
from orca_core.rules.asking.recall_questions import recall_question
from orca_core.rules.asking.topics import technical_signs
from orca_core.rules.recalling.floors import Floor
from orca_core.settings import MemorySettings

HEAVIEST_COUNT = 10
"""How many memories answer a question such as "what do you know about me?". Chosen by hand."""
RECALL_COUNT = 5
"""How many relevant memories answer a recall question with a topic, at least. Chosen by hand; the budget bounds it."""


@dataclass(frozen=True, slots=True)
class RecallPlan:
    """What to look for. `rules` are the rules that fired; `reason` is what a relevant long-term memory enters with."""

    rules: tuple[str, ...]
    reason: str = ""
    short_count: int = 0
    long_count: int = 0
    heaviest_count: int = 0
    standing: bool = False
    pinned: bool = False
    floor: Floor = Floor.STRICT

    @property
    def is_pinned_only(self) -> bool:
        return self.pinned and not (self.short_count or self.long_count or self.heaviest_count)

    @property
    def looks_at_anything(self) -> bool:
        return self.pinned or bool(self.short_count or self.long_count or self.heaviest_count)


def plan(text: str, *, first_round: bool, level: Level, memory: MemorySettings) -> RecallPlan:
    """The rules of injection, in their order; the first that speaks decides."""
    if level is Level.NONE:
        return RecallPlan(rules=("disabled",))
    wanted = _wanted(text, first_round=first_round, memory=memory)
    return _without_long_term(wanted) if level is Level.SHORT_TERM_ONLY else wanted


def _wanted(text: str, *, first_round: bool, memory: MemorySettings) -> RecallPlan:
    inject = memory.inject
    question = recall_question(text) if inject.recall_trigger else None
    if question is not None:
        return _recall_plan(question.topic, memory)
    if first_round and inject.first_round_empty:
        return RecallPlan(rules=("first_round",), pinned=inject.pinned_first)
    length = len(text.encode("utf-8", "replace"))
    if length < inject.min_query_length:
        return RecallPlan(rules=(f"too_short: {length} < {inject.min_query_length}",))
    reason = _long_term_reason(text, memory)
    return RecallPlan(
        rules=(reason,) if reason else ("short_term",),
        reason=reason,
        short_count=inject.short_term_count,
        long_count=memory.long_term.max_return if reason else 0,
        standing=bool(reason),
        pinned=True,
    )


def _recall_plan(has_topic: bool, memory: MemorySettings) -> RecallPlan:
    if not has_topic:
        return RecallPlan(rules=("recall",), reason="recall", heaviest_count=HEAVIEST_COUNT, pinned=True)
    return RecallPlan(
        rules=("recall",),
        reason="recall",
        short_count=memory.inject.short_term_count,
        long_count=max(memory.long_term.max_return, RECALL_COUNT),
        pinned=True,
        floor=Floor.ASKED,
    )


def _long_term_reason(text: str, memory: MemorySettings) -> str:
    trigger = memory.inject.long_term_trigger
    if trigger == "never":
        return ""
    if signs := technical_signs(text, memory.inject.technical_keywords):
        return f"technical: {', '.join(signs)}"
    return "always" if trigger == "always" else ""


def _without_long_term(wanted: RecallPlan) -> RecallPlan:
    return RecallPlan(rules=(*wanted.rules, "long_term_off"), short_count=wanted.short_count)
