"""What a chat and past work teach: `orca extract`, `orca consolidate`, the inbox."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from fakes.terminal import OrcaHome
from fakes.work import an_episode

from orca_core.model.events import Event, Extraction, References
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, KNOWLEDGE
from orca_core.operations.stores import Stores
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


HOSTILE = "clip\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj [@click=app.quit]x[/]"


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
