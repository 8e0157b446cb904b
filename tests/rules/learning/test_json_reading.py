"""What is read of JSON as models write it: Python's spelling too; nothing is completed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orca_core.rules.learning.fact_extraction import read_facts
from orca_core.rules.learning.model_json import CutObject, values_in
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
