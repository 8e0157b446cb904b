"""What is read of JSON as models write it: Python's spelling too; nothing is completed."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core.model.learning import Reading
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.fact_extraction import max_fact_chars, read_facts
from orca_core.rules.learning.model_json import CutObject, values_in
from orca_core.rules.text.cleaning import clean_memory
from orca_core.rules.text.spelling import language_of
from orca_core.settings import ExtractSettings

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-999, 999).map(float), st.text(alphabet=st.characters(codec="utf-8"))
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=6), values, min_size=1, max_size=4)

words = st.sampled_from(
    ["User's", "wife", "users'", "I'm", "a", "don't", "用户", "likes", "O'Brien", "rock 'n' roll", "tea"]
)
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join).filter(lambda text: not text.endswith("'"))


def first(text: str) -> Any:
    found = list(values_in(text))
    assert len(found) == 1
    assert not found[0].is_cut
    return found[0].value


def naively(value: object) -> str:
    """As a model writes it that knows no escapes: everything in single quotes, apostrophes and all."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{naively(name)}: {naively(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(naively(each) for each in value) + "]"
    return f"'{value}'" if isinstance(value, str) else repr(value)


@given(objects)
@example({"a": "it's", "b": 'a "quoted" word', "c": "both ' and \""})
@example({"facts": [{"content": "\U0001f600\x7f\x1b\u2028", "tags": [], "pinned": None, "ok": True}]})
def test_what_python_prints_is_read_as_it_was(value: dict[str, Any]) -> None:
    assert first(repr(value)) == value


@given(objects)
def test_what_json_prints_is_read_as_it_was(value: dict[str, Any]) -> None:
    assert first(json.dumps(value, ensure_ascii=False)) == value


@given(st.dictionaries(st.sampled_from(["content", "quote", "replace"]), sentences | st.lists(sentences), min_size=1))
def test_apostrophes_that_nobody_escaped_are_part_of_their_words(value: dict[str, Any]) -> None:
    assert first(f"Here's what I found: {naively(value)} That's all.".replace("Here's", "Here is")) == value


@given(objects, st.data())
def test_what_is_cut_is_never_completed(value: dict[str, Any], data: st.DataObject) -> None:
    whole = repr({"facts": [value, value]})
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    for found in values_in(cut):
        assert found.is_cut or found.value == value or found.value in _parts(value)
        if isinstance(found.value, dict):
            for item in found.value.get("facts") or []:
                assert item == value or isinstance(item, CutObject)


def _parts(value: object) -> list[object]:
    """Everything that stands in a value: a text may hold brackets of its own."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for each in inner for part in _parts(each)), *_in_texts(value)]


def _in_texts(value: object) -> list[object]:
    return [found.value for found in values_in(value)] if isinstance(value, str) else []


@pytest.mark.parametrize(
    ("answer", "contents"),
    [
        (
            "{'facts': [{'content': 'User's wife is a doctor', 'type': 'fact', 'confidence': 0.9, 'tags': [], 'replace': None}]}",
            ["User's wife is a doctor"],
        ),
        (
            """{'facts': [{'content': "User doesn't eat meat", 'type': 'preference', 'confidence': 0.9, 'quote': 'I don't'}]}""",
            ["User doesn't eat meat"],
        ),
        ("{'persona': ['用户住在成都', 'User isn't a morning person'], 'episodic': [], 'instruction': []}",
         ["用户住在成都", "User isn't a morning person"]),
        ("{'facts': [{'content': '用户住在成都', 'type': 'fact', 'confidence': 0.9},], 'done': True}", ["用户住在成都"]),
        ("```python\n{'facts': [{'content': 'User lives in L\\'Aquila', 'type': 'fact', 'confidence': .9}]}\n```", []),
        ("{'facts': [{'content': 'User lives in L\\'Aquila', 'type': 'fact', 'confidence': 0.9}]}",
         ["User lives in L'Aquila"]),
        ("{'facts': [{'content': 'User lives in Rome', 'type': 'fact', 'confidence': 0.9}, {'content': 'User', 'ty",
         ["User lives in Rome"]),
        ("{'persona': ['User lives in Rome', 'User likes the users'", ["User lives in Rome"]),
    ],
)  # fmt: skip
def test_facts_in_pythons_spelling(answer: str, contents: list[str]) -> None:
    reading = read_facts(answer, ExtractSettings())

    assert [fact.content for fact in (reading.facts if reading else ())] == contents


