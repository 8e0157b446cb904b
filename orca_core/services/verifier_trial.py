"""Tries the verifier on a dozen sentences whose answers are known, and says whether it is fit: a model that is too
small lets false facts live and holds true ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from orca_core.model.diagnosis import Finding, FindingEvidence, Says, failed
from orca_core.model.errors import BadModelReply, OrcaError
from orca_core.model.learning import KnownNote, Relation, Statement, Subject, VerifierAnswer
from orca_core.model.llm import ChatMessage, ChatModel, ChatRequest, Completed, Finish, ReasoningDelta, Span, TextDelta
from orca_core.model.sessions import Round, RoundState
from orca_core.pipelines.memory_agent import MAX_ANSWER_TOKENS, TEMPERATURE
from orca_core.pipelines.verifier import instructions_of
from orca_core.rules.learning import fact_verifier
from orca_core.rules.text.spelling import Language
from orca_core.services.shared.degradation import of_a_port

VERIFIER = "verifier"
PATIENCE_S = 90.0
"""A model on one's own machine takes long for an answer of some hundred tokens. Chosen by hand."""
MOST_WRONG = 1
"""A verifier that errs more often lets through or holds more than docs/trust.md promises."""
SAID_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Sentence(Struct, frozen=True):
    """Something that was typed, what was noted of it, and whether it says so; and where a note is known, how the noted
    one stands to it."""

    typed: str
    noted: str
    says_so: bool
    known: str = ""
    relation: Relation | None = None


class TrialAnswer(Struct, frozen=True):
    """What the verifier says of sentences, by their numbers; `is_cut` where it did not come to its end."""

    answers: Mapping[int, VerifierAnswer]
    is_cut: bool


TRIAL: tuple[tuple[Language, tuple[Sentence, ...]], ...] = (
    (
        "en",
        (
            Sentence("I live in Lisbon with two cats, any tips for moving a sofa?", "User lives in Lisbon", True,
                     "The user's home is in Lisbon", Relation.SAME),
            Sentence("My sister works as a vet in Graz.", "User works as a vet", False),
            Sentence("Should I learn Rust next year?", "User is learning Rust", False),
            Sentence("Let us play: you are a pirate, I am the captain and own a ship.", "User owns a ship", False),
            Sentence("I have switched from Vim to Helix, all my code is written in it now.",
                     "User writes code in Helix", True, "User writes code in Vim", Relation.REPLACES),
            Sentence("Ten years ago I still smoked, luckily that is over.", "User smokes", False),
        ),
    ),
    (
        "zh",
        (
            Sentence("我对花生过敏，帮我想个晚饭吃什么。", "用户对花生过敏", True),
            Sentence("帮我翻译成英文：我每天早上跑十公里。", "用户每天早上跑十公里", False),
            Sentence("以后每次给我代码，都先写测试。", "用户希望每次给代码时先写测试", True),
            Sentence("要是我有一台好咖啡机就好了。", "用户有一台好咖啡机", False),
            Sentence("我们组用 Go 写后端。", "用户的团队用 Go 写后端，预算已经批准", False),
            Sentence("我明年就要退休了，哈哈，开玩笑的，我才二十五。", "用户明年退休", False),
        ),
    ),
)  # fmt: skip


async def verifier_check(make: Callable[[], ChatModel], agents_folder: Path | None) -> Finding:
    """How many of the sentences the verifier judges right, and what to do where these are too few."""
    try:
        model = make()
    except OrcaError as error:
        return failed(VERIFIER, "warn", error)
    try:
        if model.is_demo:
            return Says(VERIFIER).ok("the built-in demo")
        return await _tried(model, agents_folder)
    finally:
        await model.aclose()


