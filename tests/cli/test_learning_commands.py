"""What a chat and past work teach: `orca extract`, `orca consolidate`, the inbox."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from fakes.terminal import OrcaHome
from fakes.work import an_episode

from orca_core.model.events import Event, Extraction, References
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, KNOWLEDGE
from orca_core.model.tasks import Outcome
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.store import open_stores
from orca_tui.cli.chat import AfterTheTurn

TALK = ("我是后端工程师，主要写 Go", "我用 neovim 写代码", "你好", "docker 里 postgres 连不上怎么办？", "我住在杭州")


def test_json_tells_of_the_run_before_it_is_done(home: OrcaHome) -> None:
    for text in TALK[:4]:
        home.orca("chat", text)

    lines = [json.loads(line) for line in home.orca("chat", "--json", TALK[4]).stdout.splitlines()]

    assert [line["event"] for line in lines][-3:] == ["extraction", "extraction", "done"]
    running, done = lines[-3:-1]
    assert (running["state"], done["state"], done["rounds"]) == ("running", "done", [1, 2, 3, 4, 5])
    assert {"stored", "confirmed", "replaced", "candidates", "dropped", "error", "run"} <= done.keys()
    assert all("similar" in memory for memory in done["stored"])


def test_what_is_learnt_during_the_turn_is_told_behind_it() -> None:
    shown: list[Event] = []
    background = AfterTheTurn(shown.append)
    running, references, done = Extraction("running", 1), References((), (), ()), Extraction("done", 1)

    background.show(running)
    shown.append(references)
    background.turn_ended()
    background.show(done)

    assert shown == [references, running, done]


def test_extract_learns_now_and_shows_the_run(home: OrcaHome) -> None:
    home.orca("chat", TALK[1])

    ran = home.orca("extract")
    shown = home.orca("extract", "--show", "1", "--json").json

    assert ran.status == 0
    assert "用户用 neovim 写代码" in ran.stdout
    assert (shown["state"], shown["stored"], shown["parked"]) == ("done", [1], False)
    first = [message["role"] for message in shown["exchange"] if not message["in_verification"]]
    assert first == ["system", "user", "assistant"]
    assert "neovim" in home.orca("extract", "--show", "1").stdout


def test_what_the_verifier_was_asked_is_shown_apart(home: OrcaHome) -> None:
    home.orca("chat", "我们团队大概用 postgres")

    ran = home.orca("extract", LC_ALL="zh_CN.UTF-8")
    shown = home.orca("extract", "--show", "1")

    assert "核对：问了 1 条，否定 1 条" in ran.stdout
    assert "verifier: asked about 1, refused 1" in shown.stdout
    assert "verifier · assistant  demo" in shown.stdout
    assert home.orca("extract", "--show", "1", "--json").json["verification"] == {
        "asked": 1, "refused": 1, "unanswered": 0, "failure": None, "error": None,
    }  # fmt: skip


def test_extract_with_nothing_to_read_says_so(home: OrcaHome) -> None:
    ran = home.orca("extract")

    assert (ran.status, ran.stdout) == (0, "")
    assert "0 rounds wait" in ran.stderr


def test_wrong_uses_of_extract(home: OrcaHome) -> None:
    assert home.orca("extract", "--show", "7").status == 2
    assert home.orca("extract", "--again").status == 2
    assert home.orca("extract", "--again", "--retry").status == 2
    assert home.orca("extract", "--again", "--session", "nowhere").status == 2


def test_an_empty_inbox_says_so(home: OrcaHome) -> None:
    ran = home.orca("memory", "inbox")

    assert (ran.status, ran.stdout) == (0, "")
    assert home.orca("memory", "inbox", "--json").json == {
        "memories": [],
        "episodes": [],
        "knowledge": [],
        "guides": [],
        "total": 0,
    }


def worked(home: OrcaHome, *requests: str, target: str = "order-service") -> None:
    for request in requests:
        assert home.orca("task", "start", request, "--target", target).status == 0
        assert home.orca("task", "step", "raised the pool to 50").status == 0
        assert home.orca("task", "done", "it was the pool").status == 0


def teach(home: OrcaHome) -> None:
    worked(home, "it times out", "it hangs", "it is slow")
    assert home.orca("consolidate").status == 0


def known(home: OrcaHome, number: int = 1) -> dict[str, object]:
    return home.orca("knowledge", "show", f"k{number}", "--json").json


def test_nothing_is_consolidated_where_it_is_off(home: OrcaHome) -> None:
    assert "orca consolidate" in home.orca("knowledge", "list").stderr
    home.configure("[memory.consolidate]\nenabled = false\n")

    ended = home.orca("consolidate")

    assert ended.status != 0
    assert "memory.consolidate.enabled" in ended.stderr


HOSTILE = "clip\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj [@click=app.quit]x[/]"


async def fill(home: OrcaHome, put) -> None:  # type: ignore[no-untyped-def]
    stores = await open_stores(home.path / "orca.db", scope="me", must_exist=True)
    try:
        await put(stores)
    finally:
        await stores.upkeep.aclose()


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


@pytest.mark.parametrize("asked", [("accept", "e9"), ("reject", "x1"), ("accept", "e1", "--content", "anything")])
def test_what_can_not_be_decided_about_is_one_clear_line(made: OrcaHome, asked: tuple[str, ...]) -> None:
    failed = made.orca("memory", *asked)

    assert failed.status in (1, 2)
    assert len(failed.stderr.strip().splitlines()) == 1
