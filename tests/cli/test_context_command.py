"""`orca context`, end to end on a real database."""

from __future__ import annotations

import pytest
from fakes.terminal import OrcaHome

ASKED = "nginx 又 502 了，上次怎么解决的？"


@pytest.fixture
def worked(home: OrcaHome) -> OrcaHome:
    assert home.orca("memory", "add", "用户的网关是 nginx 1.27").status == 0
    assert home.orca("task", "start", "nginx 返回 502", "--target", "nginx").status == 0
    assert home.orca("task", "step", "把超时调大到 120 秒").status == 0
    assert home.orca("task", "done", "好了").status == 0
    return home


def test_all_that_is_known_is_shown_in_sections(worked: OrcaHome) -> None:
    shown = worked.orca("context", ASKED)
    assert shown.status == 0
    assert "## 已知信息\n- [m1] 用户的网关是 nginx 1.27" in shown.stdout
    assert "## 相关经验\n- [e1] 成功：nginx 返回 502 → 把超时调大到 120 秒 (" in shown.stdout


def test_the_same_is_one_document(worked: OrcaHome) -> None:
    told = worked.orca("context", ASKED, "--json").json
    assert {*told} == {
        "session_id", "messages", "task", "memories", "episodes", "knowledge", "guides", "level", "rules", "text",
    }  # fmt: skip
    assert (told["session_id"], told["messages"], told["task"], told["knowledge"]) == (None, [], None, [])
    [memory], [episode] = told["memories"], told["episodes"]
    assert (memory["id"], episode["id"], episode["outcome"], episode["access_count"]) == (1, "e1", "success", 0)
    assert worked.orca("context", ASKED, "--json").json["episodes"][0]["access_count"] == 1


def test_nothing_known_is_said(home: OrcaHome) -> None:
    shown = home.orca("context", "sourdough")
    assert (shown.status, shown.stdout) == (0, "")
    assert "Nothing is known for this." in shown.stderr


def test_an_unknown_session_is_an_error(worked: OrcaHome) -> None:
    failed = worked.orca("context", ASKED, "--session", "nowhere")
    assert failed.status != 0
    assert "nowhere" in failed.stderr
