"""What does not come into a home, or not as it says: a document with a mistake, and work of which others tell."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.exchange import a_memory, a_pair, brought, document, pieces
from fakes.records import remember

from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import Arrival
from orca_core.model.memories import State
from orca_core.model.records import EPISODE, KNOWLEDGE


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"memories": [a_memory(), a_memory("x")]}, "memories[1].content, line 1: a memory has 2 to 2000 characters"),
        (
            {"memories": [a_memory(), a_memory("xyz", confidence=1.5)]},
            "memories[1].confidence, line 1: confidence must",
        ),
        ({"memories": [a_memory(), a_memory("xyz", weight=-1)]}, "memories[1].weight, line 1: weight must lie"),
        ({"memories": [a_memory(), a_memory()]}, "memories[1], line 1: the same as memories[0]"),
        ({"memories": [a_memory(), a_memory("I use\u200b vim")]}, "memories[1], line 1: the same as memories[0]"),
        ({"memories": [a_memory(uid="a\nb")]}, "memories[0].uid, line 1: "),
        ({"memories": [a_memory(created_at="1969-01-01")]}, "memories[0].created_at, line 1: no such time"),
        (
            {"memories": [a_memory(history=[{"operation": 7, "before": None, "after": {}}])]},
            "memories[0].history, line 1: there is no operation 7 in this document",
        ),
        (
            {"memories": [a_memory(history=[{"operation": 1, "before": None, "after": {"content": ""}}])]},
            "memories[0].history[0].content, line 1: a memory has 2 to 2000",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("uid of I use vim")])]},
            "memories[0].pairs[0].with, line 1: a memory makes no pair with itself",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("x"), a_pair("y", why="same")])]},
            "memories[0].pairs[1].why, line 1: 'same' is none of conflict, other_value, undecided, update",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("x", why="w" * 5000)])]},
            f"memories[0].pairs[0].why, line 1: '{'w' * 77}…' is none of conflict, other_value",
        ),
        (
            {"memories": [a_memory(type="w" * 5000)]},
            f"memories[0].type, line 1: '{'w' * 37}…' is none of fact, ",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("x", settled="neither")])]},
            "memories[0].pairs[0].settled, line 1: 'neither' is not 'both'",
        ),
        (
            {"memories": [a_memory(pairs=[{**a_pair("x"), "at": "soon"}])]},
            "memories[0].pairs[0].at, line 1: 'soon' is not a time",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("x", newer=1)])]},
            "memories[0].pairs[0].newer, line 1: there is no such field",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("x"), a_pair("x")])]},
            "memories[0].pairs[1], line 1: the same pair as memories[0].pairs[0]",
        ),
        (
            {"memories": [a_memory(pairs=[a_pair("b")]), a_memory("xyz", uid="b", pairs=[a_pair("uid of I use vim")])]},
            "memories[1].pairs, line 1: the same pair as memories[0].pairs",
        ),
        (
            {"operations": [{"number": 1, "actor": "user", "action": "add", "at": "2026-01-01"}] * 2},
            "operations[1].number, line 1: operation 1 stands here twice",
        ),
    ],
)
async def test_where_anything_is_wrong_nothing_comes(opened: Any, wrong: dict[str, Any], said: str) -> None:
    async with opened() as stores:
        with pytest.raises(InvalidInput) as refused:
            await brought(stores, {"orca_export": 1, **wrong})

        assert str(refused.value).startswith(said)
        assert await stores.exchange.is_empty()
        assert await stores.history.operations(5) == []


async def test_a_cut_document_brings_nothing(opened: Any) -> None:
    async with opened() as stores:
        whole = b"".join(pieces(document(*(a_memory(f"I use tool {number}") for number in range(900)))))
        with pytest.raises(InvalidInput, match="the document ends here"):
            await brought(stores, whole[:-500])

        assert await stores.exchange.is_empty()


async def test_on_one_target_one_knowledge_lives(opened: Any) -> None:
    known = {
        "uid": "k",
        "topic": "502",
        "content": "restart it",
        "target": "Nginx",
        "text": "502: restart it",
        "created_at": "2026-01-01",
        "updated_at": "2026-01-01",
    }
    async with opened() as stores:
        await brought(stores, document(knowledge=[{**known, "uid": "here", "target": "nginx"}]))
        came = await brought(stores, document(knowledge=[known]), trust=True)

        assert came.counts == {"knowledge": {Arrival.CANDIDATE: 1}}
        states = [(each.uid, each.state) async for each in stores.records[KNOWLEDGE].all()]
        assert states == [("here", State.LIVE), ("k", State.CANDIDATE)]


async def test_what_is_found_by_an_untrusted_episode_is_what_it_says(opened: Any) -> None:
    given = {
        "uid": "e",
        "trigger_summary": "nginx answers 502",
        "text": "hidden words",
        "outcome": "success",
        "created_at": "2026-01-01",
        "updated_at": "2026-01-01",
        "aged_from": "2020-01-01",
        "access_count": 99,
    }
    async with opened() as stores:
        await remember(stores, "I live in Oslo")
        await brought(stores, document(episodes=[given]))

        [episode] = [each async for each in stores.records[EPISODE].all()]
        assert (episode.state, episode.held_because, episode.access_count) == (State.CANDIDATE, "imported", 0)
        assert "hidden" not in episode.text
        assert "nginx answers 502" in episode.text
