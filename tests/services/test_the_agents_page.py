"""docs/agents.md: its code runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
CODE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
PRINTED = "".join(re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL))
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def test_the_code_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ORCA_HOME", str(tmp_path / "home"))

    exec(compile(CODE, "docs/agents.md", "exec"), {"__name__": "agents"})

    assert DAY.sub("DAY", capsys.readouterr().out) == DAY.sub("DAY", PRINTED)
    assert "[e1] worked: nginx" in PRINTED


async def test_every_call_of_the_page_is_one_of_the_memory_and_the_other_way_round(open_engine) -> None:
    async with open_engine() as engine:
        calls = {name for name in dir(engine.memory) if not name.startswith("_")}
    table = PAGE.partition("| call |")[2]
    named = {name for name in re.findall(r"`(\w+)", table) if name in calls}
    assert named == calls
