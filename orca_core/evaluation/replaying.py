"""Replays stored turns under other settings: what would have been put before the model, and what weights would have
come of it. A turn counts only where the configured settings give what its receipt says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

import tomli
from msgspec import Struct

from orca_core.config.config_edit import Changes, changed_config
from orca_core.config.config_file import FILE_NAME, LoadedSettings, loaded_from
from orca_core.evaluation.past_choices import chosen
from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Status, Use
from orca_core.model.recall import Item, Receipt, WeightMove
from orca_core.model.record_types import GUIDE, TASK, Ref
from orca_core.model.sessions import RoundState
from orca_core.open import open_own_stores
from orca_core.operations.sessions import SessionStore
from orca_core.prompts import render
from orca_core.rules.memory.memory_upkeep import DIGITS, moved
from orca_core.rules.retrieval import prompt_assembly, recall_plan
from orca_core.rules.retrieval.recall_plan import RecallPlan
from orca_core.rules.text import token_count
from orca_core.rules.text.spelling import language_of
from orca_core.serialize.values import Json, pick
from orca_core.settings import MemorySettings


class PastTurn(Struct, frozen=True):
    """A turn as it is stored: what was asked, and its receipt. `first_round` where no answer stood before it."""

    text: str
    at: datetime
    first_round: bool
    receipt: Receipt


class TurnChange(Struct, frozen=True):
    """What a turn would have got besides, and what it would not have got. `is_open` where memories that its receipt
    does not name might have come, too."""

    turn: PastTurn
    gained: tuple[Item, ...]
    lost: tuple[Item, ...]
    is_open: bool


class WeightChange(Struct, frozen=True):
    """A memory whose weight would be another after all turns."""

    ref: Ref
    content: str
    before: float
    after: float
    archived_before: bool
    archived_after: bool


class Injected(Struct, frozen=True):
    """What was put before the model in all replayed turns."""

    memories: int
    tokens: int


class Replay(Struct, frozen=True):
    """`not_reproduced` turns got something else than the configured settings give: they were decided by other settings
    or by other rules, and nothing is said of them; nor of those `without_text`, of which something was deleted. Of the
    replayed ones, `open` might have got what no receipt holds."""

    turns: int
    not_reproduced: int
    without_text: int
    open: tuple[PastTurn, ...]
    before: Injected
    after: Injected
    changes: tuple[TurnChange, ...]
    weights: tuple[WeightChange, ...]
    weights_not_reproduced: int

    @property
    def replayed(self) -> int:
        return self.turns - self.not_reproduced - self.without_text


class PastWeight(Struct):
    """One memory: its weight by these settings, and `stored` as the turns so far left it."""

    content: str
    weight: float
    stored: float
    is_archived: bool = False
    was_archived: bool = False

    @property
    def is_reproduced(self) -> bool:
        """Whether these settings give what is stored."""
        return self.weight == self.stored and self.is_archived == self.was_archived


class PastWeights:
    """All memories that turns moved."""

    def __init__(self, memory: MemorySettings) -> None:
        self.memories: dict[Ref, PastWeight] = {}
        self._memory = memory

    @property
    def archived(self) -> frozenset[Ref]:
        """Those that would be archived by now."""
        return frozenset(ref for ref, each in self.memories.items() if each.is_archived)

    def take(self, receipt: Receipt, injected: Collection[Ref]) -> None:
        """Move the weights that the turn moved, of the memories that are put before the model; what it looked up itself
        it would have looked up again."""
        judged = receipt.references
        uses = {**dict.fromkeys(judged.used, Use.USED), **dict.fromkeys(judged.unused, Use.UNUSED)}
        items = {each.ref: each for each in receipt.injection.shown}
        shown = {*injected, *(each.ref for each in receipt.injection.looked_up)}
        for move in receipt.weights:
            item = items.get(move.ref)
            known = self.memories.get(move.ref)
            if known is None:
                known = PastWeight(item.content if item else "", move.before, move.before)
                self.memories[move.ref] = known
            _take_over(known, move)
            if move.ref in shown and not known.is_archived:
                self._move(known, uses.get(move.ref, Use.UNKNOWN), is_pinned=bool(item and item.pinned))
            known.stored = move.after
            known.was_archived = move.status is Status.ARCHIVED

    def _move(self, known: PastWeight, use: Use, *, is_pinned: bool) -> None:
        long_term = self._memory.long_term
        known.weight = moved(known.weight, use, pinned=is_pinned, weights=self._memory.weights, long_term=long_term)
        known.is_archived = known.weight < long_term.archive_threshold and not is_pinned


def _take_over(known: PastWeight, move: WeightMove) -> None:
    """What happened to it since the turn before: a memory that was archived and stands before a model again was
    restored."""
    if known.was_archived:
        known.is_archived, known.was_archived, known.weight = False, False, move.before
    elif move.before != known.stored:
        known.weight = round(max(known.weight + move.before - known.stored, 0.0), DIGITS)
    known.stored = move.before


HeaderOf = Callable[[str], str]
"""What stands above the block of a turn with this text."""


class Outcome(Struct, frozen=True):
    """What a turn puts before the model, what that costs, and whether others might have come, too."""

    items: tuple[Item, ...]
    tokens: int
    is_open: bool

    @property
    def refs(self) -> frozenset[Ref]:
        return frozenset(each.ref for each in self.items)


def replay(
    turns: Sequence[PastTurn], configured: MemorySettings, changed: MemorySettings, header_of: HeaderOf
) -> Replay:
    """All turns, oldest first."""
    actual, wanted = PastWeights(configured), PastWeights(changed)
    replayed: list[tuple[PastTurn, Outcome]] = []
    without_text = 0
    for turn in turns:
        stood = frozenset(each.ref for each in turn.receipt.injection.injected)
        would_stand = stood - wanted.archived
        if not all(each.content for each in turn.receipt.injection.injected):
            without_text += 1
        elif _outcome(turn, configured, configured, frozenset(), header_of).refs == stood:
            other = _outcome(turn, configured, changed, wanted.archived, header_of)
            replayed.append((turn, other))
            would_stand = other.refs
        actual.take(turn.receipt, stood)
        wanted.take(turn.receipt, would_stand)
    injections = [turn.receipt.injection for turn, _ in replayed]
    return Replay(
        turns=len(turns),
        not_reproduced=len(turns) - len(replayed) - without_text,
        without_text=without_text,
        open=tuple(turn for turn, other in replayed if other.is_open),
        before=Injected(sum(len(each.injected) for each in injections), sum(each.tokens for each in injections)),
        after=Injected(sum(len(other.items) for _, other in replayed), sum(other.tokens for _, other in replayed)),
        changes=tuple(change for turn, other in replayed if (change := _change(turn, other)) is not None),
        weights=_weight_changes(actual, wanted),
        weights_not_reproduced=sum(not each.is_reproduced for each in actual.memories.values()),
    )


def _outcome(
    turn: PastTurn, configured: MemorySettings, memory: MemorySettings, gone: frozenset[Ref], header_of: HeaderOf
) -> Outcome:
    """What the turn gets under `memory`, where it was carried out as `configured`."""
    carried_out, plan = _plan(turn, configured), _plan(turn, memory)
    choice = chosen(turn.receipt, carried_out, plan, repeat_visible=memory.inject.repeat_visible, gone=gone)
    header = header_of(turn.text)

    def cost_of_block(items: Sequence[Item]) -> int:
        return token_count.estimate(prompt_assembly.block(items, header))

    was = turn.receipt.injection
    budget = prompt_assembly.budget_tokens(was.prompt_tokens - was.tokens, memory.inject)
    switches = {TASK: memory.tasks.enabled, GUIDE: memory.tools.enabled}
    items = [each for each in choice.items if switches.get(each.ref.kind, True)]
    kept = prompt_assembly.fill(items, budget, cost_of_block).kept
    is_open = choice.is_open or any(each.ref in choice.guessed for each in kept)
    return Outcome(kept, cost_of_block(kept), is_open)


def _plan(turn: PastTurn, memory: MemorySettings) -> RecallPlan:
    was = turn.receipt.injection
    return recall_plan.plan(
        turn.text, first_round=turn.first_round, level=was.level, memory=memory, may_look=was.may_look
    )


def _change(turn: PastTurn, other: Outcome) -> TurnChange | None:
    stood = turn.receipt.injection.injected
    refs = {each.ref for each in stood}
    gained = tuple(each for each in other.items if each.ref not in refs)
    lost = tuple(each for each in stood if each.ref not in other.refs)
    return TurnChange(turn, gained, lost, other.is_open) if gained or lost else None


def _weight_changes(actual: PastWeights, wanted: PastWeights) -> tuple[WeightChange, ...]:
    """The memories that end with another weight, of those that the configured settings moved as they did move."""
    changes = []
    for ref, stood in actual.memories.items():
        other = wanted.memories[ref]
        if stood.is_reproduced and (stood.weight, stood.is_archived) != (other.weight, other.is_archived):
            archived = (stood.is_archived, other.is_archived)
            changes.append(WeightChange(ref, stood.content, stood.weight, other.weight, *archived))
    return tuple(sorted(changes, key=lambda each: (-abs(each.after - each.before), each.ref)))


async def replay_turns(sessions: SessionStore, configured: MemorySettings, changed: MemorySettings) -> Replay:
    """The turns of a scope that have a receipt, under settings that are not the configured ones."""

    def header_of(text: str) -> str:
        language = language_of(text)
        header = render(f"memory_block.{language}")
        return f"{header}\n{render(f'cite.{language}')}" if configured.references.cite else header

    turns: list[PastTurn] = []
    for session in await sessions.sessions():
        rounds = await sessions.rounds(session.id)
        receipt_of = await sessions.receipts(session.id, [each.number for each in rounds])
        answered = False
        for each in rounds:
            if each.number in receipt_of:
                turns.append(PastTurn(each.user, each.at, not answered, receipt_of[each.number]))
            answered = answered or each.state is RoundState.DONE
    turns.sort(key=lambda turn: (turn.at, turn.receipt.session_id, turn.receipt.round))
    return replay(turns, configured, changed, header_of)


REPLAYABLE = (
    "memory.inject.first_round_empty",
    "memory.inject.short_term_count",
    "memory.inject.long_term_trigger",
    "memory.inject.min_query_length",
    "memory.inject.technical_keywords",
    "memory.inject.recall_trigger",
    "memory.inject.pinned_first",
    "memory.inject.repeat_visible",
    "memory.inject.budget_ratio",
    "memory.inject.budget_floor",
    "memory.long_term.max_return",
    "memory.long_term.archive_threshold",
    "memory.long_term.core_threshold",
    "memory.long_term.max_weight",
    "memory.weights.referenced",
    "memory.weights.unreferenced",
)
"""The keys of which a receipt holds enough to say what another value would have changed."""


async def replay_rules(loaded: LoadedSettings, changes: Sequence[str], profile: str | None) -> Replay:
    """What other settings, each as KEY=VALUE, would have made of the stored turns. Raises OrcaError."""
    path = loaded.path or loaded.home / FILE_NAME
    changed = loaded_from(changed_config(path, _read(changes)), path, loaded.home).settings
    stores = await open_own_stores(loaded, profile)
    try:
        return await replay_turns(stores.sessions, loaded.settings.memory, changed.memory)
    finally:
        await stores.upkeep.aclose()


def _read(changes: Sequence[str]) -> Changes:
    read: dict[str | tuple[str, ...], Any] = {}
    for each in changes:
        key, sign, value = each.partition("=")
        key = key.strip()
        if not sign or key not in REPLAYABLE:
            raise InvalidInput(
                template="{found}: no receipt tells what this would change",
                hint="write KEY=VALUE, with one of {known}",
                found=each,
                known=", ".join(REPLAYABLE),
            )
        read[key] = _value(value.strip())
    return read


def _value(written: str) -> Any:
    """A value as the configuration file has it; a word needs no quotes."""
    try:
        return tomli.loads(f"value = {written}")["value"]
    except tomli.TOMLDecodeError:
        return written


def replay_json(replay: Replay) -> Json:
    """What stored turns would have got under other settings."""
    weights = "ref:id content before after archived_before archived_after"
    return {
        **pick(replay, "turns replayed not_reproduced without_text"),
        "open": len(replay.open),
        **pick(replay, "before after"),
        "changes": [
            {
                **pick(each.turn.receipt, "session_id round"),
                "gained": [pick(item, "ref:id reason") for item in each.gained],
                "lost": [pick(item, "ref:id reason") for item in each.lost],
                "open": each.is_open,
            }
            for each in replay.changes
        ],
        "weights": [pick(each, weights) for each in replay.weights],
        **pick(replay, "weights_not_reproduced"),
    }
