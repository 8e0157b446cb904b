"""What stands of a candidate today."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.memories import AT, memory
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.learning import KnownMemories
from orca_core.model.memories import ArchivedBecause, Memory, MemoryType, Origin, OriginKind, State
from orca_core.model.operations import Actor, Change
from orca_core.model.record_types import memory_ref
from orca_core.model.views import CaseStanding, StaleReason
from orca_core.rules.learning.inbox_review import current_standing, same_that_lives
from orca_core.rules.learning.transcripts import Testimony as Said

TYPED = Said(((1, "我用 Postgres 16 做项目"),), (), ("好",))
OTHER = Said(((1, "今天天气不错"),), (), ("好",))
PASTED = Said(((1, "看看这个"),), ("我用 Postgres 16 做项目",), ("好",))
ASKED = Said(((1, "如果我用 Postgres 16 做项目会怎样？"),), (), ("好",))


def candidate(held: str = "unread", quote: str | None = "我用 Postgres 16 做项目", **fields: object) -> Memory:
    origin = Origin(OriginKind.EXTRACTION, "s", (1,), quote, "m")
    values: dict[str, object] = {"content": "用户用 Postgres 16 做项目", "origin": origin, **fields}
    return memory(id=20, state=State.CANDIDATE, held_because=held, **values)


def known(id: int = 7, content: str = "用户用 Postgres 15 做项目", **fields: object) -> Memory:
    return memory(id=id, content=content, **{"origin": Origin(OriginKind.EXTRACTION), **fields})


KESTREL = candidate("not_typed", quote="我的服务现在跑在 Fly 上", content="用户的 Kestrel 服务跑在 Fly 上")
SERVICE = Said(((1, "我的服务现在跑在 Fly 上"),), (), ("好",))
SAME = "用户用 Postgres 16 做项目"
ARCHIVED = {"state": State.ARCHIVED, "archived_because": ArchivedBecause.HAND}


def change(id: int, action: str, at: timedelta, before: dict[str, object] | None, **after: object) -> Change:
    return Change(1, memory_ref(id), AT + at, Actor.USER, action, before, after)


class Row(Struct, frozen=True):
    """One candidate, what is there today, and how it stands."""

    candidate: Memory
    said: Said | None = TYPED
    near: tuple[Memory, ...] = ()
    history: tuple[Change, ...] = ()
    held: str | None = None
    replaces: int | None = None
    same: int | None = None
    since: tuple[StaleReason, ...] = ()


LATER, BEFORE = timedelta(days=1), timedelta(days=-1)
EDITED = change(7, "edit", LATER, {"content": "x"}, content="y")
EDITED_BEFORE = change(7, "edit", BEFORE, {"content": "x"}, content="y")
MADE = change(20, "extract", timedelta(0), None, content=SAME, would_replace=7)
UNNAMED = change(20, "extract", LATER, {"would_replace": 7}, would_replace=None)

TABLE = {
    "what it says is not typed": Row(candidate(quote=None), OTHER, held="not_typed"),
    "today's rules find it typed, and nobody has read it": Row(candidate("not_typed"), held="unread"),
    "today's rules hold it for something else": Row(candidate("url"), PASTED, held="not_typed"),
    "what it means no rule says": Row(candidate(), ASKED, held="unread"),
    "a no of the verifier is not lifted by rules": Row(candidate("not_said"), held="not_said"),
    "what a person is asked about waits for a person": Row(candidate("ask"), held="ask"),
    "a quote that was never found releases nothing": Row(candidate("not_typed", quote=None), held="not_typed"),
    "what acts show lacks days, not words": Row(candidate("unproven", quote=None), OTHER, held="unproven"),
    "what acts show and others wrote lacks days as well": Row(
        candidate("unproven", quote=None), PASTED, held="unproven"
    ),
    "what acts show and somebody typed by now lives": Row(candidate("unproven"), held=None),
    "a name in it is known": Row(
        KESTREL, SERVICE, near=(known(content="用户的 Kestrel 服务跑在 Heroku 上"),), held="unread"
    ),
    "a name in it is known of what is archived": Row(
        KESTREL, SERVICE, near=(known(content="用户的 Kestrel 服务跑在 Heroku 上", **ARCHIVED),), held="not_typed"
    ),
    "its quote stands nowhere": Row(candidate(), OTHER, held="not_typed", since=(StaleReason.QUOTE_GONE,)),
    "its rounds are gone": Row(candidate("url"), None, held="url", since=(StaleReason.ROUNDS_GONE,)),
    "its rounds are gone, and so is what it opposed": Row(
        candidate("contradicts_pinned"), None, held="unread", since=(StaleReason.ROUNDS_GONE,)
    ),
    "its quote is gone, and so is what it opposed": Row(
        candidate("kept_by_hand"), OTHER, held="not_typed", since=(StaleReason.QUOTE_GONE,)
    ),
    "what was imported stays imported": Row(
        candidate("imported", origin=Origin(OriginKind.IMPORT)), None, held="imported"
    ),
    "a live memory says it by now": Row(candidate(), near=(known(12, SAME + "。"),), held="unread", same=12),
    "a live memory says it, though it was not typed": Row(
        candidate(quote=None), OTHER, near=(known(12, SAME + "。"),), held="unread", same=12
    ),
    "a person rejected the same": Row(
        candidate(), near=(known(12, SAME + "。", state=State.REJECTED),), held="unread", same=12
    ),
    "another candidate says the same": Row(
        candidate(quote=None),
        OTHER,
        near=(known(12, SAME + "。", state=State.CANDIDATE),),
        held="not_typed",
        same=12,
    ),
    "nobody wants to have it learnt": Row(
        candidate(), near=(known(12, SAME, state=State.REJECTED, held_because="never"),), held="never"
    ),
    "it would replace what lives": Row(
        candidate(quote=None, would_replace=7),
        OTHER,
        near=(known(),),
        held="not_typed",
        replaces=7,
    ),
    "what it would replace is a hand's": Row(
        candidate("kept_by_hand", would_replace=7), near=(known(origin=Origin()),), held="kept_by_hand", replaces=7
    ),
    "what it would replace was archived": Row(
        candidate("kept_by_hand", would_replace=7),
        near=(known(origin=Origin(), **ARCHIVED),),
        since=(StaleReason.TARGET_ARCHIVED,),
    ),
    "what it would replace was pinned": Row(
        candidate("kept_by_hand", would_replace=7),
        near=(known(pinned=True),),
        held="contradicts_pinned",
        since=(StaleReason.TARGET_PINNED,),
    ),
    "it stands against what is pinned still": Row(
        candidate("contradicts_pinned", would_replace=7), near=(known(pinned=True),), held="contradicts_pinned"
    ),
    "what it stood against is pinned no more": Row(
        candidate("contradicts_pinned", would_replace=7), near=(known(),), held=None, replaces=7
    ),
    "what it would replace was reworded since": Row(
        candidate("kept_by_hand", would_replace=7),
        near=(known(origin=Origin()),),
        history=(EDITED,),
        held="kept_by_hand",
        replaces=7,
        since=(StaleReason.TARGET_CHANGED,),
    ),
    "it was reworded before the candidate was found": Row(
        candidate("kept_by_hand", would_replace=7),
        near=(known(origin=Origin()),),
        history=(EDITED_BEFORE,),
        held="kept_by_hand",
        replaces=7,
    ),
    "what it would replace was deleted": Row(
        candidate("kept_by_hand"), history=(MADE,), held=None, since=(StaleReason.TARGET_GONE,)
    ),
    "a person told it to replace nothing": Row(candidate("kept_by_hand"), history=(MADE, UNNAMED), held=None),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_how_a_candidate_stands_today(row: Row) -> None:
    standing = current_standing(row.candidate, row.said, KnownMemories(row.near, row.history), row.history)

    same = next((each for each in row.near if each.id == row.same), None)
    assert standing == CaseStanding(row.held, row.replaces, same, row.since)


def test_a_candidate_is_not_compared_with_itself() -> None:
    waiting = candidate()

    assert current_standing(waiting, OTHER, KnownMemories((waiting,)), ()).same is None
    assert same_that_lives(waiting, [waiting, replace(waiting, state=State.LIVE)]) is None


def test_only_what_lives_makes_it_remembered_already() -> None:
    there = [
        known(1, SAME + "!", state=State.CANDIDATE),
        known(2, "用户用 Postgres 17 做项目"),
        known(3, SAME + "!", type=MemoryType.FACT),
    ]

    assert same_that_lives(candidate(), there) == there[2]
    assert same_that_lives(candidate(), there[:2]) is None
