"""The doctor tries the verifier on a dozen sentences with known answers, and says whether it is fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fakes.scripted_model import ScriptedModel, Step, says

from orca_core.model.errors import ConfigError, ModelUnavailable
from orca_core.model.llm import Finish, ReasoningDelta, TextDelta
from orca_core.services import verifier_trial
from orca_core.services.verifier_trial import TRIAL, Sentence, verifier_check

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


def test_there_are_twelve_of_different_kinds_in_both_languages() -> None:
    sentences = [*ENGLISH, *CHINESE]
    assert len(sentences) == 12
    assert 4 <= sum(each.says_so for each in sentences) <= 8
    assert [each.relation for each in sentences if each.relation] == ["same", "replaces"]


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


async def test_a_cut_answer_that_says_nothing_is_told_as_cut() -> None:
    check = await verifier_check(lambda: ScriptedModel(verifier=[says('{"answ', finish=Finish.LENGTH)]), None)
    assert (check.state, check.detail) == ("warn", "scripted: its answer was cut")


async def test_what_was_thought_is_no_answer() -> None:
    thought: list[Step] = [TextDelta('{"answers": [{"fact": 1, "says_so": '), ReasoningDelta("", takes_back=True)]
    scripts = [[*thought, *answered(sentences, right)] for sentences in (ENGLISH, CHINESE)]
    assert (await verifier_check(lambda: ScriptedModel(verifier=scripts), None)).state == "ok"


async def test_one_that_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs() -> None:
        raise TimeoutError

    check = await verifier_check(lambda: ScriptedModel(verifier=[[hangs]]), None)
    assert (check.state, f"within {verifier_trial.PATIENCE_S:g} s" in check.detail) == ("warn", True)


async def test_one_that_can_not_be_made_is_told() -> None:
    def fails() -> ScriptedModel:
        raise ConfigError(template="no key")

    assert (await verifier_check(fails, None)).state == "warn"


async def test_the_demo_is_not_tried_and_ones_own_prompt_is(tmp_path: Path) -> None:
    assert (await verifier_check(lambda: ScriptedModel(is_demo=True), None)).state == "ok"
    (tmp_path / "verifier.md").write_text("MINE {criteria}", encoding="utf-8")
    model = ScriptedModel(verifier=[answered(ENGLISH, right), answered(CHINESE, right)])
    await verifier_check(lambda: model, tmp_path)
    assert model.verifier_requests[0].messages[0].content.startswith("MINE")
