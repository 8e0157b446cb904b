"""What the doctor says of endpoints that it asks, and of the verifier that it tries, on doubles."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.rerankers import FailingReranker, ScriptedReranker, SilentReranker
from fakes.scripted_model import ScriptedModel, Step, says

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import ConfigError, ModelRejected, ModelUnavailable
from orca_core.model.llm import Finish, TextDelta
from orca_core.services import endpoint_checks
from orca_core.services.endpoint_checks import chat_check, embedding_check, rerank_check
from orca_core.services.verifier_trial import TRIAL, Sentence, verifier_check


class Watched(ScriptedModel):
    """Notes whether it was closed."""

    was_closed = False

    async def aclose(self) -> None:
        self.was_closed = True


async def lists() -> Sequence[str]:
    return ["other", "scripted-1"]


async def lists_others() -> Sequence[str]:
    return ["a", "b", "c"]


async def lists_nothing() -> Sequence[str]:
    raise ModelRejected(template="{provider}: no such page", provider="scripted")


@pytest.mark.parametrize(
    ("offered", "told"),
    [
        (lists, "scripted, scripted-1: answers after 0.00 s, one of 2 models"),
        (lists_others, "scripted, scripted-1: answers after 0.00 s, though its server lists 3 others"),
        (lists_nothing, "scripted, scripted-1: answers after 0.00 s; its server does not list its models"),
    ],
)
async def test_a_model_that_answers_is_well_whatever_its_server_lists(clock: StillClock, offered, told: str) -> None:
    model = Watched(says("pong and much more that nobody waits for", pieces=9))

    check = await chat_check("chat", lambda: model, offered, clock)

    assert (check.state, check.detail) == ("ok", told)
    assert [(each.messages[0].content, each.max_tokens) for each in model.requests] == [("ping", 16)]
    assert model.was_closed
    assert model.closed_streams == 1


@pytest.mark.parametrize(("name", "state"), [("chat", "fail"), ("memory agent", "warn")])
async def test_a_model_that_refuses_is_told_with_its_way_out(clock: StillClock, name: str, state: str) -> None:
    refused = ModelRejected(template="{provider}: no such model", provider="scripted")
    check = await chat_check(name, lambda: Watched([refused]), lists, clock)

    assert (check.name, check.state, check.detail) == (name, state, "scripted: no such model")
    assert check.fix == "orca models lists what the server offers"


async def test_a_key_that_is_not_there_is_told_before_anything_is_sent(clock: StillClock) -> None:
    def make() -> ScriptedModel:
        raise ConfigError(template="{name}.api_key names {variable}, which is not set", name="far", variable="FAR_KEY")

    check = await chat_check("chat", make, lists, clock)

    assert (check.state, check.detail) == ("fail", "far.api_key names FAR_KEY, which is not set")


async def test_silence_has_an_end(clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LIST_PATIENCE_S", "TOKEN_PATIENCE_S", "EMBEDDING_PATIENCE_S", "RERANK_PATIENCE_S"):
        monkeypatch.setattr(endpoint_checks, name, 0.01)

    async def never() -> Sequence[str]:
        await asyncio.sleep(3600)
        return ()

    class Silent(LocalEmbedder):
        async def embed(self, texts: Sequence[str]) -> list:  # type: ignore[type-arg]
            await asyncio.sleep(3600)
            return []

    silent = ScriptedModel([lambda: asyncio.sleep(3600)])
    checks = [
        await chat_check("chat", lambda: silent, never, clock),
        await chat_check("memory agent", ScriptedModel, never, clock),
        await embedding_check(Silent, clock),
        await rerank_check(SilentReranker, clock, 1.0),
    ]

    assert [each.state for each in checks] == ["fail", "ok", "warn", "warn"]
    assert ["no answer within 0.01 s" in each.detail for each in checks] == [True, False, True, True]


async def test_a_mistake_of_an_adapter_is_told_without_its_words(clock: StillClock, caplog) -> None:
    check = await chat_check("chat", lambda: ScriptedModel([RuntimeError("sk-very-secret")]), lists, clock)

    assert check.state == "fail"
    assert "RuntimeError" in check.detail
    assert "sk-very-secret" not in f"{check.detail}{check.fix}{caplog.text}"


async def test_other_dimensions_than_configured_are_told(clock: StillClock) -> None:
    class Wider(LocalEmbedder):
        async def embed(self, texts: Sequence[str]) -> list:  # type: ignore[type-arg]
            return [[1.0] * 1536 for _ in texts]

    well, wider = [await embedding_check(make, clock) for make in (LocalEmbedder, Wider)]

    assert (well.state, "1024 dimensions, as configured, after 0.00 s" in well.detail) == ("ok", True)
    assert (wider.state, "vectors of 1536 numbers, where 1024 were expected" in wider.detail) == ("warn", True)


class SlowReranker(ScriptedReranker):
    """Takes longer than a turn waits."""

    def __init__(self, clock: StillClock) -> None:
        super().__init__()
        self._clock = clock

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        self._clock.advance(1.5)
        return await super().rank(query, texts)


@pytest.mark.parametrize(
    ("make", "state", "told"),
    [
        (lambda clock: ScriptedReranker(), "ok", "p/r, dialect cohere, 0.00 s"),
        (lambda clock: FailingReranker(), "warn", "p: no: It works."),
        (SlowReranker, "warn", "p/r, dialect cohere: 1.50 s, and a turn waits 1 s"),
    ],
)
async def test_a_reranker_is_told_with_what_a_turn_waits_for(clock: StillClock, make, state: str, told: str) -> None:
    reranker = make(clock)

    check = await rerank_check(lambda: reranker, clock, 1.0)

    assert (check.state, check.detail) == (state, told)
    assert reranker.was_closed
    assert all(text in ("It works.", "The sky is blue.") for _query, texts in reranker.asked for text in texts)


ENGLISH, CHINESE = (sentences for _, sentences in TRIAL)
Judge = Callable[[Sentence], bool]


def answered(sentences: Sequence[Sentence], judge: Judge, *, relates: bool = True) -> list[Step]:
    rows = []
    for number, each in enumerate(sentences, start=1):
        known = {"id": number, "relation": each.relation} if each.relation and relates else None
        rows.append({"fact": number, "says_so": judge(each), "known": known})
    return says(json.dumps({"answers": rows}))


def text_of(script: Sequence[Step]) -> str:
    return "".join(each.text for each in script if isinstance(each, TextDelta))


def right(sentence: Sentence) -> bool:
    return sentence.says_so


@pytest.mark.parametrize(
    ("judge", "relates", "state", "count"),
    [
        (right, True, "ok", 12),
        (right, False, "warn", 10),
        (lambda each: each.says_so or "Rust" in each.noted, True, "ok", 11),
        (lambda each: each.says_so or "Rust" in each.noted or "smokes" in each.noted, True, "warn", 10),
        (lambda _: True, True, "warn", 4),
        (lambda _: False, True, "warn", 8),
        (lambda each: not each.says_so, True, "warn", 0),
    ],
    ids=["right", "no relation", "one wrong", "two wrong", "all yes", "all no", "the other way"],
)
async def test_it_is_fit_where_it_judges_nearly_all_right(judge: Judge, relates: bool, state: str, count: int) -> None:
    model = ScriptedModel(
        verifier=[answered(ENGLISH, judge, relates=relates), answered(CHINESE, judge, relates=relates)]
    )
    check = await verifier_check(lambda: model, None)
    assert (check.name, check.state, check.fields["right"], check.found) == ("verifier", state, count, 12 - count)
    assert ("fit" in check.detail, bool(check.fix)) == (True, state == "warn")
    assert all(each.text for each in check.evidence)
    assert "You check notes" in model.verifier_requests[0].messages[0].content
    assert "核对" in model.verifier_requests[1].messages[0].content


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        (says("all are true"), "could not be read"),
        (says(""), "could not be read"),
        ([ModelUnavailable(provider="p", detail="down")], "p: down"),
        ([ZeroDivisionError("a secret")], "ZeroDivisionError"),
    ],
    ids=["chatter", "silence", "unreachable", "a mistake"],
)
async def test_what_goes_wrong_is_told(script: list[Step], detail: str) -> None:
    check = await verifier_check(lambda: ScriptedModel(verifier=[script]), None)
    assert (check.state, detail in check.detail, "secret" in check.detail) == ("warn", True, False)


async def test_an_answer_that_was_cut_is_told_whatever_there_is_of_it() -> None:
    text = text_of(answered(CHINESE, right))
    cut = says(text[: text.index('{"fact": 4')], finish=Finish.LENGTH)
    check = await verifier_check(lambda: ScriptedModel(verifier=[answered(ENGLISH, right), cut]), None)
    assert (check.state, "was cut" in check.detail, check.fields["right"]) == ("warn", True, 9)
    assert [each.text for each in check.evidence] == [each.noted for each in CHINESE[3:]]
    assert "more room" in check.fix


async def test_the_demo_is_not_tried_and_ones_own_prompt_is(tmp_path: Path) -> None:
    assert (await verifier_check(lambda: ScriptedModel(is_demo=True), None)).state == "ok"
    (tmp_path / "verifier.md").write_text("MINE {criteria}", encoding="utf-8")
    model = ScriptedModel(verifier=[answered(ENGLISH, right), answered(CHINESE, right)])
    await verifier_check(lambda: model, tmp_path)
    assert model.verifier_requests[0].messages[0].content.startswith("MINE")
