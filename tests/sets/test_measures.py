"""The measure itself: what counts as false, as held, as an error of a verifier, and what was recorded of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sets import verifiers
from sets.facts import figures_of_facts
from sets.reading import Claim, Conversation, Said, SetFolder
from sets.recall import figures_of_histories, play_all
from sets.verifiers import Asked

from orca_core.model.llm import Source, Span

pytestmark = pytest.mark.long


def typed(text: str, answer: str = "ok") -> Said:
    return Said((Span(text, Source.TYPED),), answer)


def claim(content: str, quote: str = "", *, live: bool = True, why: str = "honest", **fields: object) -> Claim:
    item = {"content": content, "type": "fact", "tags": [], "confidence": 0.9, "quote": quote, **fields}
    return Claim(item, live, why, quote)


def conversation(*claims: Claim, text: str = "I use neovim for all my code") -> Conversation:
    return Conversation("editor", (typed(text),), (), claims)


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
