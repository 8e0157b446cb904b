"""Receipts under other settings, turn by turn: what is known of a floor, and what a weight would have become."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from orca_core.evaluation.past_choices import stands_above
from orca_core.evaluation.replaying import PastTurn, Replay, replay
from orca_core.model.memories import Status
from orca_core.model.recall import Injection, Item, Level, LookUp, Receipt, References, ScoreParts, WeightMove
from orca_core.model.record_types import memory_ref, summary_ref
from orca_core.rules.retrieval.recall_plan import plan
from orca_core.settings import MemorySettings

AT = datetime(2026, 11, 20, tzinfo=UTC)
TECHNICAL = "docker 里的 postgres 连不上，报错 connection refused"
EVERYDAY = "周末去成都附近哪里爬山好"
TWO_THINGS = "周末去哪里爬山好，天气怎么样"
RECALL = "你知道我用什么编辑器吗"
DEFAULTS = MemorySettings()
TECHNICAL_RULE = plan(TECHNICAL, first_round=False, level=Level.FULL, memory=DEFAULTS).rules[0]


def under(**changes: object) -> MemorySettings:
    """The defaults, with `inject.key` as `inject__key`."""
    memory = DEFAULTS
    for name, value in changes.items():
        room, key = name.split("__")
        memory = msgspec.structs.replace(
            memory, **{room: msgspec.structs.replace(getattr(memory, room), **{key: value})}
        )
    return memory


def item(number: int, reason: str, score: float = 1.0, **fields: object) -> Item:
    values: dict[str, object] = {"type": "fact", "created_at": AT, **fields}
    return Item(memory_ref(number), f"memory {number}", ScoreParts(text=score), reason, **values)  # type: ignore[arg-type]


def summary(number: int, reason: str) -> Item:
    return Item(summary_ref(number), f"summary {number}", ScoreParts(text=1.0), reason)


def turn(
    text: str,
    injected: list[Item],
    dropped: Sequence[Item] = (),
    *,
    moves: tuple[WeightMove, ...] = (),
    used: tuple[int, ...] = (),
    unused: tuple[int, ...] = (),
    minutes: int = 0,
) -> PastTurn:
    rules = plan(text, first_round=False, level=Level.FULL, memory=DEFAULTS).rules
    injection = Injection(Level.FULL, rules, tuple(injected), tuple(dropped), "block", 20, 1020)
    judged = References(tuple(map(memory_ref, used)), tuple(map(memory_ref, unused)))
    return PastTurn(text, AT + timedelta(minutes=minutes), False, Receipt("s", minutes + 1, injection, judged, moves))


def replayed(turns: list[PastTurn], changed: MemorySettings) -> Replay:
    return replay(turns, DEFAULTS, changed, lambda text: "header")


def changed_refs(found: Replay) -> list[tuple[list[str], list[str]]]:
    return [
        ([str(each.ref) for each in change.gained], [str(each.ref) for each in change.lost]) for change in found.changes
    ]


TWO_OF_THREE = turn(
    TECHNICAL,
    [item(1, TECHNICAL_RULE, 3.0), item(2, TECHNICAL_RULE, 2.0), summary(9, "short_term")],
    [item(3, "over_limit", 1.5), item(4, "below_floor", 1.0), summary(8, "below_floor")],
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"long_term__max_return": 1}, [([], ["m2"])]),
        ({"long_term__max_return": 3}, [(["m3"], [])]),
        ({"inject__short_term_count": 0}, [([], ["s9"])]),
        ({"inject__long_term_trigger": "never"}, [([], ["m1", "m2"])]),
        ({"inject__min_query_length": 500}, [([], ["m1", "m2", "s9"])]),
        ({"inject__budget_floor": 1, "inject__budget_ratio": 0.0}, [([], ["m1", "m2", "s9"])]),
    ],
)
def test_a_technical_turn_under_other_settings(
    changes: dict[str, object], expected: list[tuple[list[str], list[str]]]
) -> None:
    found = replayed([TWO_OF_THREE], under(**changes))

    assert changed_refs(found) == expected
    assert (found.replayed, found.open) == (1, ())


def test_what_a_reason_does_not_tell_is_open_and_not_guessed() -> None:
    everyday = turn(TWO_THINGS, [item(3, "near")], [item(1, "no_trigger"), item(2, "below_floor")])

    found = replayed([everyday], under(inject__long_term_trigger="always"))

    assert changed_refs(found) == []  # the first may be near enough, and nearer than the other
    assert found.open == (everyday,)


def test_a_turn_that_looked_for_nothing_is_open_and_not_guessed() -> None:
    short = turn("好的", [])

    found = replayed([short], under(inject__min_query_length=1))

    assert (changed_refs(found), found.open) == ([], (short,))


def test_what_the_configured_settings_do_not_give_is_left_out() -> None:
    by_other_rules = turn(EVERYDAY, [item(1, "a rule of last year")])
    deleted = turn(TECHNICAL, [replace(item(1, TECHNICAL_RULE), content="")])

    found = replayed([by_other_rules, deleted, TWO_OF_THREE], under(long_term__max_return=1))

    assert (found.turns, found.replayed, found.not_reproduced, found.without_text) == (3, 1, 1, 1)
    assert (found.before.memories, found.after.memories) == (3, 2)


@pytest.mark.parametrize(
    ("floor", "reason", "text", "expected"),
    [
        ("technical", "below_floor", TECHNICAL, False),
        ("technical", "no_trigger", EVERYDAY, None),
        ("technical", "no_trigger", TECHNICAL, False),
        ("technical", "far_behind", TECHNICAL, False),
        ("asked", "far_behind", EVERYDAY, None),
        ("asked", "far_behind", RECALL, False),
        ("near", TECHNICAL_RULE, TECHNICAL, None),
        ("technical", "near", EVERYDAY, True),
        ("asked", "below_floor", TECHNICAL, None),
        ("technical", "perhaps", RECALL, False),
        ("technical", "older_of_a_pair", TECHNICAL, False),
        ("open", "below_floor", TECHNICAL, True),
        ("", "near", EVERYDAY, False),
    ],
)
def test_a_reason_tells_of_a_floor_or_it_does_not(floor: str, reason: str, text: str, expected: bool | None) -> None:
    carried_out = plan(text, first_round=False, level=Level.FULL, memory=DEFAULTS)

    assert stands_above(floor, item(1, reason), carried_out) is expected


def unused_turns(count: int) -> list[PastTurn]:
    """A memory of weight 1 that is put before the model and not used, so many times."""
    turns = []
    for number in range(count):
        before, after = round(1.0 - 0.3 * number, 6), round(0.7 - 0.3 * number, 6)
        move = WeightMove(memory_ref(1), before, after, Status.ARCHIVED if after < 0.3 else Status.ACTIVE)
        turns.append(turn(TECHNICAL, [item(1, TECHNICAL_RULE)], moves=(move,), unused=(1,), minutes=number))
    return turns


@pytest.mark.parametrize(
    ("changes", "after", "is_archived"),
    [
        ({"weights__unreferenced": -0.1}, 0.7, False),
        ({"weights__unreferenced": -0.5}, 0.0, True),
        ({"long_term__archive_threshold": 0.0}, 0.1, False),
        ({"inject__long_term_trigger": "never"}, 1.0, False),
    ],
)
def test_a_weight_goes_its_own_way_through_all_turns(
    changes: dict[str, object], after: float, is_archived: bool
) -> None:
    [weight] = replayed(unused_turns(3), under(**changes)).weights

    assert (weight.before, weight.archived_before) == (0.1, True)
    assert (weight.after, weight.archived_after) == (after, is_archived)


def test_a_memory_that_would_be_archived_by_then_no_longer_comes() -> None:
    found = replayed(unused_turns(3), under(weights__unreferenced=-0.8))

    assert changed_refs(found) == [([], ["m1"]), ([], ["m1"])]


def test_what_a_person_did_between_two_turns_is_taken_over() -> None:
    first, *_ = unused_turns(1)
    by_hand = WeightMove(memory_ref(1), 4.0, 4.5, Status.ACTIVE)
    second = turn(TECHNICAL, [item(1, TECHNICAL_RULE)], moves=(by_hand,), used=(1,), minutes=5)

    [weight] = replayed([first, second], under(weights__unreferenced=-0.1)).weights

    assert (weight.before, weight.after) == (4.5, 4.7)


def test_weights_that_other_settings_moved_are_counted_and_not_told() -> None:
    odd = WeightMove(memory_ref(1), 1.0, 3.0, Status.ACTIVE)

    found = replayed(
        [turn(TECHNICAL, [item(1, TECHNICAL_RULE)], moves=(odd,), used=(1,))], under(weights__referenced=1.0)
    )

    assert (found.weights, found.weights_not_reproduced) == ((), 1)


def test_what_the_model_looked_up_and_used_moves_as_it_did() -> None:
    looked = turn(TECHNICAL, [item(1, TECHNICAL_RULE)], moves=(WeightMove(memory_ref(5), 1.0, 1.5),), used=(5,))
    lookups = (LookUp("the port of postgres", (item(5, "looked_up"),)),)
    injection = replace(looked.receipt.injection, lookups=lookups)

    found = replayed([replace(looked, receipt=replace(looked.receipt, injection=injection))], DEFAULTS)

    assert (found.weights, found.weights_not_reproduced) == ((), 0)
