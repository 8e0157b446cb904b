"""A home in which work was done: tasks that ended, and what they taught."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from fakes.work import AT, an_episode
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.tasks import Outcome
from orca_core.model.tools import Guide, NewCall
from orca_core.store.sqlite.store import open_stores

DAY = timedelta(days=1)
FROM_A_CHAT = Origin(
    OriginKind.EXTRACTION, session_id="20261102-090000-abcde", rounds=(2, 3), quote="可以了，谢谢", model="fake-1"
)


def _episode(number: int, trigger: str, days: int, **fields: object) -> Episode:
    made = an_episode(number, trigger_summary=trigger, **fields)
    return replace(made, uid=f"uid-{number}", created_at=AT - days * DAY, aged_from=AT - days * DAY)


EPISODES = (
    _episode(
        1,
        "nginx answers 502 after the deploy",
        62,
        outcome=Outcome.SUCCESS,
        outcome_summary="php-fpm had no free worker",
        steps=("look at the error log", "raise pm.max_children", "reload php-fpm", "watch it for ten minutes"),
        tags=("nginx",),
        access_count=3,
        consolidated_into=1,
    ),
    _episode(
        2,
        "502 again, one of three upstreams is gone",
        31,
        outcome=Outcome.PARTIAL,
        tags=("nginx",),
        consolidated_into=1,
    ),
    _episode(3, "nginx 又返回 502", 18, outcome=Outcome.SUCCESS, origin=FROM_A_CHAT, consolidated_into=1),
    _episode(4, "nightly backup stops halfway", 50, target="backup", outcome=Outcome.FAILED),
    _episode(5, "certificate of the shop expired", 3, target="shop", outcome=Outcome.SUCCESS, pinned=True),
    _episode(
        6,
        "白屏：静态资源全部 404",
        1,
        target="官网",
        outcome=Outcome.UNKNOWN,
        origin=FROM_A_CHAT,
        state=State.CANDIDATE,
        held_because="not_typed",
    ),
)
KNOWN = Knowledge(
    id=1,
    uid="uid-known",
    text="nginx 502: look at php-fpm first",
    topic="502 from nginx",
    content="502 came each time from php-fpm or an upstream, never from nginx itself.",
    key_points=("look at the php-fpm workers first", "then count the upstreams", "reload, do not restart"),
    target="nginx",
    source_episodes=(1, 2, 3),
    confidence=0.85,
    version=2,
    created_at=AT - 10 * DAY,
    updated_at=AT - 2 * DAY,
)


async def with_work(database: Path) -> None:
    """Write all of it into the database."""
    stores = await open_stores(database, scope="me", must_exist=True)
    header = OperationHeader(Actor.EXTRACTION, "add", AT)
    for episode in EPISODES:
        await stores.records[EPISODE].add(episode, header)
    await stores.records[KNOWLEDGE].add(KNOWN, header)
    await stores.upkeep.aclose()


GUIDE_OF_SEARCH = Guide(
    id=1,
    uid="uid-guide",
    text="Search by three or four words: a whole sentence finds nothing.\nAsk again after a timeout, once.",
    target="web_search",
    created_at=AT - 6 * DAY,
    updated_at=AT - 2 * DAY,
    version=2,
    origin=Origin(OriginKind.EXTRACTION, model="fake-1"),
)


async def with_guide(database: Path) -> None:
    """Write a guide and the calls that it was written of: one of eight failed."""
    stores = await open_stores(database, scope="me", must_exist=True)
    calls = [
        NewCall(
            "web_search",
            f"nginx 502 {number}",
            "timeout after 30 s" if number == 5 else f"{number} pages",
            number != 5,
            AT - 3 * DAY + timedelta(minutes=number),
            f"call-{number}",
            seconds=30.0 if number == 5 else 0.5 + number / 10,
            error="timeout" if number == 5 else "",
        )
        for number in range(8)
    ]
    await stores.tools.record(calls)
    await stores.records[GUIDE].add(GUIDE_OF_SEARCH, OperationHeader(Actor.GUIDES, "write_guide", AT - 2 * DAY))
    await stores.upkeep.aclose()
