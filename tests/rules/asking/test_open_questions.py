"""Questions that ask for all there is of a topic."""

from __future__ import annotations

import pytest

from orca_core.rules.asking.recall_questions import RecallQuestion, recall_question

OPEN = RecallQuestion(topic=True, open=True)


@pytest.mark.parametrize(
    "text",
    [
        "What do you remember about the choir?",
        "what do you know about my garden?",
        "Tell me everything you remember about our kitchen renovation",
        "Sum up all you have on the orchestra",
        "which accidents at the stage have I told you about",
        "list what you recall of the spring concert",
        "How is our rehearsal room equipped, as far as you remember?",
        "我们合唱团的情况你都记得什么？",
        "花园这块你都了解哪些，我们的那些",
        "我们的排练安排你知道多少",
        "盘点一下我跟你讲过的演出",
        "把你知道的排练安排都讲讲",
        "你记得我家里的哪些事",
        "我們合唱團的情況你都記得什麼？",
    ],
)
def test_all_there_is_of_a_topic_is_asked_for(text: str) -> None:
    assert recall_question(text) == OPEN


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about black holes?",
        "do you remember which piano we chose",
        "你知道黑洞是什么吗",
        "Remember to water the garden",
        "what should I tell the choir about you",
        "How do I remember names better?",
        "黑洞的事你知道多少",
        "我把什么都告诉医生了，然后呢",
    ],
)
def test_other_texts_do_not_ask_for_it(text: str) -> None:
    question = recall_question(text)
    assert question is None or not question.open


def test_a_question_without_a_topic_asks_for_everything() -> None:
    assert recall_question("what do you know about me?") == RecallQuestion(topic=False)
    assert recall_question("你记得我什么") == RecallQuestion(topic=False)
