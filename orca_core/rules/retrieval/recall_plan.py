"""Which memories a turn may get: decided from its text alone, without a model and without looking into the store."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.recall import Item, Level
from orca_core.rules.requests.recall_triggers import (
    RecallQuestion,
    recall_question,
    technical_signs,
)
from orca_core.rules.retrieval.relevance_floors import FLOORS, MARGIN, Floor, Floors
from orca_core.settings import MemorySettings

HEAVIEST_COUNT = 10
"""How many memories answer a question such as "what do you know about me?". Chosen by hand."""
RECALL_COUNT = 5
"""How many relevant memories answer a recall question with a topic, at least. Chosen by hand; the budget bounds it."""
OPEN_COUNT = 8
"""How many answer one that asks for all there is of a topic. Chosen by hand; the budget bounds it."""
GUESSES = 3
"""So many of the nearest memories answer a question about the user that nothing relevant answers. Chosen by hand."""
NEAR_COUNT = 1
"""How many memories may open the gate of a turn that is not technical. Chosen by hand."""

NEAR = "near"
"""The reason of what was so near that it opened the gate for itself."""


class RecallPlan(Struct, frozen=True):
    """What to look for. `rules` are the rules that fired; `reason` is what a relevant long-term memory enters with.

    A memory enters above `floor`, an episode or knowledge above `work_floor`; what enters below the floor of a
    technical turn was a guess. `is_asked` where a person asks for what is known: `guesses` of the nearest come where
    nothing is near enough. With a `margin` the nearest enters
    alone, and only where it is so many times as near as the next."""

    rules: tuple[str, ...]
    reason: str = ""
    short_count: int = 0
    long_count: int = 0
    heaviest_count: int = 0
    episode_count: int = 0
    knowledge_count: int = 0
    standing: bool = False
    pinned: bool = False
    is_asked: bool = False
    guesses: int = 0
    margin: float = 0.0
    floor: Floor = FLOORS.technical
    work_floor: Floor = FLOORS.work
    floors: Floors = FLOORS

    @property
    def is_pinned_only(self) -> bool:
        return self.pinned and not self._counts

    @property
    def looks_at_anything(self) -> bool:
        return self.pinned or bool(self._counts)

    @property
    def _counts(self) -> int:
        return self.short_count + self.long_count + self.heaviest_count + self.episode_count + self.knowledge_count


def plan_recall(
    text: str,
    *,
    first_round: bool,
    level: Level,
    memory: MemorySettings,
    floors: Floors = FLOORS,
    may_look: bool = False,
) -> RecallPlan:
    """The rules of injection, in their order; the first that speaks decides. A model that may look is told less."""
    if level is Level.NONE:
        return RecallPlan(rules=("disabled",))
    wanted = _wanted(text, first_round=first_round, memory=memory, floors=floors, may_look=may_look)
    return _without_long_term(wanted) if level is Level.SHORT_TERM_ONLY else wanted


def _beside_lookups(wanted: RecallPlan) -> RecallPlan:
    """The plan of a turn that asks for no memory, where the model may look: what is plainly near, and alone, comes."""
    strict = wanted.floors.beside_lookups()
    return replace(wanted, floor=strict.unasked if wanted.reason == NEAR else strict.technical, margin=MARGIN)


def rules_with(wanted: RecallPlan, chosen: Iterable[Item]) -> tuple[str, ...]:
    """The rules that fired, after it was seen which memories entered."""
    opened = wanted.reason == NEAR and any(item.reason == NEAR for item in chosen)
    return (*wanted.rules, NEAR) if opened else wanted.rules


def _wanted(text: str, *, first_round: bool, memory: MemorySettings, floors: Floors, may_look: bool) -> RecallPlan:
    inject = memory.inject
    question = recall_question(text) if inject.recall_trigger else None
    if question is not None and may_look and not question.named:
        question = None  # whether it asks of the user at all is for the model to tell
    if question is not None:
        return _recall_plan(question, memory, floors)
    if first_round and inject.first_round_empty:
        return RecallPlan(rules=("first_round",), pinned=inject.pinned_first)
    length = len(text.encode("utf-8", "replace"))
    if length < inject.min_query_length:
        return RecallPlan(rules=(f"too_short: {length} < {inject.min_query_length}",))
    unasked = _unasked(text, memory, floors)
    return _beside_lookups(unasked) if may_look else unasked


def _recall_plan(question: RecallQuestion, memory: MemorySettings, floors: Floors) -> RecallPlan:
    if not question.topic:
        return RecallPlan(rules=("recall",), reason="recall", heaviest_count=HEAVIEST_COUNT, pinned=True)
    inject = memory.inject
    return RecallPlan(
        rules=("recall",),
        reason="recall",
        short_count=inject.short_term_count,
        long_count=max(memory.long_term.max_return, OPEN_COUNT if question.open else RECALL_COUNT),
        episode_count=_episodes(memory),
        knowledge_count=inject.knowledge,
        pinned=True,
        is_asked=True,
        guesses=GUESSES,
        floor=floors.open if question.open else floors.asked,
        work_floor=floors.work,
        floors=floors,
    )


def _unasked(text: str, memory: MemorySettings, floors: Floors) -> RecallPlan:
    inject = memory.inject
    if inject.long_term_trigger != "never" and (signs := technical_signs(text, inject.technical_keywords)):
        return _technical(f"technical: {', '.join(signs)}", memory, floors)
    if inject.long_term_trigger == "always":
        return _technical("always", memory, floors)
    opens = inject.long_term_trigger != "never"
    return RecallPlan(
        rules=("short_term",),
        reason=NEAR if opens else "",
        short_count=inject.short_term_count,
        long_count=min(NEAR_COUNT, memory.long_term.max_return) if opens else 0,
        pinned=True,
        floor=floors.unasked,
        floors=floors,
    )


def _technical(reason: str, memory: MemorySettings, floors: Floors) -> RecallPlan:
    return RecallPlan(
        rules=(reason,),
        reason=reason,
        short_count=memory.inject.short_term_count,
        long_count=memory.long_term.max_return,
        episode_count=_episodes(memory),
        knowledge_count=memory.inject.knowledge,
        standing=True,
        pinned=True,
        floor=floors.technical,
        work_floor=floors.work,
        floors=floors,
    )


def _episodes(memory: MemorySettings) -> int:
    return memory.inject.episodes if memory.episodes.enabled else 0


def _without_long_term(wanted: RecallPlan) -> RecallPlan:
    return RecallPlan(rules=(*wanted.rules, "long_term_off"), short_count=wanted.short_count)
