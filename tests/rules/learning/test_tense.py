"""What is said of now, and what of another time."""

from __future__ import annotations

import pytest

from orca_core.rules.clauses.tense import is_of_another_time, says_so_now


@pytest.mark.parametrize(
    ("text", "now", "other"),
    [
        ("我搬到杭州了", True, False),
        ("我现在用 helix", True, False),
        ("改用 Postgres 17 了", True, False),
        ("不再吃肉", True, False),
        ("I moved to Berlin", True, False),
        ("we switched to Bazel", True, False),
        ("I no longer use X", True, False),
        ("我用 vim", False, False),
        ("User writes Go", False, False),
        ("每天 9 点之前到公司", False, False),
        ("User drinks tea before bed", False, False),
        ("过去三年都在写 Go", False, False),
        ("User may be reached in May", False, False),
        ("我以前住在杭州", False, True),
        ("我打算搬到杭州", False, True),
        ("考虑换成 helix", False, True),
        ("明年要换工作", False, True),
        ("想换一台电脑", False, True),
        ("I used to live in Berlin", False, True),
        ("thinking of moving to Berlin", False, True),
        ("I was a nurse", False, True),
        ("we will migrate to Bazel", False, True),
        ("I want to switch to Helix", False, True),
        ("我将搬到杭州", False, True),
        ("我快要搬到杭州了", False, True),
        ("我希望搬到杭州", False, True),
        ("还没换成 Rust", False, True),
        ("I'd like to move to Berlin", False, True),
        ("I hope to switch to Helix", False, True),
        ("we should migrate to Postgres", False, True),
        ("I need to switch to Helix", False, True),
        ("I am about to move to Berlin", False, True),
        ("I haven't moved to Berlin", False, True),
        ("I never switched to Helix", False, True),
        ("我希望你现在用中文回答", True, False),
        ("I need to know this, I now use Helix", True, False),
        ("我要求现在改用 pnpm", True, False),
        ("我主要改用 pnpm 了", True, False),
        ("I could not wait, I moved to Berlin", True, False),
        ("我以前住上海，现在搬到杭州了", True, False),
        ("I used to write Java but now I write Go", True, False),
        ("I switched to Helix and used to use vim", True, False),
        ("打算学 Rust，已经开始看书了", True, False),
    ],
)
def test_when_a_text_speaks_of(text: str, now: bool, other: bool) -> None:
    assert (says_so_now(text), is_of_another_time(text)) == (now, other)
