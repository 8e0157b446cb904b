"""`orca memory clean`: says what it does, before and after, in both languages and as JSON."""

from __future__ import annotations

import pytest
from fakes.terminal import OrcaHome


@pytest.fixture
def filled(home: OrcaHome) -> OrcaHome:
    home.write("User likes tea", "user likes tea.", "User likes cake")
    assert home.orca("memory", "edit", "3", "--weight", "0.1").status == 0
    return home


def test_a_dry_run_says_what_would_be_and_changes_nothing(filled: OrcaHome) -> None:
    before = filled.orca("memory", "list", "--status", "all", "--json").json

    ran = filled.orca("memory", "clean", "--dry-run")

    assert ran.status == 0
    assert ran.stdout.splitlines() == [
        "would be archived  #3  User likes cake",
        "would merge #2 into #1  User likes tea",
    ]
    assert ran.stderr == "nothing was changed: without --dry-run it is done now\n"
    assert filled.orca("memory", "list", "--status", "all", "--json").json == before


def test_it_says_what_it_did_and_how_it_is_taken_back(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "clean")

    assert ran.stdout.splitlines() == ["archived  #3  User likes cake", "merged #2 into #1  User likes tea"]
    assert ran.stderr == "orca memory undo 8 takes it back\n"
    assert filled.orca("memory", "clean").stderr == "nothing is to be cleaned\n"
    assert filled.orca("memory", "undo", "8").status == 0
    assert {each["status"] for each in filled.orca("memory", "list", "--json").json["memories"]} == {"active"}


def test_json_names_what_was_cleaned(filled: OrcaHome) -> None:
    dry = filled.orca("memory", "clean", "--dry-run", "--json").json
    done = filled.orca("memory", "clean", "--json").json

    told = {"archived": [3], "merged": [{"kept": 1, "others": [2]}], "short_term": 0, "vectors": 0}
    assert {key: dry[key] for key in told} == {key: done[key] for key in told} == told
    assert (dry["dry_run"], dry["operation"], dry["changed"]) == (True, None, [])
    assert (done["dry_run"], done["operation"]) == (False, 8)
    assert sorted((each["id"], each["status"]) for each in done["changed"]) == [
        (1, "active"),
        (2, "archived"),
        (3, "archived"),
    ]


def test_it_speaks_chinese(filled: OrcaHome) -> None:
    ran = filled.orca("memory", "clean", LANG="zh_CN.UTF-8")

    assert ran.stdout.splitlines()[0].startswith("已归档")
    assert "orca memory undo 8" in ran.stderr
