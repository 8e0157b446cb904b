"""Many candidates at once: found by what they have, decided as one operation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes.foreign_files import claude_chat, conversation, message
from fakes.terminal import MadeOnce, OrcaHome

LINES = "# Food\n- likes tea\n- likes coffee\n# Work\n- always answer in English\n"


def fill(home: OrcaHome) -> None:
    """Five candidates: three of a list (operation 1), one of ChatGPT, one of Claude."""
    home.orca("memory", "import", stdin=LINES)
    home.orca("memory", "import", stdin=json.dumps([conversation([message("user", "I live in Rome.")], "Moving out")]))
    home.orca("memory", "import", stdin=json.dumps([claude_chat("I have two cats.", name="Pets")]))


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


@pytest.mark.long
def test_of_many_the_first_are_told(home: OrcaHome) -> None:
    home.orca("memory", "import", stdin="\n".join(f"likes tea number {number}" for number in range(60)))

    shown = home.orca("memory", "inbox")
    assert shown.stdout.count("held back") == 50
    assert "50 of 60" in shown.stderr
    assert len(home.orca("memory", "inbox", "--json").json["memories"]) == 60
    accepted = home.orca("memory", "accept", "--all", "--yes").stdout
    assert accepted.count("accepted  #") == 20
    assert "and 40 more" in accepted
    assert len(contents(home, "live")) == 60


def test_many_at_once_bring_nothing_that_is_known_in_the_same_words(home: OrcaHome) -> None:
    lines = "\n".join(f"likes tea number {number}" for number in range(30))
    home.orca("memory", "add", "Likes tea number 7.")
    home.orca("memory", "import", stdin=lines)

    home.orca("memory", "accept", "--all", "--yes")

    live = home.orca("memory", "list", "--json").json["memories"]
    assert len(live) == 30
    known = [(each["content"], each["seen"]) for each in live if each["content"].rstrip(".").endswith(" 7")]
    assert known == [("Likes tea number 7.", 1)]


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


def test_where_nothing_passes_nothing_is_decided(filled: OrcaHome) -> None:
    assert "0 candidates" in filled.orca("memory", "reject", "--search", "submarine", "--yes").stdout
    assert "nothing like this waits for you" in filled.orca("memory", "inbox", "--search", "submarine").stderr
