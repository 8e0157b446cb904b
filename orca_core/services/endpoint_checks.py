"""Asks the endpoints that are configured: which models they offer, one token, one embedding, one order. Each has its
time, and what one of them does keeps no other from being asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing

from msgspec.structs import replace

from orca_core.model.diagnosis import CheckState, Finding, Says, failed
from orca_core.model.errors import BadModelReply, OrcaError
from orca_core.model.llm import (
    ChatMessage,
    ChatModel,
    ChatRequest,
    Clock,
    Completed,
    Embedder,
    ReasoningDelta,
    Reranker,
    TextDelta,
)
from orca_core.rules.retrieval.match_evidence import check_vectors
from orca_core.services.shared.degradation import of_a_port

CHAT, AGENT, EMBEDDING, RERANK = "chat", "memory agent", "embedding", "rerank"

LIST_PATIENCE_S = 10.0
TOKEN_PATIENCE_S = 30.0
EMBEDDING_PATIENCE_S = 10.0
RERANK_PATIENCE_S = 10.0
"""Chosen by hand: a model on one's own machine may have to be loaded before its first token."""

TRIAL = "Orca looks whether it can embed."
RERANK_TRIAL = ("Does it work?", ("It works.", "The sky is blue."))
MOST_TOKENS = 16
"""It is left after its first token; some servers refuse to be asked for fewer."""

Offered = Callable[[], Awaitable[Sequence[str]]]


async def chat_check(name: str, make: Callable[[], ChatModel], offered: Offered, clock: Clock) -> Finding:
    """Whether a chat model answers, and whether its server lists it. Nothing but a word of Orca's own is sent."""
    state: CheckState = "fail" if name == CHAT else "warn"  # rounds wait until the memory agent answers
    try:
        model = make()
    except OrcaError as error:
        return failed(name, state, error)
    try:
        if model.is_demo:
            return _demo(name)
        answered, names = await asyncio.gather(_answered(name, state, model, clock), _listed(offered))
        return _told(name, model, answered, names)
    finally:
        await model.aclose()


def _demo(name: str) -> Finding:
    if name == AGENT:
        return Says(name).ok("the built-in demo")
    return Says(name).warns("the built-in demo", "connect a model: orca config init, then edit config.toml")


async def _answered(name: str, state: CheckState, model: ChatModel, clock: Clock) -> Finding | float:
    """After how many seconds it began to answer, or why it did not."""
    began = clock.monotonic()
    try:
        async with asyncio.timeout(TOKEN_PATIENCE_S):
            await _first_token(model)
    except TimeoutError:
        fields = {"provider": model.provider, "model": model.model, "seconds": f"{TOKEN_PATIENCE_S:g}"}
        detail = "{provider}, {model}: no answer within {seconds} s"
        fix = "look whether its server runs, then ask again"
        return Finding(name, state, detail, fix, fields)
    except Exception as error:  # noqa: BLE001  # whatever it raises, the other endpoints are asked
        return failed(name, state, of_a_port(error, "the model"))
    return clock.monotonic() - began


def _told(name: str, model: ChatModel, answered: Finding | float, names: Sequence[str] | None) -> Finding:
    """What is said of a model, by how it answered and what its server lists."""
    if isinstance(answered, Finding):
        if answered.fix_template or not names:
            return answered
        fix = "orca models lists what the server offers"
        return replace(answered, fix_template=fix)
    fields = {"provider": model.provider, "model": model.model, "seconds": f"{answered:.2f}"}
    if names is None:
        detail = "{provider}, {model}: answers after {seconds} s; its server does not list its models"
        return Says(name).ok(detail, **fields)
    if model.model in names:
        detail = "{provider}, {model}: answers after {seconds} s, one of {count} models"
        return Says(name).ok(detail, **fields, count=len(names))
    detail = "{provider}, {model}: answers after {seconds} s, though its server lists {count} others"
    return Says(name).ok(detail, "orca models shows them", **fields, count=len(names))


async def _listed(offered: Offered) -> Sequence[str] | None:
    """The models that a server offers; None where it does not say in time."""
    try:
        async with asyncio.timeout(LIST_PATIENCE_S):
            return await offered()
    except (OrcaError, TimeoutError):
        return None


async def _first_token(model: ChatModel) -> None:
    request = ChatRequest((ChatMessage("user", "ping"),), max_tokens=MOST_TOKENS)
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, TextDelta | ReasoningDelta | Completed):
                return
    raise BadModelReply(template="{provider}: the answer ended without a word", provider=model.provider)


async def embedding_check(make: Callable[[], Embedder], clock: Clock) -> Finding:
    """Whether a server embeds a sentence of Orca's own, in as many dimensions as are configured."""
    try:
        embedder = make()
    except OrcaError as error:
        return failed(EMBEDDING, "warn", error, "memories are found by their words until it works")
    began = clock.monotonic()
    try:
        failure = await embedding_failure(embedder)
    finally:
        await embedder.aclose()
    if failure is not None:
        return failure
    detail = "{model}: {dimensions} dimensions, as configured, after {seconds} s"
    seconds = f"{clock.monotonic() - began:.2f}"
    return Says(EMBEDDING).ok(detail, model=embedder.model, dimensions=embedder.dimensions, seconds=seconds)


async def embedding_failure(embedder: Embedder) -> Finding | None:
    """Why a sentence of Orca's own can't be embedded; None where it can."""
    try:
        async with asyncio.timeout(EMBEDDING_PATIENCE_S):
            check_vectors(await embedder.uncached.embed([TRIAL]), 1, embedder.model, embedder.dimensions)
    except TimeoutError:
        fix = "memories are found by their words until it answers"
        seconds = f"{EMBEDDING_PATIENCE_S:g}"
        return Says(EMBEDDING).warns(
            "{model}: no answer within {seconds} s", fix, model=embedder.model, seconds=seconds
        )
    except Exception as error:  # noqa: BLE001  # as above
        told = of_a_port(error, "the embedder")
        return failed(EMBEDDING, "warn", told, "memories are found by their words until it works")
    return None


async def rerank_check(make: Callable[[], Reranker], clock: Clock, deadline_s: float) -> Finding:
    """Whether a server puts two sentences of Orca's own in order. It is asked twice: the second time it is connected,
    as it is in most turns."""
    fix = "memories keep the order of their scores until it answers in time"
    try:
        reranker = make()
    except OrcaError as error:
        return failed(RERANK, "warn", error, fix)
    try:
        async with asyncio.timeout(RERANK_PATIENCE_S):
            await reranker.rank(*RERANK_TRIAL)
            began = clock.monotonic()
            await reranker.rank(*RERANK_TRIAL)
        seconds = clock.monotonic() - began
    except TimeoutError:
        waited = f"{RERANK_PATIENCE_S:g}"
        return Says(RERANK).warns("{model}: no answer within {seconds} s", fix, model=reranker.model, seconds=waited)
    except Exception as error:  # noqa: BLE001  # as above
        return failed(RERANK, "warn", of_a_port(error, "the reranker"), fix)
    finally:
        await reranker.aclose()
    fields = {"model": reranker.model, "dialect": reranker.dialect, "seconds": f"{seconds:.2f}"}
    if seconds > deadline_s:
        detail = "{model}, dialect {dialect}: {seconds} s, and a turn waits {deadline:g} s"
        fix = "set a longer embedding.query_timeout, or a faster reranker"
        return Says(RERANK).warns(detail, fix, **fields, deadline=deadline_s)
    return Says(RERANK).ok("{model}, dialect {dialect}, {seconds} s", **fields)
