"""`orca memory inbox | accept | reject`: what waits, how near it is, and what a person decides of many."""

from __future__ import annotations

import asyncio
import json
from asyncio import run
from types import SimpleNamespace
from typing import Any

import pytest
from fakes.foreign_files import conversation, message
from fakes.memories import memory
from fakes.supported import LIKES_TABLES, by_act, by_round, shown, supported
from fakes.terminal import MadeOnce, OrcaHome

from orca_core.model.errors import NotFound
from orca_core.model.memories import InboxItem, State, Status
from orca_core.model.record_types import memory_ref
from orca_core.model.views import Forecast, InboxCase, MemoryView
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.store import open_stores
from orca_tui.cli.inbox import inbox_of


def held(home: OrcaHome) -> str:
    """Leave one candidate; its text."""
    home.orca("chat", "--session", "s", "我的电话是 13912345678")
    home.orca("extract")
    [candidate] = home.orca("memory", "inbox", "--json").json["memories"]
    assert candidate["now"] == {"held_because": "account_number", "same": None, "since": []}
    return str(candidate["content"])


def test_what_is_remembered_by_now_is_said_and_accepting_confirms_it(home: OrcaHome) -> None:
    content = held(home)
    home.write(f"{content}。")

    [candidate] = home.orca("memory", "inbox", "--json").json["memories"]
    assert candidate["now"]["same"] == {"id": 2, "state": "live"}
    assert (candidate["would_replace"], candidate["nearest"]["id"]) == (None, 2)
    shown = home.orca("memory", "inbox").stdout
    assert "already remembered as #2" in shown
    assert f"says the same: #2  {content}。" in shown

    accepted = home.orca("memory", "accept", "1").stdout
    assert f"gave way to #2  #1  {content}" in accepted
    assert [each["seen"] for each in home.orca("memory", "list", "--json").json["memories"]] == [2]


CANDIDATES = [memory(id=number, state=State.CANDIDATE) for number in (1, 2, 3)]


class InboxThatLoses:
    """Three candidates, of which the second is deleted once they are listed."""

    async def waits(self, limit: int | None = None) -> list[InboxItem]:
        assert limit is None
        return [
            InboxItem(memory_ref(each.id), each.content, each.updated_at, None, None, each.origin, each)
            for each in CANDIDATES
        ]

    async def case(self, memory_id: int) -> InboxCase:
        if memory_id == 2:
            raise NotFound(what="memory", id=memory_id)
        return InboxCase(MemoryView(CANDIDATES[memory_id - 1], Status.CANDIDATE, Forecast(None, None), 0.0), (), None)


def test_a_candidate_deleted_meanwhile_is_left_out() -> None:
    inbox = InboxThatLoses()
    orca = SimpleNamespace(inbox=inbox, memories=inbox)

    found, total = run(inbox_of(orca))  # type: ignore[arg-type]

    assert [case.memory.id for case in found if isinstance(case, InboxCase)] == [1, 3]
    assert total == 2


LINES = "# Food\n- likes tea\n- likes coffee\n# Work\n- always answer in English\n"


def fill(home: OrcaHome) -> None:
    """Five candidates: three of a list (operation 1), one of ChatGPT, one of Claude."""
    home.orca("memory", "import", stdin=LINES)
    bio = message("assistant", "I live in Rome", recipient="bio")
    home.orca("memory", "import", stdin=json.dumps([conversation([bio], "Moving out")]))
    home.orca("memory", "import", stdin=json.dumps({"project_memories": {"Pets": "I have two cats"}}))


@pytest.fixture
def filled(made_once: MadeOnce) -> OrcaHome:
    return made_once(fill)


