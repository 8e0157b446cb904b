"""`orca eval rules`, end to end."""

from __future__ import annotations

import pytest
from fakes.model_server import ModelServer, answer
from fakes.terminal import OrcaHome


@pytest.fixture
def talked(home: OrcaHome) -> OrcaHome:
    """Some turns that brought memories, answered by a model that uses none of them."""
    with ModelServer() as server:
        server.will(answer("Look at the log first."))
        home.configure(
            f'provider = "box"\n[box]\nbase_url = "{server.base_url}"\nmodel = "m"\n[memory_agent]\nenabled = false\n'
        )
        home.orca("memory", "add", "Our postgres database listens on port 5433")
        home.orca("chat", "hello there, how are you today?", "--session", "s")
        for _ in range(2):
            home.orca("chat", "Why does postgres refuse the connection on its port?", "--session", "s")
    return home


def test_turns_and_weights_under_other_settings_are_told(talked: OrcaHome) -> None:
    before = talked.orca("memory", "list", "--json").json

    ran = talked.orca("eval", "rules", "--set", "memory.inject.long_term_trigger=never", "--json")

    assert ran.status == 0
    assert (ran.json["turns"], ran.json["replayed"], ran.json["not_reproduced"]) == (3, 3, 0)
    assert [change["round"] for change in ran.json["changes"]] == [2, 3]
    assert all(change["lost"] and not change["gained"] for change in ran.json["changes"])
    assert {weight["after"] for weight in ran.json["weights"]} == {1.0}
    assert all(weight["before"] < 1.0 for weight in ran.json["weights"])
    assert ran.json["after"]["tokens"] < ran.json["before"]["tokens"]
    assert talked.orca("memory", "list", "--json").json == before


def test_the_tables_are_for_people(talked: OrcaHome) -> None:
    ran = talked.orca(
        "eval", "rules", "--set", "memory.weights.unreferenced=-0.5", "--set", "memory.inject.short_term_count=0"
    )

    assert ran.status == 0
    assert ran.stdout.startswith("replayed: 3 of 3 turns; 1 would have got something else\n")
    assert "would not have come" in ran.stdout
    assert "archived  Our postgres database listens on port 5433" in ran.stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("memory.max_history=3", "no receipt tells what this would change"),
        ("memory.inject.short_term_count", "no receipt tells what this would change"),
        ("memory.inject.short_term_count=many", "memory.inject.short_term_count"),
        ("memory.inject.long_term_trigger=sometimes", "memory.inject.long_term_trigger"),
        ("memory.long_term.archive_threshold=7.0", "do not rise"),
    ],
)
def test_a_setting_that_can_not_be_replayed_is_one_line(home: OrcaHome, change: str, said: str) -> None:
    ran = home.orca("eval", "rules", "--set", change)

    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_without_turns_there_is_nothing_to_replay(home: OrcaHome) -> None:
    ran = home.orca("eval", "rules", "--set", "memory.inject.technical_keywords=['爬山']", "--json")

    assert (ran.status, ran.json["turns"], ran.json["changes"]) == (0, 0, [])
