"""What becomes of cues when a memory is edited, merged, said again or taken back; and which a machine may write."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from msgspec.structs import replace

from orca_core.domain.journal import Actor, Change
from orca_core.domain.memories import CuesBy, Memory, NewMemory, State
from orca_core.domain.refs import memory_ref
from orca_core.rules.keeping import cueing, curation, undo
from orca_core.rules.keeping.said_again import said_again

AGENT, USER = CuesBy.AGENT, CuesBy.USER
WROTE = {"cues": ["slow build"], "cues_by": "agent"}


def of(by: CuesBy | None, *cues: str, **fields: object) -> Memory:
    return replace(memory(), cues=cues, cues_by=by, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (of(AGENT, "slow build"), {"content": "another text"}, {"cues": [], "cues_by": None}),
        (of(USER, "slow build"), {"content": "another text"}, {}),
        (of(AGENT, "slow build"), {"weight": 2.0}, {}),
        (of(None), {"cues": ["slow build"]}, {"cues": ["slow build"], "cues_by": "user"}),
        (of(AGENT, "slow build"), {"cues": []}, {"cues": [], "cues_by": "user"}),
        (of(AGENT, "a cue"), {"further_cues": ["slow build"]}, {"cues": ["a cue", "slow build"], "cues_by": "user"}),
        (of(AGENT, "a cue"), {"cues": [], "further_cues": ["slow build"]}, {"cues": ["slow build"], "cues_by": "user"}),
    ],
)
def test_a_hand_writes_cues_and_those_of_a_machine_go_with_the_text(
    before: Memory, edit: dict[str, object], after: dict[str, object]
) -> None:
    fields = curation.edit(**edit, max_weight=10.0)(before)  # type: ignore[arg-type]

    assert {name: value for name, value in fields.items() if name.startswith("cues")} == after


def test_a_merge_keeps_the_cues_of_all() -> None:
    together = cueing.merged([of(None), of(AGENT, "slow build"), of(USER, "a cue", "slow build")])

    assert together == {"cues": ["slow build", "a cue"], "cues_by": "user"}
    assert cueing.merged([of(None), of(None)]) == {"cues": [], "cues_by": None}


def test_a_machine_writes_only_for_what_it_was_shown_lives_and_has_none() -> None:
    memories = [
        of(None, id=1),
        of(None, id=2),
        of(None, id=3, content="reworded since"),
        of(USER, id=4),
        of(None, id=5, state=State.ARCHIVED),
    ]
    shown = {each.id: memory().content for each in memories}
    proposed = {each.id: ["slow build", "x" * 99] for each in memories if each.id != 2}

    assert cueing.cued(proposed, shown)(memories) == {1: WROTE, 2: {"cues": [], "cues_by": "agent"}}


def test_what_is_said_again_brings_cues_where_nobody_wrote_any() -> None:
    new = NewMemory(memory().content, cues=("slow build",), cues_by=AGENT)

    assert said_again(of(None), new).changes.items() >= WROTE.items()
    assert "cues" not in said_again(of(AGENT), new).changes
    assert "cues" not in said_again(of(USER, "a cue"), new).changes


@pytest.mark.parametrize(("by", "restored"), [("agent", ["slow build"]), ("user", None)])
def test_a_text_taken_back_has_its_old_cues_again_unless_a_hand_wrote_others(by: str, restored: object) -> None:
    ref = memory_ref(1)
    before = {"content": "old", "cues": ["slow build"], "cues_by": "agent"}
    after = {"content": "new", "cues": [], "cues_by": None}
    held = {**after, "cues": ["another"], "cues_by": by}

    plan = undo.plan([Change(1, ref, memory().created_at, Actor.USER, "edit", before, after)], {ref: held}, {})

    assert plan.restore[ref]["content"] == "old"
    assert plan.restore[ref].get("cues") == restored
    assert bool(plan.conflicts) is (restored is None)
