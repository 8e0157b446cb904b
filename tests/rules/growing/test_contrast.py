"""A candidate that stands on acts, read against the latest acts: which of them, how the answer is read, what follows."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.domain.claims import OpenRun
from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.growth.actions import Action, ActionState, ActionType
from orca_core.domain.growth.contrast import ActToRead, ContrastBatch, DueCandidates, Shows
from orca_core.domain.growth.supports import Support, Supported, SupportKind
from orca_core.domain.learning import RunKind, RunState
from orca_core.domain.memories import State
from orca_core.domain.messages import Span
from orca_core.rules.growing import contrast, promoting
from orca_core.rules.growing.acts import source_of, source_of_round

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TABLES = "The user prefers tables"
LIKE, DISLIKE, EDIT, CHAT = ActionType.LIKE, ActionType.DISLIKE, ActionType.EDIT_FILE, ActionType.START_CHAT
F, A, N = Shows.FOR, Shows.AGAINST, Shows.NEITHER


def act(number: int, day: int = 0, kind: ActionType = LIKE, **fields: object) -> Action:
    given = {"round": number, **fields}
    if kind is EDIT:
        given |= {"round": None, "data": {"previous": "a", "current": f"b{number}"}}
    if kind is CHAT:
        given |= {"round": None, "data": {"query": "a question"}}
    return Action(number, f"u{number}", kind, "s", NOW + timedelta(days=day, minutes=number), **given)  # type: ignore[arg-type]


def support(of: Action) -> Support:
    return Support(of.id, 1, SupportKind.ACT, source_of(of), of.at, of.id, "s", of.round)


def by_round(number: int, day: int) -> Support:
    at = NOW + timedelta(days=day)
    return Support(90 + number, 1, SupportKind.ROUND, source_of_round("s", number), at, None, "s", number)


def candidate(*supports: Support, **fields: object) -> Supported:
    given = {"id": 1, "content": TABLES, "state": State.CANDIDATE, "held_because": promoting.UNPROVEN, **fields}
    return Supported(memory(**given), supports)


def numbers(acts: list[Action]) -> list[int]:
    return [each.id for each in acts]


def test_the_latest_acts_are_read_the_oldest_first() -> None:
    acts = [act(number, day=number) for number in range(1, 30)]
    found = contrast.read_against(candidate(*map(support, acts[26:])), acts, min_support=3)
    assert numbers(found) == list(range(14, 30))
    assert len(found) == contrast.MOST


def test_what_speaks_for_it_is_read_however_much_was_done_since() -> None:
    old = [act(1, day=-9), act(2, day=-9), act(3, day=-8), act(4, day=-7), act(5, day=-6)]
    latest = [act(number, day=0) for number in range(10, 40)]
    found = contrast.read_against(candidate(*map(support, old)), [*latest, *old], min_support=3)
    assert numbers(found) == [3, 4, 5, *range(27, 40)]


@pytest.mark.parametrize(
    ("other", "is_read"),
    [
        (act(9), True),
        (act(9, kind=DISLIKE), True),
        (act(9, kind=EDIT), True),
        (act(9, kind=ActionType.COLLECT_SESSION, round=None), True),
        (act(9, kind=CHAT), False),
        (act(9, kind=ActionType.TASK_STOP), False),
        (act(9, state=ActionState.WITHDRAWN), False),
        (act(9, round=None, message="theirs"), False),
        (act(9, kind=EDIT, state=ActionState.UNDONE), False),
    ],
)
def test_acts_that_can_show_a_quality_are_read(other: Action, is_read: bool) -> None:
    found = contrast.read_against(candidate(support(act(1))), [act(1), other], min_support=3)
    assert (9 in numbers(found)) is is_read


def test_what_rests_on_queries_is_read_against_queries() -> None:
    chats = [act(number, day=number, kind=CHAT) for number in range(1, 5)]
    found = contrast.read_against(candidate(support(chats[0])), chats, min_support=3)
    assert numbers(found) == [1, 2, 3, 4]


def batch_of(supported: Supported, *acts: Action, rounds: tuple[Round, ...] = ()) -> ContrastBatch:
    to_read = tuple(ActToRead(each, support(each)) for each in acts)
    return ContrastBatch(1, RunKind.CONTRAST, "", rounds, 1, candidate=supported, acts=to_read)


def round_(number: int, answer: str, session: str = "s") -> Round:
    return Round(number, session, number, 1, "q?", (Span("q?"),), answer, RoundState.DONE, NOW)


def test_the_material_marks_nothing_and_names_each_act() -> None:
    acts = [act(1), act(2, kind=EDIT), act(3, kind=ActionType.COLLECT_SESSION, round=None)]
    acts[2] = replace(acts[2], session_id="t")
    rounds = (round_(1, "| a |"), round_(1, "in t", "t"), round_(2, "x" * 9000, "t"))
    shown = json.loads(contrast.material(batch_of(candidate(support(acts[0])), *acts, rounds=rounds)))
    assert shown.keys() == {"statement", "acts"}
    assert [(each["act"], each["did"]) for each in shown["acts"]] == [
        (1, "LIKE"),
        (2, "EDIT_FILE"),
        (3, "COLLECT_SESSION"),
    ]
    assert shown["acts"][0]["round"] == {"user": "q?", "assistant_said": "| a |"}
    assert shown["acts"][1]["difference"]
    assert len(str(shown["acts"][2]["session"])) < contrast.SHOWN.session
    assert {key for each in shown["acts"] for key in each} == {"act", "did", "day", "round", "difference", "session"}


def said(*shows: object) -> str:
    return json.dumps({"acts": [{"act": number, "why": "", "shows": each} for number, each in enumerate(shows, 1)]})


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (said("for", "against"), {1: F, 2: A}),
        ("Well: " + said("For ", "NEITHER") + " done", {1: F, 2: N}),
        ('{"acts": {"1": "for", "2": "against"}}', {1: F, 2: A}),
        ('[{"act": 1, "shows": "against"}, {"act": 2, "shows": "for"}]', {1: A, 2: F}),
        (said("for"), {1: F, 2: N}),
        (said("for", "perhaps"), {1: F, 2: N}),
        (said("for", "for", "against"), {1: F, 2: F}),
        ('{"acts": [{"act": 2, "shows": "for"}, {"act": 2, "shows": "against"}]}', {1: N, 2: A}),
        ('{"acts": [{"act": 1, "shows": "for"}, {"act": 2, "shows": "aga', None),
        ('{"acts": [{"act": 1, "shows": "for"}, {"act": 2, "shows": "against"}, {"act"', {1: F, 2: A}),
        ('{"answers": [{"act": 1, "says_so": true}]}', None),
        ('{"acts": []}', None),
        ("for", None),
        ("", None),
    ],
)
def test_an_answer_is_read_as_models_write_it(answer: str, read: object) -> None:
    assert contrast.read_shows(answer, 2) == read


@given(st.text(max_size=200), st.integers(1, 5))
def test_whatever_is_answered_breaks_nothing(answer: str, count: int) -> None:
    read = contrast.read_shows('{"acts": ' + answer, count)
    assert read is None or set(read) == set(range(1, count + 1))


@pytest.mark.parametrize(
    ("speak_for", "against", "days", "lives"),
    [
        (3, 0, 3, True),
        (3, 1, 3, True),
        (3, 2, 3, False),
        (4, 2, 3, True),
        (4, 6, 4, False),
        (9, 0, 2, False),
        (0, 0, 0, False),
    ],
)
def test_what_speaks_for_it_must_outweigh_what_speaks_against_it(
    speak_for: int, against: int, days: int, lives: bool
) -> None:
    assert contrast.outweighs(speak_for, against, days, min_support=3) is lives


@pytest.mark.parametrize(
    ("days", "shows", "rounds", "expected"),
    [
        ((0, 1, 2), (F, F, F), (), (3, 0, 0, 3, True)),
        ((0, 1, 1), (F, F, F), (), (3, 0, 0, 2, False)),
        ((0, 1, 2), (F, F, N), (), (2, 0, 1, 2, False)),
        ((0, 1), (F, F), (by_round(7, 5),), (2, 0, 0, 3, True)),
        ((0, 1, 2, 3, 4), (F, A, F, A, F), (), (3, 2, 0, 3, False)),
        ((0, 1, 2, 3, 4), (N, F, F, A, F), (), (3, 1, 1, 3, True)),
    ],
)
def test_days_are_counted_of_what_speaks_for_it(
    days: tuple[int, ...], shows: tuple[Shows, ...], rounds: tuple[Support, ...], expected: tuple[object, ...]
) -> None:
    acts = [act(number, day) for number, day in enumerate(days, start=1)]
    batch = batch_of(candidate(*map(support, acts), *rounds), *acts)
    came = contrast.decided(batch, dict(enumerate(shows, start=1)), min_support=3)
    assert (came.speak_for, came.against, came.neither, came.days, came.lives) == expected


def test_acts_on_one_thing_are_one() -> None:
    collected = act(9, day=5, kind=ActionType.COLLECT_SESSION, round=None)
    acts = [act(1), act(2, day=1, round=1), act(3, day=2), collected, replace(act(4, day=3), session_id="t")]
    speaks = [replace(support(each), session_id=each.session_id) for each in acts]
    to_read = tuple(ActToRead(*each) for each in zip(acts, speaks, strict=True))
    batch = replace(batch_of(candidate()), acts=to_read)

    came = contrast.decided(batch, {1: F, 2: F, 3: A, 4: F, 5: N}, min_support=1)

    assert (came.speak_for, came.against, came.neither, came.days) == (1, 1, 1, 1)


def open_run(state: RunState = RunState.FAILED, next_at: datetime | None = None, tries: int = 1) -> OpenRun:
    return OpenRun(4, "", state, tries, (), is_again=False, next_at=next_at, target="#1", acts=(1, 2, 3))


@pytest.mark.parametrize(
    ("run", "acts", "due", "goes_on"),
    [
        (open_run(RunState.RUNNING), [1, 2, 3], {}, True),
        (open_run(next_at=NOW), [1, 2, 3], {}, True),
        (open_run(next_at=NOW + timedelta(seconds=1)), [1, 2, 3], {}, False),
        (open_run(next_at=NOW + timedelta(seconds=1)), [1, 2, 3, 4], {}, True),
        (open_run(next_at=NOW + timedelta(seconds=1)), [1, 2], {}, False),
        (open_run(), [1, 2, 3], {}, False),
        (open_run(), [1, 2, 3], {"everything": True}, True),
        (open_run(), [2, 3, 4], {}, True),
        (open_run(), [2, 3, 4], {"besides": (4,)}, False),
        (open_run(RunState.RUNNING), [1], {"besides": (4,)}, False),
    ],
)
def test_what_nobody_could_read_is_asked_again_in_time(
    run: OpenRun, acts: list[int], due: dict[str, object], goes_on: bool
) -> None:
    assert contrast.is_run_due(run, DueCandidates(NOW, **due), acts) is goes_on  # type: ignore[arg-type]


READ = candidate(support(act(1)), support(act(2)))


@pytest.mark.parametrize(
    ("now", "is_same"),
    [
        (READ, True),
        (replace(READ, memory=replace(READ.memory, searched=3, seen=2)), True),
        (None, False),
        (replace(READ, supports=READ.supports[:1]), False),
        (replace(READ, undone_at=NOW), False),
        (candidate(*READ.supports, content="other words"), False),
        (candidate(*READ.supports, held_because="url"), False),
        (candidate(*READ.supports, state=State.LIVE), False),
    ],
)
def test_what_changed_while_it_was_read_is_read_anew(now: Supported | None, is_same: bool) -> None:
    assert contrast.is_same(READ, now) is is_same


def pool_of(*supports: Support) -> list[Supported]:
    return [candidate(*supports)]


@pytest.mark.parametrize(
    ("supports", "unread", "to_read"),
    [
        ([support(act(1, -2)), support(act(2, -1)), support(act(3))], False, True),
        ([by_round(1, -2), by_round(2, -1), support(act(3))], False, True),
        ([by_round(1, -2), by_round(2, -1), by_round(3, 0)], True, False),
        ([by_round(1, -2), by_round(2, -1), by_round(3, 0), support(act(4))], True, False),
        ([by_round(1, -2), by_round(2, -1)], False, False),
    ],
)
def test_what_was_typed_often_enough_is_not_read_against_acts(
    supports: list[Support], unread: bool, to_read: bool
) -> None:
    figures = {"temperature": 0.001, "min_support": 3}
    pool = pool_of(*supports)
    assert (promoting.promoted_unread(pool, NOW, **figures) is not None) is unread  # type: ignore[arg-type]
    assert (promoting.to_read(pool, NOW, (), **figures) is not None) is to_read  # type: ignore[arg-type]
    assert promoting.to_read(pool, NOW, (1,), **figures) is None  # type: ignore[arg-type]
