"""What acts show, as commands tell it: pools, how near a candidate is, what would let it live."""

from __future__ import annotations

import asyncio

import pytest
from fakes.promoted import held
from fakes.supported import LIKES_TABLES, by_act, by_round, shown, supported
from fakes.terminal import MadeOnce, OrcaHome

from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores


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
        await stores.housekeeping.aclose()

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


def test_candidates_are_listed_with_how_near_they_are(grown: OrcaHome) -> None:
    for given in (("--pool", "candidates"), ("--status", "candidate")):
        told = grown.orca("memory", "list", *given).stdout

        assert "2 of 3 days · 0.86, none to beat" in told
        assert "holds an address" in told


def test_a_candidate_shows_what_speaks_for_it_and_what_it_waits_for(grown: OrcaHome) -> None:
    told = grown.orca("memory", "show", "4").stdout

    assert "    shown: 2 of 3 days · 0.86, none to beat\n" in told
    assert "    what it takes: goes live when it was shown on 1 more day, as the best of those that were\n" in told
    assert "    visited: 2 times\n" in told
    assert told.endswith("act a11\n      2026-11-21 12:00, what you typed, session s, round 7\n")
    assert "only you can let it live: holds an address" in grown.orca("memory", "show", "5").stdout
    assert "what it takes:" not in grown.orca("memory", "show", "1").stdout


def test_a_candidate_in_json_has_its_figures(grown: OrcaHome) -> None:
    figures = grown.orca("memory", "show", "4", "--json").json

    assert [(each["kind"], each["ref"]) for each in figures["supports"]] == [("act", "a11"), ("round", "s#7")]
    assert (figures["visited"], figures["threshold"], figures["confirmed_by"]) == (2, 0.0, None)
    assert figures["score"] == pytest.approx(0.865, abs=0.01)


def test_the_inbox_shows_the_nearest_of_the_unproven_first(grown: OrcaHome) -> None:
    inbox = grown.orca("memory", "inbox", "--json").json
    told = grown.orca("memory", "inbox").stdout

    assert [each["id"] for each in inbox["memories"]] == [4, 3, 5]
    assert [each["visited"] for each in inbox["memories"]] == [2, 1, 1]
    assert told.count("shown: ") == 2  # nothing is counted towards what only a person lets live
    assert told.index("2 of 3 days") < told.index("1 of 3 days")


def test_a_pool_chooses_by_itself(grown: OrcaHome) -> None:
    unknown = grown.orca("memory", "list", "--pool", "everything")
    twice = grown.orca("memory", "list", "--pool", "info", "--type", "fact")

    assert "there is no pool everything — one of candidates, info, profile" in unknown.stderr
    assert "--pool chooses by itself" in twice.stderr
    assert (unknown.status, twice.status) == (2, 2)


def test_it_is_told_in_chinese(grown: OrcaHome) -> None:
    told = grown.orca("memory", "show", "4", LANG="zh_CN.UTF-8", PYTHONUTF8="1").stdout

    assert "3 天中已有 2 天 · 0.86，没有要超过的候选" in told
    assert "再有 1 天的表现，并且在其中最好，就会生效" in told


def test_what_the_verifier_does_not_see_says_so(home: OrcaHome) -> None:
    async def hold() -> int:
        stores: Stores = await open_stores(home.path / "orca.db", scope="me", must_exist=True)
        operation = await held(stores)
        await stores.housekeeping.aclose()
        return operation

    home.orca("memory", "list")
    operation = asyncio.run(hold())

    assert "held back: you did not say so\n" in home.orca("memory", "inbox").stdout
    assert "only you can let it live" in home.orca("memory", "show", "1").stdout
    run = home.orca("extract", "--show", "4").stdout
    assert "run 4 #1 · acts · learnt" in run
    assert "  ? #1  The user prefers short answers\n" in run
    assert "do they show it?" in run
    assert home.orca("extract", "--show", "4", "--json").json["candidates"] == [1]
    assert home.orca("memory", "undo", str(operation)).status == 0
    assert "not shown often enough yet" in home.orca("memory", "inbox").stdout
    assert "you took back what became of it" in home.orca("memory", "show", "1").stdout
