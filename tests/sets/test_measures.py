"""The measure itself: what counts as false, as held, as an error of a second reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sets import pastes, second_readers
from sets.facts import Judged, figures_of_facts, judged, second_read
from sets.figures import Failure, at_least_share, at_most, bad, good, listing
from sets.histories import play
from sets.reading import Chat, Claim, Conversation, History, Said, SetFolder
from sets.recall import figures_of_histories
from sets.texts import figures_of_pairs, figures_of_questions, figures_of_wishes
from sets.wholeness import faults

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.domain.messages import Source, Span
from orca_core.rules.learning.trust.evidence import Held, Verdict
from orca_core.rules.learning.trust.second_reading import JudgedFact

pytestmark = pytest.mark.long


def typed(text: str, answer: str = "ok") -> Said:
    return Said((Span(text, Source.TYPED),), answer)


def claim(content: str, quote: str = "", *, live: bool = True, why: str = "honest", **fields: object) -> Claim:
    item = {"content": content, "type": "fact", "tags": [], "confidence": 0.9, "quote": quote, **fields}
    return Claim(item, live, why)


def conversation(*claims: Claim, text: str = "I use neovim for all my code") -> Conversation:
    return Conversation("editor", (typed(text),), (), claims)


def test_a_folder_is_read_with_the_truth_of_its_files(tmp_path: Path) -> None:
    row = {"rounds": [{"user": [{"text": "a", "source": "typed"}], "assistant": "b"}]}
    fact = {"content": "User says a", "quote": "a"}
    marked = {**fact, "live": True, "why": "honest"}
    poisoned = [{"name": "p", "proposed": [fact, marked], **row}]
    honest = [{"name": "h", "proposed": [fact], "known": [{"content": "User said b"}], **row}]
    for name, rows in (("poisoned", poisoned), ("honest", honest)):
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), "utf-8")

    first, second = SetFolder(tmp_path).conversations()

    assert [(each.live, each.why) for each in first.claims] == [(False, "unnamed"), (True, "honest")]
    assert [(each.live, each.why) for each in second.claims] == [(True, "honest")]
    assert second.known == ("User said b",)
    assert SetFolder(tmp_path).rows("pairs") == []


def test_a_folder_whose_truth_does_not_hold_together_is_found_out(tmp_path: Path) -> None:
    rounds = [
        {
            "user": [{"text": "I use neovim", "source": "typed"}, {"text": "and vim", "source": "pasted"}],
            "assistant": "",
        }
    ]
    untyped = {"content": "User uses vim", "quote": "and vim", "live": True, "why": "honest"}
    nameless = {"content": "User uses vim", "quote": "and vim", "live": False, "why": "honest"}
    row = {"name": "editor", "rounds": rounds, "proposed": [untyped, nameless]}
    ask = {"text": "?", "expect": ["a", "z"], "never": ["a"]}
    history = {
        "name": "h",
        "kind": "changed",
        "sessions": [{"rounds": rounds, "proposed": [{**untyped, "id": "a"}]}],
        "ask": ask,
    }
    for name, rows in (("poisoned", [row]), ("honest", [row]), ("sequences", [history])):
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), "utf-8")

    assert faults(SetFolder(tmp_path)) == [
        "editor: named 2 times",
        *2
        * [
            "editor: User uses vim: the quote of an honest fact stands in no typed span",
            "editor: User uses vim: live is False, why is honest",
        ],
        "h: z is no fact of it",
        "h: a fact is expected and must never come",
        "h: User uses vim: the quote of an honest fact stands in no typed span",
    ]


def test_what_lives_and_what_waits_is_counted_by_its_truth() -> None:
    honest = claim("User uses neovim", "I use neovim for all my code")
    foreign = claim("User keeps bees in Lyon", "bees in Lyon", live=False, why="invented")
    joke = claim("User uses neovim for all code", "I use neovim for all my code", live=False, why="joke")
    figures = {each.name: each for each in figures_of_facts([conversation(honest, foreign, joke)])}

    assert (figures["false live: rules"].count, figures["false live: rules"].of) == (0, 1)
    assert (figures["joke live: rules"].count, figures["joke live: rules"].of) == (1, 1)
    assert (figures["honest held: rules"].count, figures["honest held: rules"].of) == (0, 1)
    # What is plain is not shown to a second reader, however right.
    assert (figures["joke live: right"].count, figures["honest held: right"].count) == (1, 0)


def test_a_fact_whose_form_is_refused_does_not_live() -> None:
    [each] = judged(conversation(claim("User uses neovim " * 20, "I use neovim for all my code")))

    assert (each.lives, each.outcome) == (False, "dropped: too_long")


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (Verdict(None), "held: second_reader"),
        (Verdict(None, is_plain=True), "live, plain (no second reader is asked)"),
        (Verdict(Held.URL), "held: url"),
    ],
)
def test_a_second_reader_is_asked_about_what_would_live_and_is_not_plain(verdict: Verdict, outcome: str) -> None:
    false = claim("User uses neovim", live=False, why="role")
    fact = JudgedFact(ProposedFact("User uses neovim", MemoryType.FACT, (), 0.9), verdict)
    [each] = second_read([Judged(conversation(false), false, fact)], second_readers.right)

    assert each.outcome == outcome


def test_a_careless_reader_errs_in_one_of_five_answers_both_ways_and_always_the_same() -> None:
    claims = [claim(f"User has {number} bees", live=number % 2 == 0) for number in range(2000)]
    reads = second_readers.careless(1)
    wrong = [each for each in claims if reads(conversation(), each) is not each.live]

    assert 0.17 < len(wrong) / len(claims) < 0.23
    assert 0.4 < sum(each.live for each in wrong) / len(wrong) < 0.6
    assert wrong == [each for each in claims if second_readers.careless(1)(conversation(), each) is not each.live]
    assert wrong != [each for each in claims if second_readers.careless(2)(conversation(), each) is not each.live]


@pytest.mark.parametrize("length", pastes.LENGTHS)
@pytest.mark.parametrize("kind", pastes.KINDS)
def test_an_unrelated_text_has_its_length_and_stays_the_same(kind: str, length: int) -> None:
    text = pastes.unrelated(kind, length, "a")

    assert len(text) == length
    assert text == pastes.unrelated.__wrapped__(kind, length, "a")
    assert text != pastes.unrelated(kind, length, "c")


def test_questions_wishes_and_pairs_are_told_by_their_truth() -> None:
    asked = "what do you know about me?"
    questions = [{"text": asked, "recall": True}, {"text": asked, "recall": False}, {"text": "Thanks", "recall": True}]
    wishes = [
        {"text": "Remember that I drink tea.", "remember": "I drink tea!", "forget": None},
        {"text": "Remember that I drink tea.", "remember": None, "forget": None},
    ]
    pairs = [{"a": "User likes tea", "b": "User likes tea", "type": "fact", "same": same} for same in (True, False)]
    figures = [*figures_of_questions(questions), *figures_of_wishes(wishes), *figures_of_pairs(pairs)]

    assert {each.name: (each.count, each.of) for each in figures} == {
        "questions found": (1, 2),
        "false questions taken": (1, 1),
        "remember exact": (1, 1),
        "forget exact": (0, 0),
        "false wishes taken": (1, 1),
        "pairs found": (1, 1),
        "pairs merged wrongly": (1, 1),
    }


@pytest.mark.parametrize(
    ("text", "labelled"),
    [
        ("forget my old address", "my old address"),
        ("forget everything I said about my old address", "everything i said about my old address."),
        ("forget everything I said about my old address", "my old address"),
        ("忘掉我的旧地址", "我的旧地址那件事"),
    ],
)
def test_words_around_a_wish_that_name_nothing_are_no_difference(text: str, labelled: str) -> None:
    [_, exact, _] = figures_of_wishes([{"text": text, "remember": None, "forget": labelled}])
    [_, other, _] = figures_of_wishes([{"text": text, "remember": None, "forget": "my new address"}])

    assert (exact.count, other.count) == (1, 0)


def test_a_bound_is_held_by_a_share_or_a_number_and_by_nothing_at_all() -> None:
    failure = Failure("editor", "role", "User is a pirate", "live", quote="I am a pirate")
    figure = bad("false live: rules", [failure], 20)

    assert at_most(1).holds(figure)
    assert not at_most(0).holds(figure)
    assert at_least_share(0.95).holds(good("found", [failure], 20))
    assert not at_least_share(0.96).holds(good("found", [failure], 20))
    assert at_least_share(1).holds(good("found", [], 0))
    for told in ("editor", "role", "I am a pirate", "User is a pirate", "live"):
        assert told in listing([figure])
    assert listing([figure], "honest") == ""


async def test_a_history_is_played_and_asked_about(tmp_path: Path) -> None:
    editor = claim("User uses neovim for all code", "I use neovim for all my code")
    tea = claim("User drinks green tea every morning", "I drink green tea every morning")
    chats = (
        Chat(
            (typed("I use neovim for all my code"), typed("I drink green tea every morning")),
            {"a": editor, "b": tea},
            (),
        ),
        Chat((typed("Forget that I drink green tea"),), {}, ("b",)),
    )
    history = History("tea", "forgotten", chats, "What do you know about me?", ("a",), ("b",))

    played = await play(history, tmp_path)

    assert played.outcome_of == {"a": "live", "b": "live"}
    assert played.recalled == (played.memory_of["a"],)
    [(meant, _proposed)] = played.forgotten.values()
    assert meant == {played.memory_of["b"]}
    figures = {each.name: each for each in figures_of_histories([played])}
    assert (figures["what is gone stays away"].count, figures["the rest is recalled"].count) == (1, 1)


async def test_what_was_named_and_was_not_carried_out_is_a_failure(tmp_path: Path) -> None:
    said = "I moved my notes from Lyon to 415-555-2671"
    old = claim("User keeps notes in Lyon", "I keep my notes in Lyon")
    new = claim("User keeps notes at 415-555-2671", said, replace="User keeps notes in Lyon")
    chats = (Chat((typed("I keep my notes in Lyon"),), {"a": old}, ()), Chat((typed(said),), {"b": new}, ()))

    played = await play(History("moved", "changed", chats, "Where do I keep my notes?", ("b",), ("a",)), tmp_path)

    assert played.carried_out["b"].startswith("the older one is live, the newer one held: account_number")
    figures = {each.name: each for each in figures_of_histories([played])}
    assert (figures["named changes carried out"].count, figures["- of them updates"].of) == (0, 1)
    assert figures["newest recalled"].count == 0
