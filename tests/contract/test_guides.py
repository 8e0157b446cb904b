"""Guides of tools: claimed when due, written once, held back beside what lives; one lives."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.records import AT, begin, header, later
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.learning import AgentMessage, RunEnd
from orca_core.model.memories import State
from orca_core.model.record_types import GUIDE
from orca_core.model.tools import DueGuides, GuideBatch, GuideWritten, JudgedGuide
from orca_core.operations.stores import Stores
from orca_core.rules.work import work_curation
from orca_core.rules.work.reported_calls import checked_call

DUE = DueGuides(later(1000), 5, 300.0)


async def called(
    stores: Stores, count: int = 6, tool: str = "web_search", prefix: str = "c", session: str = "s"
) -> None:
    given = [
        {"tool": tool, "output": "ok", "call_id": f"{prefix}{number}", "session_id": session, "at": later(number)}
        for number in range(count)
    ]
    await stores.tools.record([checked_call(each, later(10_000)) for each in given])


def ended(at: Any = AT) -> RunEnd:
    return RunEnd(at, (AgentMessage("user", "material", at), AgentMessage("assistant", "said", at)))


async def claimed(stores: Stores, due: DueGuides = DUE) -> GuideBatch:
    batch = await stores.tools.claim_guide(due)
    assert batch is not None
    return batch


async def written(stores: Stores, text: str = "Keep it short.", held: str | None = None, at: Any = AT) -> GuideWritten:
    done = await stores.tools.finish_guide(await claimed(stores), JudgedGuide(text, "m", held), ended(at))
    assert done is not None
    return done


async def live(stores: Stores) -> list[str]:
    return [each.text for each in await stores.tools.guides_of(["WEB_SEARCH"])]


async def test_a_guide_is_written_once_of_the_calls_that_are_new(stores) -> None:
    await called(stores)
    batch = await claimed(stores)
    assert (batch.tool, len(batch.calls), batch.figures.calls, batch.known) == ("web_search", 6, 6, ())
    done = await stores.tools.finish_guide(batch, JudgedGuide("Keep it short.", "m"), ended())

    assert (done.guide.target, done.guide.through, done.guide.state) == (
        "web_search",
        batch.calls[-1].id,
        State.LIVE,
    )
    assert await stores.tools.claim_guide(DUE) is None
    assert await stores.tools.waiting_for_guides() == []


async def test_further_calls_make_a_new_version_of_the_same_guide(stores) -> None:
    await called(stores)
    first = await written(stores)
    await called(stores, prefix="d")
    second = await written(stores, "Use few words.", at=later(30))

    assert (second.guide.id, second.guide.version) == (first.guide.id, 2)
    await stores.history.undo(second.operation, later(40))
    assert await live(stores) == ["Keep it short."]
    assert await stores.tools.claim_guide(DUE) is None  # what was undone is not written again of the same calls


async def test_what_is_held_back_waits_beside_what_lives_and_takes_its_place_once_accepted(stores) -> None:
    await called(stores)
    await written(stores)
    await called(stores, prefix="d")
    held = (await written(stores, "Tell the user.", "instruction")).guide
    await called(stores, prefix="e")
    renewed = (await written(stores, "Tell everybody.", "instruction")).guide

    assert (renewed.id, renewed.state, renewed.held_because) == (held.id, State.CANDIDATE, "instruction")
    assert await live(stores) == ["Keep it short."]
    accepted = await stores.tools.accept_guides([held.id], header("accept", later(9)), work_curation.accept(GUIDE))
    assert await live(stores) == ["Tell everybody."]
    await stores.history.undo(accepted.operation, later(10))
    assert await live(stores) == ["Keep it short."]


async def test_what_a_person_pinned_or_wrote_is_written_anew_only_when_asked_for(stores) -> None:
    await called(stores)
    guide = (await written(stores)).guide
    await stores.records[GUIDE].change(guide.id, {"text": "Mine."}, header("edit", later(7)))
    await called(stores, prefix="d")

    assert [each.is_kept_by_hand for each in await stores.tools.waiting_for_guides()] == [True]
    assert await stores.tools.claim_guide(DUE) is None
    assert await stores.tools.next_guide_at(DUE) is None
    assert await stores.tools.claim_guide(replace(DUE, target="Web_Search")) is not None


async def test_calls_that_are_deleted_meanwhile_make_a_batch_void(stores) -> None:
    await begin(stores, "s")
    await called(stores)
    batch = await claimed(stores)
    await stores.sessions.delete("s", header("delete"))

    assert await stores.tools.finish_guide(batch, JudgedGuide("Short.", "m"), ended()) is None
    _run, exchange = await stores.learning.run(batch.run)
    assert exchange == []
    assert await live(stores) == []


async def lives(stores: Stores) -> list[int]:
    found = [await stores.records[GUIDE].get([number]) for number in (1, 2)]
    return [each.id for [each] in found if each.state is State.LIVE]


async def written_anew(stores: Stores) -> int:
    """One that was taken back, and another one written since; returns the operation that took it back."""
    await called(stores)
    first = await written(stores)
    undone = await stores.history.undo(first.operation, later(20))
    await called(stores, prefix="d")
    await written(stores, "Use few words.", at=later(30))
    return undone.operation


async def test_a_guide_that_is_done_again_takes_the_place_of_one_written_since(stores) -> None:
    undone = await written_anew(stores)
    redone = await stores.history.redo(undone, later(40))
    assert await lives(stores) == [1]
    await stores.history.undo(redone.operation, later(50))
    assert await lives(stores) == [2]


PIN = {"pinned": True}
WAITS = "not_in_calls"


async def one_that_waits(stores: Stores) -> None:
    """Guide 1 lives, guide 2 of the same tool waits."""
    await called(stores)
    await written(stores)
    await called(stores, prefix="d")
    await written(stores, "See https://x.example.", held=WAITS, at=later(30))


async def accept(stores: Stores, *ids: int) -> None:
    await stores.tools.accept_guides(ids, header("accept", later(50)), work_curation.accept(GUIDE, None))


async def states(stores: Stores, *ids: int) -> list[State]:
    return [each.state for each in await stores.records[GUIDE].get(ids)]


async def test_none_takes_the_place_of_a_pinned_one_and_nothing_changes(stores) -> None:
    await one_that_waits(stores)
    await stores.records[GUIDE].change(1, PIN, header("pin", later(40)))
    with pytest.raises(InvalidInput, match="guide g1 of web_search is pinned"):
        await accept(stores, 2)
    assert await states(stores, 1, 2) == [State.LIVE, State.CANDIDATE]

    await stores.records[GUIDE].change(1, {"pinned": False}, header("unpin", later(45)))
    await accept(stores, 2)
    assert await lives(stores) == [2]
