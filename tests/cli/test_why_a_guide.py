"""`orca why` and `orca context` of the guide of a tool that is named."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from fakes.terminal import OrcaHome

from orca_core.config.file import read_settings
from orca_core.open import open_orca

CALL = {"tool": "web_search", "input": {"query": "nginx 502"}, "output": "three results"}


async def teach(environ: Mapping[str, str]) -> list[str]:
    engine = await open_orca(read_settings(environ, None), environ=environ)
    try:
        await engine.tools.record([{**CALL, "call_id": f"c{number}"} for number in range(6)], "s")
        return [event.state async for event in engine.tools.write("web_search")]
    finally:
        await engine.aclose()


@pytest.fixture
def taught(home: OrcaHome) -> OrcaHome:
    assert asyncio.run(teach(home.environ())) == ["running", "done"]
    return home


@pytest.mark.parametrize(
    ("language", "reason"), [("en_US.UTF-8", "its tool is named"), ("zh_CN.UTF-8", "提到了它的工具")]
)
def test_a_receipt_says_that_its_tool_was_named(taught: OrcaHome, language: str, reason: str) -> None:
    assert taught.orca("chat", "How many words may web_search have?").status == 0

    told = taught.orca("why", "--json").json
    [guide] = told["injected"]
    assert (guide["id"], guide["kind"], guide["reason"], guide["score"]) == ("g1", "guide", "tool", 0.0)
    assert guide["content"].startswith("web_search: ")
    assert guide["content"].endswith("(calls: 6, succeeded: 100 %)")
    assert "g1" in {*told["used"], *told["unused"], *told["unknown"]}
    shown = taught.orca("why", LANG=language).stdout
    assert "   g1  " in shown
    assert reason in shown


def test_a_context_holds_it_as_text_and_as_json(taught: OrcaHome) -> None:
    shown = taught.orca("context", "web_search")
    assert shown.stdout.startswith("## Tools\n- [g1] web_search: ")
    told = taught.orca("context", "web_search", "--json").json
    [guide] = told["guides"]
    assert {*guide} == {"id", "tool", "text", "calls", "success_rate", "median_s", "p95_s", "errors", "updated_at"}
    assert (guide["id"], guide["tool"], guide["calls"], guide["errors"]) == ("g1", "web_search", 6, [])
    assert taught.orca("context", "search the web", "--json").json["guides"] == []
