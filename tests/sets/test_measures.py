"""The measure itself: what counts as false, as held, as an error of a verifier, and what was recorded of one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from sets import pastes, verifiers
from sets.facts import Judged, figures_of_facts, judged, verified
from sets.figures import Failure, at_least_share, at_most, bad, good, listing
from sets.histories import play
from sets.reading import Chat, Claim, Conversation, History, Said, SetFolder
from sets.recall import figures_of_histories, play_all
from sets.texts import figures_of_pairs, figures_of_questions, figures_of_wishes
from sets.verifiers import Asked, Recorded, recorded_of
from sets.wholeness import faults

from orca_core.model.learning import Answer, ProposedFact, Relation
from orca_core.model.llm import Source, Span
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.fact_provenance import Held, Verdict
from orca_core.rules.learning.fact_verifier import JudgedFact

pytestmark = pytest.mark.long

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def typed(text: str, answer: str = "ok") -> Said:
    return Said((Span(text, Source.TYPED),), answer)


def claim(content: str, quote: str = "", *, live: bool = True, why: str = "honest", **fields: object) -> Claim:
    item = {"content": content, "type": "fact", "tags": [], "confidence": 0.9, "quote": quote, **fields}
    return Claim(item, live, why, quote)


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
        "editor: User uses vim: live is False, why is honest",
        "editor: User uses vim: live is False, why is honest",
        "h: z is no fact of it",
        "h: a fact is expected and must never come",
    ]


def test_the_words_of_a_garbled_quote_are_what_was_typed(tmp_path: Path) -> None:
    row = {"rounds": [{"user": [{"text": "I use neovim", "source": "typed"}], "assistant": ""}]}
    proposed = [{"content": "User uses neovim", "quote": quote} for quote in ("use Neovim", "uses nvim", "")]
    (tmp_path / "honest.json").write_text(json.dumps([{"name": "h", "proposed": proposed, **row}]), "utf-8")
    [read] = SetFolder(tmp_path).conversations()

    assert [each.words for each in read.claims] == ["use Neovim", "I use neovim", "I use neovim"]


async def test_what_is_said_again_is_merged_and_what_is_replaced_goes(tmp_path: Path) -> None:
    def session(fact: str, content: str, said: str, known: object = None) -> dict[str, object]:
        rounds = [{"user": [{"text": said, "source": "typed"}], "assistant": "ok"}]
        return {"rounds": rounds, "proposed": [{"id": fact, "content": content, "quote": said, "known": known}]}

    ask = {"text": "which editor do I use?", "expect": ["b"], "never": ["a"]}
    first = session("a", "User writes code with vim", "I write code with vim")
    rows = [
        {"name": "changed", "kind": "changed", "ask": ask, "sessions": [
            first,
            session("b", "User writes code with emacs", "I write code with emacs", {"id": "a", "relation": "replaces"}),
        ]},
        {"name": "again", "kind": "said_again", "ask": {**ask, "expect": ["a"], "never": []}, "sessions": [
            first,
            session("b", "User writes code in vim", "vim is what I write code in", {"id": "a", "relation": "same"}),
        ]},
    ]  # fmt: skip
    (tmp_path / "sequences.json").write_text(json.dumps(rows), "utf-8")
    heard: list[Asked] = []

    histories = SetFolder(tmp_path).histories()
    played = await play_all(histories, tmp_path, note=lambda asked, _request: heard.append(asked))
    figures = {each.name: (each.count, each.of) for each in figures_of_histories(played)}

    assert {asked.session for asked in heard} == {1, 2}
    assert figures["changed and retracted resolved"] == (1, 1)
    assert figures["said again merged"] == (1, 1)
    assert figures["wrong replacements"][0] == figures["facts merged wrongly"][0] == 0


def test_what_lives_and_what_waits_is_counted_by_its_truth() -> None:
    honest = claim("User uses neovim", "I use neovim for all my code")
    foreign = claim("User keeps bees in Lyon", "bees in Lyon", live=False, why="paste")
    misread = claim("User uses neovim daily", "I use neovim for all my code", live=False, why="addition")
    joke = claim("User uses neovim for all code", "I use neovim for all my code", live=False, why="joke")
    figures = {each.name: each for each in figures_of_facts([conversation(honest, foreign, misread, joke)])}

    def counted(name: str) -> tuple[float, int]:
        return figures[name].count, figures[name].of

    assert counted("false live: none") == (1, 2)
    assert counted("untyped live: none") == (0, 1)
    assert counted("joke live: none") == (1, 1)
    assert counted("honest held: none") == (0, 1)
    assert counted("honest held: none, no quotes") == (1, 1)
    assert counted("honest held: provenance, no quotes") == (0, 1)
    assert counted("false live: right") == (0, 2)
    assert counted("joke live: right") == (0, 1)
    assert counted("honest held: right, no quotes") == (0, 1)
    assert "false live: recorded" not in figures


def test_a_fact_whose_form_is_refused_does_not_live() -> None:
    [each] = judged(conversation(claim("User uses neovim " * 20, "I use neovim for all my code")))

    assert (each.lives, each.outcome) == (False, "dropped: too_long")


@pytest.mark.parametrize(
    ("verdict", "live", "words", "outcome"),
    [
        (Verdict(None, "I use neovim"), False, "", "held: not_said (role)"),
        (Verdict(None, "I use neovim"), True, "", "live"),
        (Verdict(None), True, "I use neovim", "live"),
        (Verdict(None), True, "I use emacs", "held: not_typed (role)"),
        (Verdict(Held.URL), True, "I use neovim", "held: url"),
    ],
)
def test_a_verifier_is_asked_about_what_passed(verdict: Verdict, words: str, outcome: str, *, live: bool) -> None:
    given = replace(claim("User uses neovim", live=live, why="role"), words=words)
    fact = JudgedFact(ProposedFact("User uses neovim", MemoryType.FACT, (), 0.9), verdict)
    [each] = verified([Judged(conversation(given), given, fact)], verifiers.right)

    assert each.outcome == outcome


def test_what_a_verifier_does_not_answer_waits() -> None:
    given = claim("User uses neovim", "I use neovim for all my code")
    [each] = verified(judged(conversation(given)), lambda _: {})

    assert each.outcome == "held: unread"


def test_a_careless_verifier_errs_in_one_of_twenty_answers_both_ways_and_always_the_same() -> None:
    claims = [claim(f"User has {number} bees", live=number % 2 == 0) for number in range(4000)]
    asked = Asked("editor", tuple(claims), {})

    def wrong(seed: int) -> list[Claim]:
        answers = verifiers.careless(seed)(asked)
        return [each for number, each in enumerate(claims, start=1) if answers[number].says_so is not each.live]

    assert 0.04 < len(wrong(1)) / len(claims) < 0.06
    assert 0.4 < sum(each.live for each in wrong(1)) / len(wrong(1)) < 0.6
    assert wrong(1) == wrong(1)
    assert wrong(1) != wrong(2)


def test_a_verifier_that_is_right_names_what_is_replaced() -> None:
    new = claim("User uses emacs", "I use emacs now", replace="User uses neovim")
    again = claim("User drinks tea", "I drink tea")
    asked = Asked("editor", (new, again), {7: "User uses Neovim", 8: "user drinks tea", 9: "User has a cat"})
    answers = verifiers.right(asked)

    assert (answers[1].known, answers[1].relation) == (7, Relation.REPLACES)
    assert (answers[2].known, answers[2].relation) == (8, Relation.SAME)


def test_recorded_answers_are_found_by_conversation_session_and_fact(tmp_path: Path) -> None:
    note = {"text": "User uses Vim", "relation": "replaces"}
    rows = [
        {"conversation": "editor", "fact": "User uses neovim", "says_so": True, "words": "I use neovim", "known": note},
        {"conversation": "editor", "fact": "User uses emacs", "says_so": False, "set": "another"},
        {"conversation": "editor", "session": 2, "fact": "User uses neovim", "says_so": False},
    ]
    (tmp_path / "recorded.json").write_text(json.dumps(rows), "utf-8")
    recorded = recorded_of(tmp_path)
    claims = (claim("User uses neovim", "q"), claim("User uses emacs", "q"))
    first = recorded(Asked("editor", claims, {3: "user uses vim"}))
    later = recorded(Asked("editor", claims[:1], {}, session=2))

    assert recorded.has_sessions
    assert first == {1: Answer(True, "I use neovim", 3, Relation.REPLACES)}
    assert later == {1: Answer(False, "q")}
    assert recorded.missing == ["editor: User uses emacs"]
    assert recorded(Asked("editor", claims[:1], {}, is_quoted=False))[1].says_so
    assert not Recorded(())


def test_a_question_is_printed_as_it_is_sent_and_its_answer_kept(tmp_path: Path) -> None:
    row = {"rounds": [{"user": [{"text": "I use neovim for all my code", "source": "typed"}], "assistant": "ok"}]}
    fact = {"content": "User uses neovim", "quote": "I use neovim"}
    untyped = {"content": "User uses emacs", "quote": "I use emacs", "live": False, "why": "invented"}
    known = [{"content": "User uses vim"}]
    poisoned = [{"name": "editor", "proposed": [fact, untyped], "known": known, **row}]
    (tmp_path / "poisoned.json").write_text(json.dumps(poisoned), "utf-8")
    (tmp_path / "set").mkdir()
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    said = {"fact": 1, "says_so": True, "words": "I use neovim", "why": "-", "known": {"id": 1, "relation": "replaces"}}

    run("record_verifier.py", str(tmp_path), "--questions", str(questions))
    question, bare = (json.loads(line) for line in questions.read_text("utf-8").splitlines())
    text = json.dumps({"answers": [said]})
    answers.write_text("".join(json.dumps({"n": number, "text": text}) + "\n" for number in (1, 2)), "utf-8")
    run("record_verifier.py", str(tmp_path), "--questions", str(questions), "--answers", str(answers))
    run("record_verifier.py", str(tmp_path), "--questions", str(questions))

    assert (question["part"], bare["part"]) == ("facts", "facts_no_quotes")
    assert question["facts"] == bare["facts"] == ["User uses neovim"]
    assert json.loads(bare["user"])["facts"][0]["quote"] == ""
    assert json.loads(question["user"])["facts"][0]["says"] == "User uses neovim"
    assert "says_so" in question["system"]
    kept, _ = json.loads((tmp_path / "recorded.json").read_text("utf-8"))
    assert (kept["fact"], kept["known"]) == ("User uses neovim", {"text": "User uses vim", "relation": "replaces"})
    assert questions.read_text("utf-8") == ""


def test_a_run_costs_one_question_and_one_to_the_verifier(tmp_path: Path) -> None:
    said = ["I use neovim for all my code", "and what is the newest one?"]
    rounds = [{"user": [{"text": text, "source": "typed"}], "assistant": "ok"} for text in said]
    fact = {"content": "User uses neovim", "quote": "I use neovim"}
    untyped = {"content": "User uses emacs", "quote": "I use emacs"}
    sets = {"verified": [fact, untyped], "held": [untyped], "empty": []}
    poisoned = [{"name": name, "proposed": proposed, "rounds": rounds} for name, proposed in sets.items()]
    (tmp_path / "poisoned.json").write_text(json.dumps(poisoned), "utf-8")

    head, _, *rows = run("learning_costs.py", str(tmp_path)).splitlines()

    assert head.endswith("3 runs, 3 proposed, the verifier asked about 1")
    calls = {name: (float(a_run), int(of_all)) for name, a_run, of_all, *_tokens in map(str.split, rows)}
    assert calls == {"extraction": (1.0, 3), "verifier": (0.33, 1), "all": (1.33, 4)}
    assert all(int(row.split()[-1].replace(",", "")) > 100 for row in rows)


def run(script: str, *arguments: str) -> str:
    """What it prints."""
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout


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
    assert (figures["named changes carried out"].count, figures["changed and retracted resolved"].of) == (0, 1)
    assert figures["newest recalled"].count == 0