def contents(home: OrcaHome, status: str) -> list[str]:
    listed = home.orca("memory", "list", "--status", status, "--sort", "id", "--json").json["memories"]
    return [each["content"] for each in listed]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--type", "preference"), ["likes tea", "likes coffee"]),
        (("--chat", "moving"), ["I live in Rome"]),
        (("--chat", "food"), ["likes tea", "likes coffee"]),
        (("--from", "claude"), ["I have two cats"]),
        (("--search", "tea"), ["likes tea"]),
        (("--operation", "1"), ["likes tea", "likes coffee", "always answer in English"]),
        (("--operation", "1", "--type", "instruction"), ["always answer in English"]),
    ],
)
def test_candidates_are_found_by_what_they_have(filled: OrcaHome, options: tuple[str, ...], found: list[str]) -> None:
    shown = filled.orca("memory", "inbox", *options, "--json").json
    dry: dict[str, Any] = filled.orca("memory", "accept", *options, "--dry-run", "--json").json

    assert [each["content"] for each in shown["memories"]] == found
    assert [each["content"] for each in dry["would_change"]] == found
    assert (shown["total"], dry["changed"], dry["operation"]) == (len(found), [], None)
    assert len(contents(filled, "candidate")) == 5

    accepted = filled.orca("memory", "accept", *options, "--yes", "--json").json
    assert [each["content"] for each in accepted["changed"]] == found
    assert len(accepted["operations"]) == 1
    assert contents(filled, "live") == found
    filled.orca("memory", "undo")
    assert len(contents(filled, "candidate")) == 5


def test_all_are_refused_as_one_and_brought_back_as_one(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "reject", "--all", "--yes")

    assert ran.stdout.count("rejected  #") == 5
    assert len(contents(filled, "rejected")) == 5
    filled.orca("memory", "undo")
    assert len(contents(filled, "candidate")) == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("accept",), "nothing says which candidates are meant"),
        (("reject", "1", "--chat", "food"), "not both"),
        (("accept", "1", "--all"), "not both"),
        (("reject", "--all"), "nobody can be asked"),
        (("accept", "--all", "--json"), "nobody can be asked"),
        (("accept", "--type", "wish", "--yes"), "wish"),
        (("inbox", "--from", "siri"), "siri"),
    ],
)
def test_what_is_not_clear_is_refused(filled: OrcaHome, arguments: tuple[str, ...], said: str) -> None:
    ran = filled.orca("memory", *arguments)

    assert ran.status == 2
    assert said in ran.stderr + ran.stdout
    assert len(contents(filled, "candidate")) == 5


def grow(home: OrcaHome) -> None:
    """A fact (1), a wish (2), and three candidates: new (3), nearly there (4), held for an address (5)."""
    home.orca("memory", "add", "I live in Oslo", "--type", "fact")
    home.orca("memory", "add", "Answer in short sentences", "--type", "instruction")

    async def fill() -> None:
        stores: Stores = await open_stores(home.path / "orca.db", scope="me", must_exist=True)
        new, near, held = (
            await shown(stores, "The user likes lists"),
            await shown(stores, LIKES_TABLES),
            await shown(stores, "The user reads example.org", "url"),
        )
        await supported(stores, by_act(new, 10, 0), by_act(near, 11, 0), by_round(near, 7, 1), by_act(held, 12, 0))
        await stores.upkeep.aclose()

    asyncio.run(fill())


@pytest.fixture
def grown(made_once: MadeOnce) -> OrcaHome:
    return made_once(grow)


@pytest.mark.parametrize(("pool", "ids"), [("candidates", [3, 4, 5]), ("info", [1]), ("profile", [2])])
def test_a_pool_is_a_list(grown: OrcaHome, pool: str, ids: list[int]) -> None:
    listed = grown.orca("memory", "list", "--pool", pool, "--json").json

    assert [each["id"] for each in listed["memories"]] == ids
    assert listed["total"] == len(ids)
    assert all(("supports" in each) == (pool == "candidates") for each in listed["memories"])
    assert grown.orca("memory", "list", "--pool", pool, "--limit", "1", "--offset", "9").stdout == ""


def test_a_candidate_shows_what_speaks_for_it_and_what_it_waits_for(grown: OrcaHome) -> None:
    told = grown.orca("memory", "show", "4").stdout

    assert "    shown: 2 of 3 days · 0.86, none to beat\n" in told
    assert "    what it takes: goes live when it was shown on 1 more day, as the best of those that were\n" in told
    assert "    visited: 2 times\n" in told
    assert told.endswith("act a11\n      2026-11-21 12:00, what you typed, session s, round 7\n")
    assert "only you can let it live: holds an address" in grown.orca("memory", "show", "5").stdout
    assert "what it takes:" not in grown.orca("memory", "show", "1").stdout
