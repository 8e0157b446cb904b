"""Whose a fact is: what others do with the user, who gives and who takes, and what is only a text at hand."""

from __future__ import annotations

import pytest
from rules.learning.test_evidence import held


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User's start is at 5:30", "the boss moved my start to 5:30 now"),
        ("User is on statins", "my GP put me on statins"),
        ("User lends Sam a drill", "i lend Sam my drill every spring"),
        ("User learns guitar from Ben", "Ben teaches me guitar on fridays"),
        ("User's flight is at 14:20", "my flight's at 2:20pm"),
        ("User starts at 9:00", "i start at 9"),
        ("User gets up at 6:30", "i get up at half six"),
        ("User uses zsh rather than bash", "fyi i use zsh not bash"),
        ("Explain without knowledge of music theory", "assume I know zero music theory"),
    ],
)
def test_what_is_so_of_the_user_lives(content: str, said: str) -> None:
    kind = "instruction" if content.startswith("Explain") else "fact"
    assert held(content, said, said, kind=kind) is None


@pytest.mark.parametrize(
    ("content", "quote", "said"),
    [
        ("User borrows a drill from Sam", "i lend Sam a drill", "i lend Sam a drill every spring"),
        ("User learns guitar from Ben", "i teach Ben guitar", "i teach Ben guitar on fridays"),
        ("User buys honey from a neighbour", "i sell honey to my neighbour", "i sell honey to my neighbour"),
        ("User's flight is at 15:20", "my flight's at 2:20pm", "my flight's at 2:20pm"),
        ("User starts at 9:00", "i start at 9:30", "i start at 9:30"),
        ("User smokes", "do i smoke", "the nurse asked do i smoke"),
        (
            "User has a sister in Cork",
            "i have a sister in Cork",
            "for the cards, german please: i have a sister in Cork",
        ),
        ("User has a sister in Cork", "i have a sister in Cork", "homework, fix: i have a sister in Cork"),
    ],
)
def test_what_is_not_so_of_the_user_waits(content: str, quote: str, said: str) -> None:
    assert held(content, quote, said) is not None


def test_leave_that_hangs_on_a_condition_waits() -> None:
    said = "once ci is happy you can deploy without asking"
    assert held("Deploy without asking", "you can deploy without asking", said, kind="instruction") == "conditional"
