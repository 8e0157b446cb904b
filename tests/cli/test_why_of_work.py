"""`orca why` of a turn that got episodes."""

from __future__ import annotations

from fakes.terminal import OrcaHome

ASKED = "nginx 又返回 502 了，上次是怎么解决的？"


def test_it_shows_the_line_its_reason_and_its_score(home: OrcaHome) -> None:
    assert home.orca("task", "start", "nginx 返回 502", "--target", "nginx").status == 0
    assert home.orca("task", "step", "把超时调大到 120 秒").status == 0
    assert home.orca("task", "done", "好了").status == 0
    assert home.orca("chat", ASKED).status == 0

    told = home.orca("why", "--json").json
    assert told["rules"] == ["recall"]
    [episode] = [item for item in told["injected"] if item["kind"] == "episode"]
    assert episode["id"] == "e1"
    assert episode["content"].startswith("成功：nginx 返回 502 → 把超时调大到 120 秒 (")
    assert (episode["reason"], episode["score"] > 0, sum(episode["parts"].values()) > 0) == ("recall", True, True)
    assert "e1" in {*told["used"], *told["unused"], *told["unknown"]}
    shown = home.orca("why").stdout
    assert "   e1  " in shown
    assert '"id": "e1", "type": "episode"' in shown

    [known] = home.orca("context", ASKED, "--json").json["episodes"]
    assert known["access_count"] == 1
