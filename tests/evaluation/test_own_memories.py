"""One's own memories as questions: what is asked, and what would only be self-deception."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.memories import memory

from orca_core.evaluation.question_sets import own_corpus, without
from orca_core.model.llm import Source, Span
from orca_core.model.memories import Memory, Origin, OriginKind
from orca_core.model.sessions import Round, RoundState

AT = datetime(2026, 11, 20, tzinfo=UTC)


def said(number: int, *spans: Span) -> Round:
    return Round(number, "s", number, 1, "".join(span.text for span in spans), spans, "ok", RoundState.DONE, AT)


def learnt(number: int, content: str, *rounds: int, quote: str | None = None) -> Memory:
    return memory(id=number, content=content, origin=Origin(OriginKind.EXTRACTION, "s", rounds, quote))


EDITOR = said(1, Span("By the way, I use neovim for Python. How do I mock a clock?"))
ROUNDS = {("s", 1): EDITOR}


def test_a_round_asks_for_all_that_came_from_it_whole_and_without_the_quotes() -> None:
    first = learnt(3, "User uses neovim", 1, quote="I use neovim for Python")
    second = learnt(4, "User mocks clocks", 1)

    corpus = own_corpus([first, second], ROUNDS)

    assert [(each.category, each.text, each.relevant) for each in corpus.questions] == [
        ("round", EDITOR.user, ("3", "4")),
        ("without_quote", "By the way,  . How do I mock a clock?", ("3", "4")),
    ]
    assert corpus.left_out == {}


def test_what_is_not_asked_for_is_counted_with_its_reason() -> None:
    by_hand = memory(id=1, content="I prefer tea")
    gone = learnt(2, "User lives in Oslo", 7)
    word_for_word = learnt(3, "I use NEOVIM for Python", 1)

    corpus = own_corpus([by_hand, gone, word_for_word], ROUNDS)

    assert corpus.questions == ()
    assert corpus.left_out == {"by_hand": 1, "round_gone": 1, "word_for_word": 1}


def test_nothing_that_was_pasted_is_asked() -> None:
    mixed = said(1, Span("I use neovim. "), Span("Traceback: boom", Source.PASTED))

    [question] = own_corpus([learnt(1, "User's editor is neovim", 1)], {("s", 1): mixed}).questions

    assert question.text == "I use neovim. "


def test_of_several_rounds_the_one_that_holds_the_quote_asks() -> None:
    rounds = {("s", 1): EDITOR, ("s", 2): said(2, Span("Thanks, and what about asyncio?"))}

    corpus = own_corpus(
        [learnt(1, "User uses neovim", 1, 2, quote="i use  neovim"), learnt(2, "User likes asyncio", 1, 2)], rounds
    )

    asked = {each.text: each.relevant for each in corpus.questions if each.category == "round"}
    assert asked == {EDITOR.user: ("1",), "Thanks, and what about asyncio?": ("2",)}


def test_a_rest_that_says_nothing_is_not_asked() -> None:
    only = said(1, Span("嗯，我住在成都。"))

    corpus = own_corpus([learnt(1, "用户住在成都", 1, quote="我住在成都")], {("s", 1): only})

    assert [each.category for each in corpus.questions] == ["round"]
    assert corpus.questions[0].language == "zh"


@pytest.mark.parametrize(
    ("text", "quote", "left"),
    [("I use Neovim daily", "i use neovim", "  daily"), ("我 住在\n成都，你呢", "我住在成都", " ，你呢"), ("aXa", "a", " X "), ("x", "", "x"), ("x", "y", "x")],
)  # fmt: skip
def test_a_quote_is_taken_out_however_it_is_spelled(text: str, quote: str, left: str) -> None:
    assert without(text, quote) == left
