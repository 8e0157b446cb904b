"""`orca memory inbox`: a candidate is shown as it stands now, not as it stood when it was found."""

from __future__ import annotations

from fakes.terminal import OrcaHome


def held(home: OrcaHome) -> str:
    """Leave one candidate; its text."""
    home.orca("chat", "--session", "s", "我的电话是 13912345678")
    home.orca("extract")
    [candidate] = home.orca("memory", "inbox", "--json").json["memories"]
    assert candidate["now"] == {"held_because": "account_number", "same": None, "since": []}
    return str(candidate["content"])


def test_what_is_remembered_by_now_is_said_and_accepting_confirms_it(home: OrcaHome) -> None:
    content = held(home)
    home.write(f"{content}。")

    [candidate] = home.orca("memory", "inbox", "--json").json["memories"]
    assert candidate["now"]["same"] == {"id": 2, "state": "live"}
    assert (candidate["would_replace"], candidate["nearest"]["id"]) == (None, 2)
    shown = home.orca("memory", "inbox").stdout
    assert "already remembered as #2" in shown
    assert f"says the same: #2  {content}。" in shown

    accepted = home.orca("memory", "accept", "1").stdout
    assert f"gave way to #2  #1  {content}" in accepted
    assert [each["seen"] for each in home.orca("memory", "list", "--json").json["memories"]] == [2]


def test_it_is_said_in_chinese_too(home: OrcaHome) -> None:
    content = held(home)
    home.write(f"{content}。")
    assert "已经记住了，见 #2" in home.orca("memory", "inbox", LC_ALL="zh_CN.UTF-8").stdout

    home.orca("memory", "archive", "2")
    assert "#2 says the same and is archived" in home.orca("memory", "inbox").stdout
    assert "#2 说的是同一件事，已归档" in home.orca("memory", "inbox", LC_ALL="zh_CN.UTF-8").stdout


def test_a_list_without_memories_says_what_waits(home: OrcaHome) -> None:
    assert "to review" not in home.orca("memory", "list").stderr
    held(home)

    assert "1 to review; orca memory inbox shows them" in home.orca("memory", "list").stderr
    home.orca("memory", "accept", "1")
    assert "to review" not in home.orca("memory", "list").stderr
