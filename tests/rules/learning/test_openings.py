"""Which newer memory says what is now true of the thing that an older one begins with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from orca_core.domain.memories import Memory, MemoryType, NewMemory, Origin
from orca_core.rules.learning.likeness.openings import may_take_the_place, opening_of, takes_the_place

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def memory(number: int, content: str, of: MemoryType = MemoryType.FACT, session: str | None = None) -> Memory:
    new = NewMemory(content, of, origin=Origin(session_id=session or f"s{number}"))
    return replace(new.born("", FIRST + timedelta(days=number)), id=number)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Virtual machines run on a VMware cluster.", "The virtual machines run on Proxmox, three nodes with Ceph."),
        ("报表查询引擎是 ClickHouse，三分片两副本。", "报表查询引擎是 Doris 2.1，主键模型写入。"),
        ("遥测参数入的是 InfluxDB，面板用 Grafana。", "七月起遥测参数入 TDengine，Grafana 的面板重做了一遍。"),
        ("The game is made in Unity with the render pipeline.", "The game runs on Godot with its own renderer."),
        ("The internet edge is a pair of FortiGate boxes.", "Since June the internet edge has been two Palo Altos."),
        ("Environments are managed with a file for each step.", "Environments have been managed by a tool since May."),
    ],
)
def test_a_newer_memory_that_begins_alike_with_another_value_takes_the_place(older: str, newer: str) -> None:
    assert takes_the_place(memory(2, newer), memory(1, older), [])


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The backup server stands in Leeds.", "Coffee is bought from Hasbean."),  # nothing in common
        (
            "Kafka cluster runs version 3.6 with 12 brokers.",
            "Kafka cluster alerts go to the pager of Lena.",
        ),  # a figure
        (
            "The report queue runs in Postgres.",
            "On Mondays the whole team reads the report queue of Grafana.",
        ),  # later on
        ("Release notes are written in German.", "Release notes are written in German."),  # no other value
        ("我表哥的邮箱地址是 li@example.com。", "我上司的邮箱地址是 wu@example.com。"),  # of another person
        ("The web suite runs on Cypress.", "The web suite used to run on Selenium."),  # of another time
    ],
)
def test_what_is_not_the_same_thing_now_takes_no_place(older: str, newer: str) -> None:
    assert not may_take_the_place(memory(2, newer), memory(1, older))


@pytest.mark.parametrize(
    ("of_older", "of_newer"), [(MemoryType.PREFERENCE, MemoryType.FACT), (MemoryType.FACT, MemoryType.INSTRUCTION)]
)
def test_only_facts_are_outdated_by_facts_and_events(of_older: MemoryType, of_newer: MemoryType) -> None:
    older = memory(1, "The web suite runs on Cypress.", of_older)

    assert not may_take_the_place(memory(2, "The web suite runs on Playwright.", of_newer), older)


def test_one_conversation_tells_several_things_of_a_subject() -> None:
    older, newer = (
        memory(n, f"The web suite runs on {tool}.", session="s") for n, tool in ((1, "Cypress"), (2, "Bun"))
    )

    assert not may_take_the_place(newer, older)


def test_what_several_begin_with_is_a_subject_and_no_slot() -> None:
    older = memory(1, "The triage tool is written with FastAPI.")
    aspect = memory(2, "The triage tool keeps its queue in Postgres.")
    newer = memory(3, "The triage tool runs in an EKS cluster.")

    assert may_take_the_place(newer, older)
    assert not takes_the_place(newer, older, [aspect])


def test_a_third_memory_that_has_less_in_common_changes_nothing() -> None:
    older = memory(1, "The web suite is written in Cypress.")
    other = memory(2, "The web page is served by Nginx.")

    assert takes_the_place(memory(3, "The web suite runs on Playwright."), older, [other])


def test_an_opening_is_the_first_clause_without_names_and_dates() -> None:
    opening = opening_of("Since April tilt has lived in TimescaleDB, one table for each.")

    assert opening.words[0] == "tilt"
    assert "april" not in opening.words
    assert opening.names == {"timescaledb"}
    assert opening.tells_of_a_change
