"""What the verifier is shown, how its answers are read, and what they do: let a fact live that passed, release none."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.learning import KnownNote, ProposedFact, Relation, Statement, VerifierAnswer
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning.fact_provenance import Held, Verdict
from orca_core.rules.learning.fact_verifier import (
    MAX_MESSAGE_CHARS,
    MAX_NOTE_CHARS,
    JudgedFact,
    material,
    read_answers,
    statement_of,
    verified,
)
from orca_core.rules.learning.typed_sources import Quote

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CARD = "I live in Berlin, my card is 4929 1234 5678 9012"
BERLIN = VerifierAnswer(True, words="I live in Berlin")


def a_round(number: int, *spans: Span | str, answer: str = "an answer") -> Round:
    said = tuple(span if isinstance(span, Span) else Span(span) for span in spans)
    text = "".join(span.text for span in said)
    return Round(number, "s", number, 1, text, said, answer, RoundState.DONE, NOON)


def judged(
    content: str = "User lives in Berlin",
    quote: str | None = "I live in Berlin",
    rounds: tuple[int, ...] = (1,),
    held: Held | None = None,
) -> JudgedFact:
    return JudgedFact(
        ProposedFact(content, MemoryType.FACT, (), 0.9, quote or ""),
        Verdict(held, quote, rounds if quote else ()),
    )


def shown(rounds: list[Round], *asked: JudgedFact) -> dict[str, list[dict[str, object]]]:
    read: dict[str, list[dict[str, object]]] = json.loads(material(rounds, [statement_of(each) for each in asked]))
    return read


def typed(round_: Round, *asked: JudgedFact) -> str:
    [message] = shown([round_], *asked)["messages"]
    return str(message["typed"])


def quoted(words: str) -> Quote | None:
    if words == CARD:
        return Quote(words, (3,))
    return {"I live in Berlin": Quote(words, (3,)), "I live here": Quote(words, (3,), is_hidden=True)}.get(words)


def test_a_fact_without_a_quote_is_shown_beside_every_message() -> None:
    rounds = [a_round(1, "Berlin is home"), a_round(2, "thanks")]
    assert [message["round"] for message in shown(rounds, judged(quote=None))["messages"]] == [1, 2]


def test_nothing_pasted_quoted_or_of_the_assistant_is_shown() -> None:
    said = a_round(
        1,
        "translate:",
        Span("PASTED words", Source.PASTED),
        Span("PIPED words", Source.PIPED),
        Span("FILED words", Source.FILE),
        'my boss wrote "I live in QUOTED town these days", I live in Berlin\n> CITED line\n```\nFENCED\n```',
        answer="ANSWERED",
    )
    text = material([said], [statement_of(judged())])

    assert not any(word in text for word in ("PASTED", "PIPED", "FILED", "QUOTED", "CITED", "FENCED", "ANSWERED"))
    assert "[pasted 12 characters]" in text
    assert json.dumps("my boss wrote […], I live in Berlin\n[…]", ensure_ascii=False)[1:-1] in text


def test_a_message_of_many_pieces_is_bounded_and_its_quote_is_shown() -> None:
    pieces = [Span("Blah blah. " * 60), Span("x" * 9000, Source.PASTED)] * 9
    text = typed(a_round(1, *pieces, Span("It is so. I live in Berlin.")), judged())

    assert text.startswith("Blah blah.")
    assert "I live in Berlin." in text
    assert len(text) <= MAX_MESSAGE_CHARS + 9 * len("[pasted 9,000 characters]\n…\n") + 50


def test_a_quote_over_two_sentences_of_a_long_message_is_shown_whole() -> None:
    filler = "与此无关的一句话。" * 150
    said = a_round(1, f"{filler}我住在成都。已经三年了。{filler}")
    assert "我住在成都。已经三年了。" in typed(said, judged("用户住在成都", "我住在成都。已经三年"))


def test_a_known_note_is_shown_once_and_by_its_beginning() -> None:
    near, long = KnownNote(7, "User lives in Bonn"), KnownNote(9, "x" * 2000)
    asked = [Statement("a", known=(near, long)), Statement("b", known=(near,))]
    known = json.loads(material([a_round(1, "hello")], asked))["known"]

    assert [each["id"] for each in known] == [7, 9]
    assert known[0]["text"] == "User lives in Bonn"
    assert len(known[1]["text"]) == MAX_NOTE_CHARS


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ('{"answers": [{"fact": 1, "says_so": true}, {"fact": 2, "says_so": false}]}', {1: True, 2: False}),
        ('{"fact": 1, "says_so": false}', {1: False}),
        ('{"answers": [{"fact": "Fact 2", "says_so": "Yes"}, {"fact": "#1", "says_so": "否"}]}', {1: False, 2: True}),
        ('Sure:\n```json\n{"answers": [{"fact": 1, "says_so": false}]}\n```', {1: False}),
        ('{"answers": [{"fact": 2, "says_so": true}]} so: {"answers": [{"fact": 1, "says_so": true}]}', {1: True}),
        ('{"answers": [{"fact": 1, "says_so": false}, {"fact": 2, "says_so": tr', {1: False}),
        ('{"answers": [{"fact": true, "says_so": false}, {"fact": 2, "says_so": true}]}', {2: True}),
        ('{"answers": [true, false]}', None),
        ('{"answers": [{"fact": -1, "says_so": true}, {"fact": "-1", "says_so": true}]}', None),
        ('{"answers": "all true"}', None),
        ("", None),
    ],
)  # fmt: skip
def test_an_answer_is_read_tolerantly_and_what_is_unclear_is_not_answered(answer: str, read: object) -> None:
    answers = read_answers(answer, 2)
    assert (answers and {number: each.says_so for number, each in sorted(answers.items())}) == read


DRAFT = '{"answers": [{"fact": 1, "says_so": true}, {"fact": 2, "says_so": true}]}'
REFUSING = DRAFT.replace("true}]", "false}]")


@pytest.mark.parametrize(
    ("answer", "is_cut", "read"),
    [
        (f'{DRAFT} Wait, 2 is a joke. {{"answers": [{{"fact": 1, "says_so": true}}, {{"fact": 2, "why": "joke", "says_', True, {1: True}),
        (f'{DRAFT} Wait, 2 is a joke. {{"answers": [{{"fact": 1, "says_so": true}}, {{"fact": 2, "why": "joke', False, {1: True}),
        (f'{DRAFT} Wait: {{"ans', False, None),
        (f'{DRAFT} Wait: {{"answers": [{{"fact": 2, "says_so": false}}, {{"fact": 1,', False, {2: False}),
        (f"{DRAFT} Wait, 2 is a jo", True, None),
        (DRAFT, False, {1: True, 2: True}),
        (f"<think>first guess {DRAFT} but 2 is a joke so", True, None),
        (f"<think>first guess {DRAFT} but 2 is a joke so", False, None),
        (f"<think>a</think> <THINKING>first guess {DRAFT} but", False, None),
        (f"<think>easy</think>{DRAFT}", False, {1: True, 2: True}),
        (f"so it goes</think>{DRAFT}", False, {1: True, 2: True}),
    ],
)  # fmt: skip
def test_of_what_was_cut_a_draft_lets_nothing_live(answer: str, read: object, *, is_cut: bool) -> None:
    answers = read_answers(answer, 2, is_cut=is_cut)
    assert (answers and {number: each.says_so for number, each in sorted(answers.items())}) == read


def test_a_single_statement_needs_no_number() -> None:
    assert read_answers('{"says_so": true, "words": "I do"}', 1) == {1: VerifierAnswer(True, "I do")}


@pytest.mark.parametrize(
    ("known", "read"),
    [
        ('{"id": 7, "relation": "same"}', (7, Relation.SAME)),
        ('{"id": "7", "relation": "Replaces "}', (7, Relation.REPLACES)),
        ('{"id": 8, "relation": "same"}', (None, None)),
        ('{"id": 7, "relation": null}', (None, None)),
        ('{"id": 7}', (None, None)),
        ('{"id": true, "relation": "same"}', (None, None)),
        ('{"id": [7], "relation": ["same"]}', (None, None)),
        ("7", (None, None)),
        ("[]", (None, None)),
        ("null", (None, None)),
    ],
)
def test_a_relation_names_one_known_note_and_how(known: str, read: object) -> None:
    answers = read_answers(f'{{"answers": [{{"fact": 1, "says_so": true, "known": {known}}}]}}', 1, (7, 9))
    assert answers is not None
    assert (answers[1].known, answers[1].relation) == read


def test_what_two_answers_name_differently_is_no_relation() -> None:
    rows = [{"fact": 1, "says_so": True, "known": {"id": each, "relation": "same"}} for each in (7, 9)]
    assert read_answers(json.dumps({"answers": rows}), 1, (7, 9)) == {1: VerifierAnswer(True)}


@pytest.mark.parametrize(
    ("fact", "answer", "held", "quote", "rounds"),
    [
        (judged(), VerifierAnswer(True), None, "I live in Berlin", (1,)),
        (judged(), VerifierAnswer(True, words="never typed"), None, "I live in Berlin", (1,)),
        (judged(), VerifierAnswer(False), Held.NOT_SAID, "I live in Berlin", (1,)),
        (judged(), None, Held.UNREAD, "I live in Berlin", (1,)),
        (judged(quote=None), BERLIN, None, "I live in Berlin", (3,)),
        (judged(quote=None), VerifierAnswer(True, words="never typed"), Held.NOT_TYPED, None, ()),
        (judged(quote=None), VerifierAnswer(True), Held.NOT_TYPED, None, ()),
        (judged(quote=None), VerifierAnswer(False, words="I live in Berlin"), Held.NOT_SAID, None, ()),
        (judged(quote=None), VerifierAnswer(True, words="I live here"), Held.HIDDEN, "I live here", (3,)),
        (judged(quote=None), VerifierAnswer(True, words=CARD), Held.ACCOUNT_NUMBER, CARD, (3,)),
        (judged(quote=None), None, Held.UNREAD, None, ()),
    ],
)
def test_a_fact_lives_on_a_yes_and_words_that_were_typed(
    fact: JudgedFact, answer: VerifierAnswer | None, held: Held | None, quote: str | None, rounds: tuple[int, ...]
) -> None:
    after = verified(fact, answer, quoted)
    assert (after.verdict, after.answer, after.fact) == (Verdict(held, quote, rounds), answer, fact.fact)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
RELATIONS = st.dictionaries(st.sampled_from(["id", "relation"]), SCALARS | st.sampled_from(["same", "replaces"]))
VALUES = SCALARS | st.integers(0, 6) | RELATIONS | st.lists(RELATIONS)
ROWS = st.dictionaries(st.sampled_from(["fact", "says_so", "words", "known", "why", "1", "2"]), VALUES) | SCALARS
ANSWERS = st.text() | st.lists(ROWS).map(lambda rows: json.dumps({"answers": rows})) | ROWS.map(json.dumps)


@given(ANSWERS, st.integers(0, 6))
def test_no_answer_speaks_of_a_statement_or_a_note_that_was_not_shown(text: str, cut_at: int) -> None:
    for said in (text, text[: -cut_at or None]):
        answers = read_answers(said, 3, (4, 5)) or {}
        assert answers.keys() <= {1, 2, 3}
        assert all(each.known in (None, 4, 5) for each in answers.values())
        assert all((each.known is None) == (each.relation is None) for each in answers.values())
