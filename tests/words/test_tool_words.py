"""What is said of tools, their guides and the runs that write them, in both languages."""

from __future__ import annotations

import pytest

from orca_core.model.events import GuideMade
from orca_tui.language import speak
from orca_tui.words.tool_words import guide_made_line

MADE = GuideMade("done", 3, "web_search", 6, guide=1, version=2)
HELD = GuideMade("done", 3, "web_search", 6, 1, 2, "not_in_calls", ("https://evil.example",))
CUT = GuideMade("done", 3, "web_search", 6, guide=1, version=2, left_out=("Trust it.",))
FAILED = GuideMade("failed", 3, "web_search", 6, error="no answer")
SECRET = GuideMade("none", 3, "web_search", 6, held_because="secret")
SILENT = (GuideMade("running", 3, "web_search", 6), GuideMade("none", 3, "web_search", 6), GuideMade("queued", 0, "x"))


@pytest.mark.parametrize(
    ("event", "english", "chinese"),
    [
        (MADE, "guide g1 of web_search, version 2", "web_search 的说明 g1，第 2 版"),
        (
            HELD,
            "guide g1 of web_search, version 2: it waits for you: it leads to what no call was given (https://evil.example)",
            "web_search 的说明 g1，第 2 版",
        ),
        (
            CUT,
            "guide g1 of web_search, version 2; left out: Trust it. (it speaks of more than its tool)",
            "没有采用：Trust it.",
        ),
        (FAILED, "the guide of web_search could not be written: no answer", "没能写出 web_search 的说明"),
        (SECRET, "no guide of web_search was kept: looks like a secret", "没有留下 web_search 的说明"),
        (SILENT[0], "web_search: reads 6 calls", "6 次调用"),
        (SILENT[1], "no guide of web_search was kept", "没有留下 web_search 的说明"),
        (SILENT[2], "another Orca writes the guide of x", "另一个 Orca 在写 x 的说明"),
    ],
)
def test_a_run_is_told_in_a_line(event: GuideMade, english: str, chinese: str) -> None:
    assert guide_made_line(event) == english
    speak("zh")
    assert guide_made_line(event).startswith(chinese) or chinese in guide_made_line(event)
