"""The small story of `orca demo`."""

from __future__ import annotations

import pytest

from orca_core.demo.script import StoryModel, questions
from orca_core.domain.messages import ChatMessage, ChatRequest, TextDelta


def test_a_language_without_a_story_hears_the_english_one() -> None:
    assert questions("de") == questions("en") != questions("zh")


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "how did we fix the 502?",
            "From earlier work — It worked: nginx gave 502 → restarted it [e1].\n\nThis is the end",
        ),
        ("and the sourdough?", "This is the end of the story."),
    ],
)
async def test_behind_its_end_the_story_answers_from_what_was_done_in_it(question: str, begins: str) -> None:
    row = '{"id": "e1", "type": "episode", "date": "", "text": "It worked: nginx gave 502 → restarted it"}'
    asked = ChatRequest((ChatMessage("user", f"```orca-memory\n[{row}]\n```\n\n{question}"),))
    said = [event.text async for event in StoryModel(pause_s=0.0).stream(asked) if isinstance(event, TextDelta)]
    assert "".join(said).startswith(begins)