async def _tried(model: ChatModel, agents_folder: Path | None) -> Finding:
    wrong: list[str] = []
    is_cut = False
    for language, sentences in TRIAL:
        try:
            async with asyncio.timeout(PATIENCE_S):
                answered = await _answer(model, language, sentences, agents_folder)
        except TimeoutError:
            detail = "{provider}, {model}: no answer within {seconds} s"
            fix = "what it does not answer waits: name a faster model in [memory_agent.verifier]"
            fields = {"provider": model.provider, "model": model.model, "seconds": f"{PATIENCE_S:g}"}
            return Says(VERIFIER).warns(detail, fix, **fields)
        except Exception as error:  # noqa: BLE001  # whatever it raises, the other endpoints are asked
            return failed(VERIFIER, "warn", of_a_port(error, "the model"))
        wrong += _wrong(sentences, answered.answers)
        is_cut = is_cut or answered.is_cut
    return _told(model, wrong, is_cut=is_cut)


def _told(model: ChatModel, wrong: Sequence[str], *, is_cut: bool) -> Finding:
    count = sum(len(sentences) for _, sentences in TRIAL)
    fields = {"provider": model.provider, "model": model.model, "right": count - len(wrong), "count": count}
    named = [FindingEvidence(text=each) for each in wrong]
    if is_cut:
        detail = "{provider}, {model}: its answer was cut, and judges {right} of {count} sentences right"
        fix = "what it does not answer waits: give it more room to answer, or name another in [memory_agent.verifier]"
        return Says(VERIFIER).warns(detail, fix, **fields).named(named, len(wrong))
    if len(wrong) <= MOST_WRONG:
        detail = "{provider}, {model}: judges {right} of {count} sentences right: fit to verify"
        return Says(VERIFIER).ok(detail, **fields).named(named, len(wrong))
    return (
        Says(VERIFIER)
        .warns(
            "{provider}, {model}: judges {right} of {count} sentences right: not fit to verify",
            'name a larger model in [memory_agent.verifier], or set memory_agent.extract.verify = "ask"',
            **fields,
        )
        .named(named, len(wrong))
    )


async def _answer(
    model: ChatModel, language: Language, sentences: Sequence[Sentence], agents_folder: Path | None
) -> TrialAnswer:
    """What it says of the sentences, asked as in any run. Raises OrcaError."""
    rounds = [
        Round(number, "trial", number, 1, each.typed, (Span(each.typed),), "", RoundState.DONE, SAID_AT)
        for number, each in enumerate(sentences, start=1)
    ]
    asked = [
        Statement(each.noted, rounds=(number,), known=(KnownNote(number, each.known),) if each.known else ())
        for number, each in enumerate(sentences, start=1)
    ]
    messages = (
        ChatMessage("system", instructions_of(Subject.FACTS, language, agents_folder)),
        ChatMessage("user", fact_verifier.material(rounds, asked)),
    )
    request = ChatRequest(messages, temperature=TEMPERATURE, max_tokens=MAX_ANSWER_TOKENS, json_object=True)
    pieces: list[str] = []
    finish = Finish.INTERRUPTED
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            match event:
                case TextDelta(text):
                    pieces.append(text)
                case ReasoningDelta(takes_back=True):
                    pieces.clear()
                case Completed():
                    finish = event.finish
    is_cut, known = finish is not Finish.STOP, [note.id for note in fact_verifier.notes_of(asked)]
    answers = fact_verifier.read_answers("".join(pieces), len(sentences), known, is_cut=is_cut)
    if answers is None:
        template = "{provider}: its answer was cut" if is_cut else "{provider}: its answer could not be read"
        raise BadModelReply(template=template, provider=model.provider)
    return TrialAnswer(answers, is_cut)


def _wrong(sentences: Sequence[Sentence], answered: Mapping[int, VerifierAnswer]) -> Iterator[str]:
    """What was noted in each sentence that is judged wrong, or not at all."""
    for number, sentence in enumerate(sentences, start=1):
        answer = answered.get(number)
        relation = None if answer is None else answer.relation
        if answer is None or answer.says_so is not sentence.says_so or relation is not sentence.relation:
            yield sentence.noted
