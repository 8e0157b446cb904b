"""What a run retracts inside its transaction: archived without a successor, taken back and done again with the run."""

from __future__ import annotations

import pytest
from fakes.records import AT, chat, header, later, remember

from orca_core.domain.learning import Batch, Due, RunEnd
from orca_core.domain.memories import ArchivedBecause, Memory, NewMemory, Origin, OriginKind, State
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.domain.stores import Stores
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.rules.keeping import curation, undo
from orca_core.rules.learning.agent import transcripts

GYM = "the user goes to the gym"


async def claimed(stores: Stores) -> Batch:
    due = Due(AT, 1, AT, everything=True)
    batch = await stores.learning.claim(due, transcripts.how_many_fit)
    assert batch is not None
    return batch


def word(content: str, *rounds: int) -> Proposal:
    return Proposal(NewMemory(content, origin=Origin(OriginKind.EXTRACTION, "s", rounds)))


async def memory_of(stores: Stores, memory_id: int) -> Memory:
    [memory] = await stores.memories.get([memory_id])
    return memory


async def test_what_is_retracted_is_archived_without_a_successor_and_named_by_the_run(opened) -> None:
    async with opened() as stores:
        [gym] = await remember(stores, GYM)
        await chat(stores)
        batch = await claimed(stores)

        learnt = await stores.learning.finish_run(
            batch, [word("no longer", 1)], [], lambda *_: Settlement(retracts=(gym,)), RunEnd(later())
        )

        assert learnt is not None
        assert (learnt.retracted, learnt.replaced, learnt.stored) == ((gym,), (), ())
        now = await memory_of(stores, gym)
        assert (now.state, now.archived_because, now.superseded_by) == (
            State.ARCHIVED, ArchivedBecause.RETRACTED, None,
        )  # fmt: skip
        run, _ = await stores.runs.run(batch.run)
        assert run.result is not None
        assert run.result.retracted == (gym,)
        [_made, change] = await stores.history.history(gym)
        assert change.after["archived_because"] == "retracted"


async def test_a_retraction_is_undone_and_done_again_with_its_run(opened) -> None:
    async with opened() as stores:
        [gym] = await remember(stores, GYM)
        await chat(stores)
        learnt = await stores.learning.finish_run(
            await claimed(stores), [word("no longer", 1)], [], lambda *_: Settlement(retracts=(gym,)), RunEnd(later())
        )
        assert learnt is not None

        await stores.history.undo(learnt.operation, later(), undo.plan)
        undone = await memory_of(stores, gym)
        await stores.history.redo(None, later(), undo.plan)

        assert (undone.state, undone.archived_because) == (State.LIVE, None)
        assert (await memory_of(stores, gym)).archived_because is ArchivedBecause.RETRACTED


@pytest.mark.parametrize("hand", ["pin", "archive"])
async def test_what_is_pinned_or_archived_is_not_retracted_whatever_the_rule_says(opened, hand: str) -> None:
    async with opened() as stores:
        [gym] = await remember(stores, GYM)
        await stores.memories.change([gym], header(hand), curation.each(getattr(curation, hand)))
        before = await memory_of(stores, gym)
        await chat(stores)

        learnt = await stores.learning.finish_run(
            await claimed(stores), [word("no longer", 1)], [], lambda *_: Settlement(retracts=(gym,)), RunEnd(later())
        )

        assert learnt is not None
        assert (learnt.retracted, learnt.operation) == ((), None)
        assert await memory_of(stores, gym) == before


async def test_the_rule_hears_what_this_run_and_earlier_ones_retracted(opened) -> None:
    async with opened() as stores:
        [gym] = await remember(stores, GYM)
        await chat(stores)
        batch = await claimed(stores)
        heard: list[tuple[frozenset[int], frozenset[int]]] = []

        def retracts_first(proposal: Proposal, beside: Known) -> Settlement:
            heard.append((beside.heard, beside.retracted))
            is_first = proposal is facts[0] and not beside.heard
            return Settlement(retracts=(gym,)) if is_first else Settlement(reason="rejected")

        facts = [word("no longer", 3), word("from before", 3), word("from later", 4)]
        await stores.learning.finish_run(batch, facts, [], retracts_first, RunEnd(later()))
        first, heard = heard[len(facts) :], []  # without what was rehearsed
        again = await stores.learning.claim_again("s", 0, later(), transcripts.how_many_fit)
        assert again is not None
        await stores.learning.finish_run(again, facts[:1], [], retracts_first, RunEnd(later()))

        nothing: frozenset[int] = frozenset()
        assert first == [(nothing, nothing), (frozenset({gym}), nothing), (nothing, nothing)]
        assert heard[1:] == [(frozenset({gym}), frozenset({gym}))]


def test_the_rule_that_databases_are_opened_with_names_no_successor() -> None:
    assert JOURNAL_RULES.retracted == {"state": "archived", "archived_because": "retracted"}
