"""Conversations with the facts that an agent proposes of them and the truth about each: which live, by who verifies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from sets.questions import Row, errs, lines_of, question

from orca_core.model.learning import KnownNote, Statement, Subject, VerifierAnswer
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState
from orca_core.pipelines.memory_agent import language_in, with_local_dates
from orca_core.rules.learning import fact_extraction, fact_provenance, fact_verifier, transcripts, typed_sources
from orca_core.rules.learning.fact_verifier import JudgedFact, material, read_answers
from orca_core.rules.learning.quotes import compare, wording_of
from orca_core.rules.text.spelling import folded
from orca_core.settings import ExtractSettings

TODAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The day on which all conversations were written."""
RECORDED = "recorded.jsonl"
UNTYPED = ("paste", "file", "quotation", "assistant", "tool", "smuggled", "hidden")
"""Why a fact is false whose words come from what the user did not type, or could not see."""
COUNTED_APART = ("sarcasm", "joke")
KNOWN_SHOWN = 5


class TrueFact(Struct, frozen=True):
    """A fact as a careless or fooled memory agent gives it (`item`), whether it may `live`, what makes a false one
    false, and what was typed for it, also where its quote is emptied or invented."""

    item: Mapping[str, Any]
    live: bool
    why: str
    typed: str

    @property
    def content(self) -> str:
        return str(self.item["content"])


class TrueConversation(Struct, frozen=True):
    """Some rounds, the memories that were live before them, and what is proposed of them."""

    name: str
    rounds: tuple[Round, ...]
    known: tuple[str, ...]
    facts: tuple[TrueFact, ...]

    def without_quotes(self) -> TrueConversation:
        facts = tuple(TrueFact({**each.item, "quote": ""}, each.live, each.why, each.typed) for each in self.facts)
        return TrueConversation(self.name, self.rounds, self.known, facts)


class Failures(Struct):
    """What went wrong, a line each, of so many honest and false facts. `untyped` ones live that nobody typed."""

    honest: int = 0
    false: int = 0
    lived: list[str] = field(default_factory=list)
    untyped: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)


FactVerifier = Callable[[str, TrueFact], VerifierAnswer | None]
"""What it answers about a fact of the conversation of that name; None where it does not."""


def conversations_in(folder: Path) -> list[TrueConversation]:
    """Poisoned and honest ones. What gives no truth has that of its file."""
    files = (("poisoned", False), ("honest", True))
    return [
        _conversation(row, is_honest=is_honest)
        for file, is_honest in files
        for row in json.loads((folder / f"{file}.json").read_text("utf-8"))
    ]


def _conversation(row: Mapping[str, Any], *, is_honest: bool) -> TrueConversation:
    rounds = tuple(_round(number, each) for number, each in enumerate(row["rounds"], start=1))
    typed = [span.text for each in rounds for span in each.spans if span.source is Source.TYPED]
    known = tuple(each["content"] for each in row.get("known", ()))
    return TrueConversation(
        row["name"], rounds, known, tuple(_fact(each, typed, is_honest=is_honest) for each in row["proposed"])
    )


def _round(number: int, row: Mapping[str, Any]) -> Round:
    spans = tuple(Span(each["text"], Source(each["source"])) for each in row["user"])
    user = "".join(each.text for each in spans)
    return Round(number, "s", number, 1, user, spans, row["assistant"], RoundState.DONE, TODAY)


def _fact(row: Mapping[str, Any], typed: list[str], *, is_honest: bool) -> TrueFact:
    item = {"type": "fact", "tags": [], "confidence": 0.9, "quote": ""}
    item |= {key: value for key, value in row.items() if key not in ("live", "why")}
    quote = str(item["quote"])
    if not quote or not any(folded(quote) in folded(text) for text in typed):
        quote = max(typed, key=lambda text: compare(str(item["content"]), wording_of(text)).share, default="")
    return TrueFact(item, row.get("live", is_honest), row.get("why", ""), quote)


def right(_name: str, fact: TrueFact) -> VerifierAnswer:
    """By the truth of the set."""
    return VerifierAnswer(fact.live, fact.typed if fact.live else "")


def careless(seed: int) -> FactVerifier:
    """Errs in one of twenty answers, both ways."""
    return lambda name, fact: VerifierAnswer(fact.live is not errs(seed, name, fact.content), fact.typed)


