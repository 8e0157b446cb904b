"""What stands whatever the question: how one wants to be answered."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.memories import MemoryType
from orca_core.rules.retrieval.ranking import standing, stands

INSTRUCTION, PREFERENCE, FACT = MemoryType.INSTRUCTION, MemoryType.PREFERENCE, MemoryType.FACT


@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        ("不要给我推荐 nano", INSTRUCTION, True),
        ("Commands are always written for fish", INSTRUCTION, True),
        ("喜欢先给结论，再给理由", PREFERENCE, True),
        ("用户希望回答简短", PREFERENCE, True),
        ("用戶希望回覆簡短", PREFERENCE, True),
        ("The user prefers short answers", PREFERENCE, True),
        ("She likes new ideas explained with a drawing", PREFERENCE, True),
        ("用户喜欢手冲咖啡", PREFERENCE, False),
        ("The user prefers Postgres over MySQL", PREFERENCE, False),
        ("She dislikes open-plan offices", PREFERENCE, False),
        ("The user answers the support mail on Mondays", FACT, False),
        ("If a question is about taxes, answer with a source", INSTRUCTION, False),
        ("When asked for a recipe, prefers short answers", PREFERENCE, False),
    ],
)
def test_what_is_about_how_to_answer_stands(content: str, kind: MemoryType, expected: bool) -> None:
    assert stands(memory(content=content, type=kind)) is expected


@pytest.mark.parametrize("tag", ["沟通风格", "style", "Tone"])
def test_a_preference_that_is_tagged_so_stands(tag: str) -> None:
    plain = "The user is a friend of long sentences"

    assert not stands(memory(content=plain, type=PREFERENCE))
    assert stands(memory(content=plain, type=PREFERENCE, tags=(tag,)))


def test_what_says_how_to_answer_stands_before_other_instructions() -> None:
    heavy = memory(id=1, content="Commands are for fish", type=INSTRUCTION)
    heavier_of_two = memory(id=2, content="Keep answers short", type=INSTRUCTION)
    light = memory(id=3, content="Begin a reply with the result", type=PREFERENCE)
    about_coffee = memory(id=4, content="Likes strong coffee", type=PREFERENCE)

    chosen = standing([about_coffee, heavy, heavier_of_two, light], 3)

    assert [each.id for each in chosen] == [2, 3, 1]
