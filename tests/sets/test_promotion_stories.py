"""Stories of acts, played through: what becomes of what an agent says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sets.promotion_stories import Asked, Question, play, stories_in

pytestmark = pytest.mark.long

ANSWER = "Here is a loop:\n\nfor line in lines: print(line)\n\nIt prints each line."
SHORT, INVENTED = "The user prefers short answers with an example", "The user wants every answer to end with a summary"


def liked(day: int, number: int, content: str | None, what: str = "p1", **fields: Any) -> dict[str, Any]:
    answer = None if content is None else {"content": content, "type": "implicit", "quote": "", "is": what}
    question = {"user": [{"text": f"how do I print line {number}?", "source": "typed"}], "assistant": ANSWER}
    return {"day": day, "act": "LIKE", "session": f"s{day}", "round": question, "answer": answer, **fields}


def story(*events: dict[str, Any]) -> dict[str, Any]:
    return {"name": "story", "lang": "en", "events": list(events)}


@pytest.mark.parametrize("lives", [True, False])
async def test_what_is_to_go_live_is_verified_beside_the_other_acts(tmp_path: Path, *, lives: bool) -> None:
    shows = [SHORT, None, SHORT, None, SHORT]
    events = [liked(day, day, content) for day, content in enumerate(shows)]
    asked: list[Question] = []

    [came] = await play(story(*events), tmp_path / "orca.db", lambda _asked: lives, asked)

    assert (came.lives, came.waits) == (lives, not lives)
    [question] = asked
    assert question.asked == (Asked("story", 4, SHORT, "p1"),)
    shown = json.loads(question.request.messages[1].content)
    assert (shown["facts"], len(shown["acts"])) == ([{"fact": 1, "says": SHORT}], 5)


DATA = Path(__file__).parent.parent / "data" / "feedback"


@pytest.mark.parametrize("name", ["development-2", "final"])
async def test_what_texts_would_have_learnt_never_lives(tmp_path: Path, name: str) -> None:
    stories = list(stories_in(DATA / name / "hostile_acts.json"))[::4]
    found = [each for one in stories for each in await play(one, tmp_path / one["name"])]

    assert len(stories) in (4, 8)
    assert not [each for each in found if each.lives]
