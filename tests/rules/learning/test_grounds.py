"""The verdict that a fact goes into a store with: its quote was typed, its labels may hold it back, never release it."""

from __future__ import annotations

import pytest

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.trust.verdicts import judged, verdict_of

OSLO = "User lives in Oslo"
TYPED = "I live in Oslo. My gym is near the harbour."


def said(typed: str = TYPED, *, pasted: str = "") -> transcripts.Testimony:
    return transcripts.Testimony(((3, typed),), (pasted,) if pasted else (), ("Good to know.",))


def fact(content: str = OSLO, quote: str = "", type: str = "fact", **fields: object) -> ProposedFact:
    return ProposedFact(content, MemoryType(type), (), 0.9, quote, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("quote", "kept", "held"),
    [
        ("I live in Oslo", "I live in Oslo", None),
        ("i  LIVE in ｏslo", "I live in Oslo", None),
        ("Ilivein Oslo", "I live in Oslo", None),
        ("I live in Oslo by the fjord", None, "weak_evidence"),
        ("I have always lived in Oslo", None, "weak_evidence"),
        ("", None, None),
    ],
)
def test_only_a_quote_that_was_typed_is_kept_and_any_other_holds(
    quote: str, kept: str | None, held: str | None
) -> None:
    verdict = verdict_of(fact(quote=quote), said())

    assert (verdict.quote, verdict.held) == (kept, held)


def test_a_quote_of_what_was_pasted_is_not_kept_either() -> None:
    verdict = verdict_of(fact(quote="the user lives in Oslo now"), said(pasted="the user lives in Oslo now"))

    assert (verdict.quote, verdict.held) == (None, "not_typed")


@pytest.mark.parametrize(
    ("content", "type", "labels", "held"),
    [
        (OSLO, "fact", {}, None),
        (OSLO, "fact", {"about": "user", "when": "now"}, None),
        (OSLO, "fact", {"about": "theirs"}, None),
        (OSLO, "fact", {"about": "other"}, "weak_evidence"),
        (OSLO, "fact", {"when": "past"}, "weak_evidence"),
        (OSLO, "fact", {"when": "planned"}, "weak_evidence"),
        (OSLO, "fact", {"when": "wish"}, "weak_evidence"),
        ("User was living in Oslo", "fact", {"when": "past"}, None),
        ("User moved to live in Oslo on 2026-03-01", "event", {"when": "past"}, None),
        ("User moved to live in Oslo on 2026-03-01", "event", {"about": "other"}, "weak_evidence"),
    ],
)
def test_a_label_may_hold_a_fact_back(content: str, type: str, labels: dict[str, str], held: str | None) -> None:
    assert verdict_of(fact(content, "I live in Oslo", type, **labels), said("I live in Oslo. 2026-03-01")).held == held


@pytest.mark.parametrize("labels", [{"about": "user"}, {"when": "now"}, {"about": "theirs", "when": "now"}])
def test_no_label_releases_a_fact(labels: dict[str, str]) -> None:
    assert verdict_of(fact(quote="I live in Oslo by the sea", **labels), said()).held == "weak_evidence"
    assert verdict_of(fact("User lives in Bergen", "I live in Oslo", **labels), said(pasted="Bergen")).held is not None


@pytest.mark.parametrize(
    ("quote", "held"),
    [
        ("I left my gym", None),
        ("I left my gym last year", "weak_evidence"),
        ("", "weak_evidence"),
    ],
)
def test_a_retraction_alone_stands_on_its_words(quote: str, held: str | None) -> None:
    bare = fact("No longer so: User goes to the Apex gym", quote, retract="User goes to the Apex gym", is_bare=True)

    assert verdict_of(bare, said("I left my gym.")).held == held


def test_words_that_bear_a_retraction_alone_retract_and_the_rest_waits() -> None:
    both = fact("用户退掉了乐刻两年的月卡", "乐刻的卡我退了", retract="用户办了乐刻健身房月卡")
    alone, rest = judged(both, said("乐刻的卡我退了，省下一笔钱"))

    assert (alone[0].content, alone[0].is_bare, alone[1].held) == ("不再成立：用户办了乐刻健身房月卡", True, None)
    assert (rest[0].content, rest[0].retract, rest[1].held) == (both.content, "", "weak_evidence")


@pytest.mark.parametrize(
    ("content", "quote", "labels"),
    [
        ("User no longer goes to the gym", "I left my gym", {}),
        ("User no longer goes to the gym", "I left my gym", {"when": "past"}),
        ("User sold the Apex gym to a bank", "my gym is near the harbour", {}),
        ("User sold the Apex gym to a bank", "I left my gym", {"about": "other"}),
        ("User sold the Apex gym to a bank", "I left my gym for good", {}),
    ],
)
def test_a_fact_that_is_borne_or_whose_words_end_nothing_stays_whole(
    content: str, quote: str, labels: dict[str, str]
) -> None:
    whole = fact(content, quote, retract="User goes to the gym", **labels)

    assert [each for each, _ in judged(whole, said("I left my gym. My gym is near the harbour."))] == [whole]


@pytest.mark.parametrize(("when", "held"), [("past", None), ("planned", "weak_evidence"), ("wish", "weak_evidence")])
def test_what_ended_may_be_labelled_as_past(when: str, held: str | None) -> None:
    ended = fact(
        "User no longer goes to the gym", "I no longer go to the gym", retract="User goes to the gym", when=when
    )

    assert verdict_of(ended, said("I no longer go to the gym")).held == held


@pytest.mark.parametrize(
    "retract", ["something else entirely", "User writes code with Vim", "User writes code with Nano"]
)
def test_words_that_end_nothing_leave_the_label_of_the_past_in_force(retract: str) -> None:
    labelled = fact("User writes code with Nano", "I write code with Nano", when="past", retract=retract)

    assert verdict_of(labelled, said("I write code with Nano")).held == "weak_evidence"


def test_a_quote_keeps_the_blanks_and_the_case_of_what_was_typed() -> None:
    verdict = verdict_of(
        fact("User writes with neovim", "i W R I T E with NEOVIM"), said("Well, I write\nwith neovim.")
    )

    assert (verdict.quote, verdict.held) == ("I write with neovim", None)


@pytest.mark.parametrize(
    "quote", ["I love\n\ufffc\ndark chocolate", "I love \ufffc dark chocolate", "I love dark chocolate"]
)
def test_no_quote_spans_what_was_not_typed(quote: str) -> None:
    typed = ((3, "My sister says I hate what I love"), (3, "dark chocolate is what I can't stand"))
    spans = transcripts.Testimony(typed, ("a page that was pasted in between",), ())
    verdict = verdict_of(fact("User loves dark chocolate", quote), spans)

    assert (verdict.quote, verdict.held) == (None, "weak_evidence")


def test_a_condition_is_read_in_the_typed_words() -> None:
    typed = "if I say hello, answer in German"
    rule = fact("Answer in German", "ifIsayhello, answer in German", "instruction")

    assert verdict_of(rule, said(typed)).held == "conditional"
