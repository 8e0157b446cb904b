"""How near a candidate is to going live, in words that are true of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from orca_core.model.feedback import PromotionScore, Support, SupportKind
from orca_tui.app.records.candidates import ShownByActs, shown_content
from orca_tui.language import speak
from orca_tui.words.feedback_words import near_words, promotion_words

AT = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
SPEAKS = Support(1, 7, SupportKind.ACT, "round s 2", AT, 4, "s", 2)


@pytest.fixture(autouse=True)
def in_shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    speak("en")
    yield
    speak("en")
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("weighed", "english", "chinese"),
    [
        (PromotionScore(2, 3, 0.858, 0.475, 2), "2 of 3 days · 0.86 of 0.47", "0.86"),
        (PromotionScore(1, 3, 0.858, 0.0, 1), "1 of 3 days · 0.86, none to beat", "0.86，没有要超过的候选"),
        (PromotionScore(1, 1, 0.858, 0.004, 1), "1 of 1 day · 0.86, none to beat", "0.86，没有要超过的候选"),
    ],
)
def test_a_lone_candidate_is_compared_with_nothing(weighed: PromotionScore, english: str, chinese: str) -> None:
    assert near_words(weighed) == english
    speak("zh")
    assert chinese in near_words(weighed)


@pytest.mark.parametrize(
    ("reason", "english", "chinese"),
    [
        ("not_typed", "only you can let it live: rests on what you did not type", "只有你"),
        ("url", "only you can let it live: holds an address", "只有你"),
        ("undone", "you took back what became of it: only what you do after that counts", "你撤"),
    ],
)
def test_what_blocks_a_candidate_is_said_where_it_is_decided_about(reason: str, english: str, chinese: str) -> None:
    weighed = PromotionScore(3, 3, 0.9, 0.475, 3, (SPEAKS,), blocked_by=reason)
    assert promotion_words(weighed) == english
    shown = "\n".join(each.plain for each in shown_content(ShownByActs(weighed, {})))
    assert f"3 of 3 days · 0.90 of 0.47\n{english}\nsupported by:" in shown
    speak("zh")
    assert promotion_words(weighed).startswith(chinese)
