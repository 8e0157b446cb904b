"""Replays stored turns under other settings: what would have been put before the model, and what weights would have
come of it. A turn counts only where the configured settings give what its receipt says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from orca_core.domain.dataclass import dataclass
from orca_core.domain.recall import Item
from orca_core.domain.refs import GUIDE, TASK, Ref
from orca_core.domain.replay import Injected, PastTurn, Replay, TurnChange, WeightChange
from orca_core.rules.evaluating.past_choices import chosen
from orca_core.rules.evaluating.past_weights import PastWeights
from orca_core.rules.recalling.choosing import injection
from orca_core.rules.recalling.choosing.injection import BY_MEANING, RecallPlan
from orca_core.rules.recalling.prompting import budget, rendering
from orca_core.rules.text import tokens
from orca_core.settings import MemorySettings

HeaderOf = Callable[[str], str]
"""What stands above the block of a turn with this text."""


@dataclass(frozen=True, slots=True)
class Outcome:
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
    changes: list[TurnChange] = []
    before, after = Injected(0, 0), Injected(0, 0)
    not_reproduced = without_text = 0
    open_turns: list[PastTurn] = []
    for turn in turns:
        receipt = turn.receipt
        stood = frozenset(each.ref for each in receipt.injection.injected)
        other = None
        if not all(each.content for each in receipt.injection.injected):
            without_text += 1
        elif _outcome(turn, configured, configured, (), header_of).refs != stood:
            not_reproduced += 1
        else:
            other = _outcome(turn, configured, changed, wanted.archived, header_of)
            open_turns += [turn] if other.is_open else []
            before = _plus(before, receipt.injection.injected, receipt.injection.tokens)
            after = _plus(after, other.items, other.tokens)
            changes += _changes(turn, other)
        actual.take(receipt, stood)
        wanted.take(receipt, stood - wanted.archived if other is None else other.refs)
    weights, unlike = _weights(actual, wanted)
    return Replay(
        turns=len(turns),
        not_reproduced=not_reproduced,
        without_text=without_text,
        open=tuple(open_turns),
        before=before,
        after=after,
        changes=tuple(changes),
        weights=weights,
        weights_not_reproduced=unlike,
    )


def _outcome(
    turn: PastTurn, configured: MemorySettings, memory: MemorySettings, gone: Iterable[Ref], header_of: HeaderOf
) -> Outcome:
    """What the turn gets under `memory`, where it was carried out as `configured`."""
    receipt, inject = turn.receipt, memory.inject
    choice = chosen(
        receipt,
        _plan(turn, configured),
        _plan(turn, memory),
        repeat_visible=inject.repeat_visible,
        gone=frozenset(gone),
    )
    header = header_of(turn.text)

    def cost_of_block(items: Sequence[Item]) -> int:
        return tokens.estimate(rendering.block(items, header))

    prompt_tokens = receipt.injection.prompt_tokens - receipt.injection.tokens
    switches = {TASK: memory.tasks.enabled, GUIDE: memory.tools.enabled}
    items = [each for each in choice.items if switches.get(each.ref.kind, True)]
    kept = budget.fill(items, budget.budget_tokens(prompt_tokens, inject), cost_of_block).kept
    is_open = choice.is_open or any(each.ref in choice.guessed for each in kept)
    return Outcome(kept, cost_of_block(kept), is_open)


def _plan(turn: PastTurn, memory: MemorySettings) -> RecallPlan:
    injected = turn.receipt.injection
    plan = injection.plan(turn.text, first_round=turn.first_round, level=injected.level, memory=memory)
    return injection.widened(plan, memory) if BY_MEANING in injected.rules else plan


def _changes(turn: PastTurn, other: Outcome) -> Iterator[TurnChange]:
    stood = turn.receipt.injection.injected
    refs = {each.ref for each in stood}
    gained = tuple(each for each in other.items if each.ref not in refs)
    lost = tuple(each for each in stood if each.ref not in other.refs)
    if gained or lost:
        yield TurnChange(turn, gained, lost, other.is_open)


def _plus(sum_of: Injected, items: Sequence[Item], block_tokens: int) -> Injected:
    return Injected(sum_of.memories + len(items), sum_of.tokens + block_tokens)


def _weights(actual: PastWeights, wanted: PastWeights) -> tuple[tuple[WeightChange, ...], int]:
    """The memories that end with another weight, and how many moved otherwise than the configured settings say."""
    changes, unlike = [], 0
    for ref, stood in actual.memories.items():
        if not stood.is_reproduced:
            unlike += 1
            continue
        other = wanted.memories[ref]
        if (stood.weight, stood.is_archived) != (other.weight, other.is_archived):
            archived = (stood.is_archived, other.is_archived)
            changes.append(WeightChange(ref, stood.content, stood.weight, other.weight, *archived))
    changes.sort(key=lambda each: (-abs(each.after - each.before), each.ref))
    return tuple(changes), unlike
