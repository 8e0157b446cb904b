"""The small story of `orca demo`."""

from __future__ import annotations

import pytest

from orca_core.demo.demo_story import STORIES, StoryModel, questions
from orca_core.model.llm import ChatMessage, ChatRequest, ModelEvent, TextDelta, Tool, ToolsCalled


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


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_story_shows_that_the_model_looks_something_up(language: str) -> None:
    looking = [each for each in STORIES[language].rounds if each.query]
    assert looking
    for each in looking:
        assert each.question in STORIES[language].more
        question = ChatMessage("user", each.question)
        request = ChatRequest((question,), tools=(Tool("recall", "searches", {}),))
        called, *_end = await _streamed(request)
        assert isinstance(called, ToolsCalled)
        (call,) = called.calls
        assert each.query in call.arguments
        said = (ChatMessage("assistant", "", (call,)), ChatMessage("tool", "nothing", call=call))
        answer = await _streamed(ChatRequest((question, *said), tools=request.tools))
        assert "".join(event.text for event in answer if isinstance(event, TextDelta)) == each.answer


async def _streamed(request: ChatRequest) -> list[ModelEvent]:
    return [event async for event in StoryModel(pause_s=0.0).stream(request)]
