"""`orca knowledge …`, `orca consolidate` and targets, end to end on a real database, with the demo's memory agent."""

from __future__ import annotations

import pytest
from fakes.terminal import MadeOnce, OrcaHome


def worked(home: OrcaHome, *requests: str, target: str = "order-service") -> None:
    for request in requests:
        assert home.orca("task", "start", request, "--target", target).status == 0
        assert home.orca("task", "step", "raised the pool to 50").status == 0
        assert home.orca("task", "done", "it was the pool").status == 0


def teach(home: OrcaHome) -> None:
    worked(home, "it times out", "it hangs", "it is slow")
    assert home.orca("consolidate").status == 0


@pytest.fixture
def taught(made_once: MadeOnce) -> OrcaHome:
    return made_once(teach)


def known(home: OrcaHome, number: int = 1) -> dict[str, object]:
    return home.orca("knowledge", "show", f"k{number}", "--json").json


def test_past_work_becomes_knowledge(home: OrcaHome) -> None:
    worked(home, "it times out", "it hangs")
    assert home.orca("consolidate", "--json").json["runs"] == []
    worked(home, "it is slow", target="Order Service")

    [run] = home.orca("consolidate", "--json").json["runs"]

    assert (run["state"], run["knowledge"], run["version"], run["held_because"]) == ("done", "k1", 1, None)
    made = known(home)
    assert (made["topic"], made["status"], made["source_episodes"]) == ("order-service", "active", ["e1", "e2", "e3"])
    assert made["key_points"] == ["raised the pool to 50"]
    assert made["confidence"] == 1
    shown = home.orca("knowledge", "show", "1").stdout
    assert "it was the pool" in shown
    assert "e2" in shown
    assert [each["id"] for each in home.orca("knowledge", "search", "pool", "--json").json["knowledge"]] == ["k1"]
    assert "k1" in home.orca("knowledge", "list").stdout
    assert home.orca("knowledge", "list", "--target", "ORDER SERVICE", "--json").json["total"] == 1
    assert home.orca("knowledge", "list", "--target", "nothing", "--json").json == {"knowledge": [], "total": 0}


def test_one_target_is_consolidated_when_it_is_named(home: OrcaHome) -> None:
    worked(home, "it times out")
    assert "orca knowledge target list" in home.orca("consolidate").stderr

    assert "knowledge k1, version 1" in home.orca("consolidate", "--target", "ORDER SERVICE").stdout


def test_what_a_deleted_episode_taught_is_held_back_and_written_anew(taught: OrcaHome) -> None:
    deleted = taught.orca("episode", "delete", "e2", "--yes")
    assert "k1: made of it, held back until it is written anew" in deleted.stderr
    held = known(taught)
    assert (held["status"], held["held_because"], held["source_episodes"]) == (
        "candidate",
        "source_deleted",
        ["e1", "e3"],
    )
    assert "an episode that it was made of was deleted" in taught.orca("memory", "inbox").stdout

    [run] = taught.orca("consolidate", "--json").json["runs"]

    assert (run["state"], run["knowledge"], run["version"]) == ("done", "k1", 2)
    assert (known(taught)["status"], known(taught)["held_because"]) == ("active", None)


def test_what_is_pinned_stays_and_the_doctor_says_so(taught: OrcaHome) -> None:
    assert taught.orca("knowledge", "pin", "k1").status == 0
    assert taught.orca("episode", "delete", "e3", "--yes", "--json").json["kept"] == ["k1"]
    deleted = taught.orca("episode", "delete", "e2", "--yes")
    assert "k1: made of it, and kept, for you pinned or wrote it" in deleted.stderr
    assert "deleted; you pinned or wrote them: k1" in taught.orca("doctor").stdout
    assert "noted: an episode that it was made of was deleted" in taught.orca("knowledge", "show", "k1").stdout

    assert taught.orca("knowledge", "edit", "k1", "--content", "Look at the pool.").status == 0

    assert "you pinned or wrote them" not in taught.orca("doctor").stdout
    assert known(taught)["held_because"] is None


def test_a_corrected_outcome_renews_what_it_taught(taught: OrcaHome) -> None:
    assert taught.orca("episode", "edit", "e2", "--outcome", "failed").status == 0
    assert "1 to be read" in taught.orca("knowledge", "target", "list").stdout

    [run] = taught.orca("consolidate", "--json").json["runs"]

    assert (run["episodes"], run["version"]) == (["e2"], 2)
    assert taught.orca("consolidate", "--json").json["runs"] == []


def test_knowledge_is_changed_by_hand_and_taken_back(taught: OrcaHome) -> None:
    assert taught.orca("knowledge", "edit", "k1", "--content", "Look at the pool.", "--point", "").status == 0
    assert (known(taught)["content"], known(taught)["key_points"]) == ("Look at the pool.", [])
    for act, field, value in (
        ("pin", "pinned", True),
        ("unpin", "pinned", False),
        ("archive", "status", "archived"),
        ("restore", "status", "active"),
    ):
        assert taught.orca("knowledge", act, "k1").status == 0
        assert known(taught)[field] == value
    assert "nothing to change" in taught.orca("knowledge", "unpin", "1").stderr
    assert taught.orca("knowledge", "accept", "k1").status != 0
    assert taught.orca("knowledge", "edit", "k1").status != 0
    assert taught.orca("knowledge", "show", "k9").status != 0
    actions = [each["action"] for each in taught.orca("knowledge", "history", "k1", "--json").json["changes"]]
    assert actions == ["consolidate", "edit", "pin", "unpin", "archive", "restore"]
    assert len(taught.orca("knowledge", "history", "k1").stdout.splitlines()) == 6


def test_deleted_knowledge_is_gone_and_not_made_again(taught: OrcaHome) -> None:
    assert taught.orca("knowledge", "delete", "k1").status != 0
    assert "order-service" in taught.orca("knowledge", "delete", "k1", "--yes").stdout
    assert taught.orca("knowledge", "list", "--status", "all", "--json").json["total"] == 0
    assert taught.orca("consolidate", "--json").json["runs"] == []


def test_a_target_is_renamed_everywhere(taught: OrcaHome) -> None:
    assert "episodes 3, knowledge 1" in taught.orca("knowledge", "target", "rename", "order service", "orders").stdout
    [target] = taught.orca("knowledge", "target", "list", "--json").json["targets"]
    assert (target["target"], target["episodes"], target["knowledge"]) == ("orders", 3, ["k1"])
    assert "orders" in taught.orca("knowledge", "target", "list").stdout
    assert taught.orca("memory", "undo").status == 0
    assert known(taught)["target"] == "order-service"
    assert taught.orca("knowledge", "target", "rename", "nowhere", "x").status != 0


def test_nothing_is_consolidated_where_it_is_off(home: OrcaHome) -> None:
    assert "orca consolidate" in home.orca("knowledge", "list").stderr
    home.configure("[memory.consolidate]\nenabled = false\n")

    ended = home.orca("consolidate")

    assert ended.status != 0
    assert "memory.consolidate.enabled" in ended.stderr


def test_a_run_names_its_target_and_what_it_made(taught: OrcaHome) -> None:
    shown = taught.orca("extract", "--show", "1").stdout

    assert "order-service" in shown.splitlines()[0]
    document = taught.orca("extract", "--show", "1", "--json").json
    assert (document["target"], document["episodes"], document["knowledge"]) == (
        "order-service",
        ["e1", "e2", "e3"],
        ["k1"],
    )