ANSWERS = 2_000
SETTINGS = ExtractSettings()
VALUES = (
    "用户用 neovim 写代码", "User lives in Berlin", "", "ab", "x" * 700, "\u202egpj.exe 的用户", "a\x00b\x1b[2J 用户喜欢",
    "\ud800 broken", "<b>[@click=app.quit]</b> user", "e" + "\u0301" * 300, "\U000e0041\U000e0042 hidden tags here",
    None, True, 3, -1, 2, 1e308, [], {}, ["x"], {"a": 1}, float("nan"), float("inf"), 10**400, "0.9", "high",
    "fact", "preference", "Instruction ", "memory", 0.9, 0.61, 0.6, 0.59, ["工作", "evil", 7], ["技术"] * 50,
)  # fmt: skip
FIELDS = ("content", "type", "tags", "confidence", "quote", "replace", "pinned", "id", "status", "weight", "facts")


def an_answer(chance: random.Random) -> str:
    facts = [a_fact(chance) for _ in range(chance.choice((0, 1, 2, 3, 12, 40)))]
    shapes: tuple[Callable[[], object], ...] = (
        lambda: {"facts": facts},
        lambda: facts,
        lambda: {"persona": ["User likes tea", 3], "episodic": [None, "went home"], "instruction": facts},
        lambda: {"facts": {"facts": facts}},
        lambda: {"facts": "none"},
        lambda: a_fact(chance),
    )
    return json.dumps(chance.choice(shapes)(), ensure_ascii=chance.random() < 0.5)


def a_fact(chance: random.Random) -> dict[str, object]:
    good: dict[str, object] = {"content": "User lives in Berlin", "type": "fact", "tags": ["工作"], "confidence": 0.9}
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        good[chance.choice(FIELDS)] = chance.choice(VALUES)
    return good


def mangled(answer: str, chance: random.Random) -> str:
    """What happens to answers on their way: cut, wrapped, garbled, repeated."""
    for _ in range(chance.choice((0, 1, 2, 3))):
        place = chance.randrange(len(answer) + 1)
        match chance.randrange(10):
            case 0:
                answer = answer[:place]
            case 1:
                answer = f"<think>{answer[:place]}</think>{answer}"
            case 2:
                answer = f"Sure, based on {{that}}:\n```json\n{answer}\n```\nAnything else?"
            case 3:
                answer = answer[:place] + chance.choice('{}[]",:\\\x00\ufeff\ud83d') + answer[place:]
            case 4:
                answer = answer.replace("}", ",}", 1)
            case 5:
                answer = answer[:place] + "[" * chance.choice((1, 40, 400)) + answer[place:]
            case 6:
                answer = answer.replace("0.9", chance.choice(("NaN", "1e400", "9" * 5000, "-0", "0.9.9", "Infinity")))
            case 7:
                answer = answer + answer[place:]
            case 8:
                answer = answer.replace('"', "'") if chance.random() < 0.3 else answer[place:]
            case 9:
                answer = "\\u12" + answer + '{"facts": [{"content": "\\u'
    return answer


def check(reading: Reading) -> None:
    assert len(reading.facts) <= SETTINGS.max_facts
    for fact in reading.facts:
        assert fact.content == clean_memory(fact.content)
        assert 5 <= len(fact.content) <= max_fact_chars(language_of(fact.content))
        assert isinstance(fact.type, MemoryType)
        assert math.isfinite(fact.confidence)
        assert SETTINGS.min_confidence <= fact.confidence <= 1
        assert set(fact.tags) <= set(SETTINGS.tags)
        assert len(fact.tags) == len(set(fact.tags))
    assert all(dropped.reason for dropped in reading.dropped)


@pytest.mark.long
@pytest.mark.no_cover  # others cover what it reads; measured, it takes four times as long
def test_two_thousand_hostile_answers() -> None:
    chance = random.Random(20261121)
    readable = 0
    for _ in range(ANSWERS):
        reading = read_facts(mangled(an_answer(chance), chance), SETTINGS)
        if reading is not None:
            readable += 1
            check(reading)
    assert ANSWERS * 0.5 < readable < ANSWERS  # the fuzzer does both: leave answers readable, and break them


@pytest.mark.long
def test_very_long_answers_are_read_in_time() -> None:
    for answer in (
        "{" * 1_000_000,
        '["' + "a" * 1_000_000,
        '{"facts": [' + '{"content": "x"},' * 60_000,
        "[" * 200_000 + "]",
    ):
        reading = read_facts(answer, SETTINGS)
        if reading is not None:
            check(reading)
