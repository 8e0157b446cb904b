"""The inbox, forgetting, figures and checks of episodes and knowledge, end to end on a real database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from fakes.terminal import OrcaHome
from fakes.work import an_episode

from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.model.tasks import Outcome
from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores

HOSTILE = "clip\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj [@click=app.quit]x[/]"


async def fill(home: OrcaHome, put) -> None:  # type: ignore[no-untyped-def]
    stores = await open_stores(home.path / "orca.db", scope="me", must_exist=True)
    try:
        await put(stores)
    finally:
        await stores.housekeeping.aclose()


def header(action: str = "add") -> OperationHeader:
    return OperationHeader(Actor.USER, action, datetime.now(UTC))


async def candidates(stores: Stores) -> None:
    """An episode and knowledge that wait."""
    quoted = Origin(OriginKind.EXTRACTION, session_id="s", rounds=(1, 2), quote="works now")
    now = datetime.now(UTC)
    episode = an_episode(
        trigger_summary=f"nginx 502 {HOSTILE}", state=State.CANDIDATE, held_because="not_typed", origin=quoted,
        updated_at=now,
    )  # fmt: skip
    await stores.records[EPISODE].add(episode, header())
    known = Knowledge(0, "k", "nginx", "nginx", "restart it", now, now, state=State.CANDIDATE, held_because="url")
    await stores.records[KNOWLEDGE].add(known, header())


async def faded(stores: Stores) -> None:
    """An old failure, which is due, and a new one, which is not."""
    for number, days in enumerate((90, 10)):
        made = datetime.now(UTC) - timedelta(days=days)
        old = {"created_at": made, "updated_at": made, "aged_from": made, "outcome": Outcome.FAILED}
        await stores.records[EPISODE].add(an_episode(uid=f"u{number}", **old), header())


@pytest.fixture
def made(home: OrcaHome) -> OrcaHome:
    assert home.orca("memory", "list").status == 0
    return home


def test_the_inbox_shows_candidates_of_every_kind(made: OrcaHome) -> None:
    asyncio.run(fill(made, candidates))

    document = made.orca("memory", "inbox", "--json").json
    assert (document["total"], document["memories"]) == (2, [])
    [episode], [known] = document["episodes"], document["knowledge"]
    assert (episode["id"], episode["kind"], episode["held_because"]) == ("e1", "episode", "not_typed")
    assert (episode["origin"]["quote"], known["id"], known["text"]) == ("works now", "k1", "nginx: restart it")
    shown = made.orca("memory", "inbox").stdout
    assert "(episode)" in shown
    assert "“works now”" in shown
    assert "(知识)" in made.orca("memory", "inbox", LC_ALL="zh_CN.UTF-8").stdout
    assert not set("\x1b\u202e") & set(shown)
    assert "2 to review" in made.orca("memory", "list").stderr


def test_they_are_accepted_and_rejected_by_their_names(made: OrcaHome) -> None:
    asyncio.run(fill(made, candidates))

    assert made.orca("memory", "accept", "e1").stdout.startswith("accepted e1 nginx 502")
    assert made.orca("memory", "reject", "K1").stdout == "rejected  k1  nginx\n"
    assert made.orca("memory", "inbox", "--json").json["total"] == 0
    assert made.orca("memory", "undo").status == 0
    assert made.orca("memory", "inbox", "--json").json["total"] == 1


@pytest.mark.parametrize("asked", [("accept", "e9"), ("reject", "x1"), ("accept", "e1", "--content", "anything")])
def test_what_can_not_be_decided_about_is_one_clear_line(made: OrcaHome, asked: tuple[str, ...]) -> None:
    failed = made.orca("memory", *asked)

    assert failed.status in (1, 2)
    assert len(failed.stderr.strip().splitlines()) == 1


def test_figures_count_every_kind_by_status(made: OrcaHome) -> None:
    asyncio.run(fill(made, candidates))
    assert made.orca("task", "start", "mend the proxy").status == 0

    kinds = made.orca("stats", "--json").json["kinds"]
    assert kinds["task"] == {"in_progress": 1, "completed": 0, "failed": 0, "dropped": 0}
    assert kinds["episode"] == {"active": 0, "candidate": 1, "rejected": 0, "archived": 0}
    assert kinds["knowledge"]["candidate"] == 1
    assert kinds["memory"] == made.orca("memory", "stats", "--json").json["status"]
    assert "tasks: 1 in progress" in made.orca("stats").stdout
    assert "经历: 1 待确认" in made.orca("stats", LC_ALL="zh_CN.UTF-8").stdout


def test_the_doctor_looks_at_work_and_the_index_is_made_anew(made: OrcaHome) -> None:
    asyncio.run(fill(made, candidates))

    found = {each["name"]: each for each in made.orca("doctor", "--json").json["checks"]}
    assert found["episodes"]["detail"] == "0 live, 0 archived, 1 in the inbox"
    assert made.orca("memory", "reindex").stdout == "indexed anew\n"
    assert "任务" in made.orca("doctor", LC_ALL="zh_CN.UTF-8").stdout


def test_activity_shows_what_was_done_to_every_kind(made: OrcaHome) -> None:
    assert made.orca("activity").stdout == ""
    assert made.orca("task", "start", "mend the proxy").status == 0
    assert made.orca("memory", "add", "用户用 neovim").status == 0
    assert made.orca("task", "done", "works now").status == 0

    lines = made.orca("activity").stdout.splitlines()
    assert [line.split("] ")[1] for line in lines] == [
        "you: ended a task #w1 #e1  mend the proxy",
        "you: added #1  用户用 neovim",
        "you: started a task #w1  mend the proxy",
    ]
    document = made.orca("activity", "--limit", "1", "--json").json
    [operation] = document["operations"]
    assert (operation["operation"]["action"], document["runs"]) == ("end_task", [])
    assert {change["id"] for change in operation["changes"]} == {"w1", "e1"}
    assert "你: 结束了任务" in made.orca("activity", LC_ALL="zh_CN.UTF-8").stdout


def test_forgetting_is_told_before_it_is_done(made: OrcaHome) -> None:
    asyncio.run(fill(made, faded))

    told = made.orca("episode", "fade", "--dry-run")
    assert told.stdout.startswith("would be forgotten  e1  ")
    assert "importance 0.15" in told.stdout
    assert "next: e2  " in told.stderr
    document = made.orca("episode", "fade", "--dry-run", "--json").json
    assert (document["dry_run"], document["operation"], document["next"]["id"]) == (True, None, "e2")
    assert [(each["id"], each["why"], each["status"]) for each in document["forgotten"]] == [("e1", "age", "active")]

    done = made.orca("episode", "fade", "--json").json
    assert [(each["id"], each["status"]) for each in done["forgotten"]] == [("e1", "archived")]
    assert made.orca("episode", "fade").stdout == ""
    assert made.orca("memory", "undo", str(done["operation"])).status == 0
    assert "遗忘了 1 段经历" in made.orca("activity", LC_ALL="zh_CN.UTF-8").stdout
    assert made.orca("stats", "--json").json["kinds"]["episode"]["active"] == 2