def recorded(path: Path) -> FactVerifier:
    """What a large model answered once to the shipped prompt. Asked without a quote, its answer with one will do."""
    answers: dict[tuple[str, bool, str], VerifierAnswer] = {}
    for row in lines_of(path):
        key = (row["conversation"], row["quotes"], folded(row["fact"]))
        answers[key] = VerifierAnswer(row["says_so"], row["words"], why=row["why"])

    def said(name: str, fact: TrueFact) -> VerifierAnswer | None:
        is_quoted, content = bool(fact.item["quote"]), folded(fact.content)
        return answers.get((name, is_quoted, content)) or answers.get((name, True, content))

    return said


def judged(conversation: TrueConversation) -> list[JudgedFact | None]:
    """Each fact as provenance judges it; None where its form alone refuses it."""
    said = transcripts.testimony(conversation.rounds)
    found: list[JudgedFact | None] = []
    for each in conversation.facts:
        reading = fact_extraction.read_facts(json.dumps({"facts": [each.item]}), ExtractSettings())
        assert reading is not None
        found += [JudgedFact(one, fact_provenance.judge(one, said, conversation.known)) for one in reading.facts]
        found += [] if reading.facts else [None]
    return found


def measured(conversations: Iterable[TrueConversation], verifier: FactVerifier | None) -> Failures:
    """What lives and what is held by a verifier, or where nobody verifies."""
    found = Failures()
    for each in conversations:
        for fact, one in zip(each.facts, judged(each), strict=True):
            held = "form" if one is None else _held_by(verifier, each, fact, one)
            found.honest += fact.live
            found.false += not fact.live
            told = f"{each.name} · {fact.why} · {fact.content} · {held} · {fact.typed}"
            if fact.live and held is not None:
                found.held.append(told)
            elif not fact.live and held is None:
                found.lived += [told] if fact.why not in COUNTED_APART else []
                found.untyped += [told] if fact.why in UNTYPED else []
    return found


def held_by_provenance(conversations: Iterable[TrueConversation]) -> list[str]:
    """The honest facts that wait before a verifier is asked."""
    return [
        f"{each.name} · {fact.content}"
        for each in conversations
        for fact, one in zip(each.facts, judged(each), strict=True)
        if fact.live and (one is None or not one.has_passed)
    ]


def _held_by(
    verifier: FactVerifier | None, conversation: TrueConversation, fact: TrueFact, one: JudgedFact
) -> str | None:
    said = transcripts.testimony(conversation.rounds)
    if verifier is None:
        one = fact_verifier.unverified(one)
    elif one.has_passed:
        answer = verifier(conversation.name, fact)
        one = fact_verifier.verified(one, answer, lambda words: typed_sources.verified_quote(words, said))
    return None if one.verdict.held is None else one.verdict.held.value


def asked_in(folder: Path) -> Iterator[tuple[Row, list[Statement]]]:
    """The verifier's exact question about each conversation of a folder, with quotes and without, numbered."""
    both = [one for each in conversations_in(folder) for one in (each, each.without_quotes())]
    number = 0
    for each in both:
        notes = tuple(KnownNote(place, text) for place, text in enumerate(each.known[:KNOWN_SHOWN], start=1))
        passed = [one for one in judged(each) if one is not None and one.has_passed]
        statements = [fact_verifier.statement_of(one, notes) for one in passed]
        if statements:
            number += 1
            shown = material(with_local_dates(each.rounds), statements)
            yield question(number, folder.name, each.name, Subject.FACTS, language_in(each.rounds), shown), statements


def records_of(_folder: Path, asked: Iterable[Row], texts: Mapping[int, str]) -> Iterator[Row]:
    """A model's answers to these questions as what is said of each fact; nothing where an answer can't be read."""
    for each in asked:
        facts = {row["fact"]: row for row in json.loads(each["user"])["facts"]}
        for number, answer in sorted((read_answers(texts.get(each["n"], ""), len(facts)) or {}).items()):
            fact = facts[number]
            row = {"conversation": each["name"], "quotes": bool(fact["quote"]), "fact": fact["says"]}
            yield {**row, "says_so": answer.says_so, "words": answer.words, "why": answer.why}
