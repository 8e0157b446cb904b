"""Calls, from what servers stream of them: a table of dialects."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.tool_calls import ID_LENGTH, Calls, arguments_in, pieces_in
from orca_core.model.llm import ModelToolCall

PORT = '{"query": "postgres port"}'


TEA = '{"query": "tea"}'
GIVEN = "<made>"
"""Stands for an id that is made here."""


def row(index: int | None = None, id: str | None = None, name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:  # fmt: skip
    """A call in a delta; what is None is not in it."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    found = {"index": index, "id": id, "function": function or None, **more}
    return {key: value for key, value in found.items() if value is not None}


def collected(*deltas: object, was_cut: bool = False, taken: tuple[str, ...] = ()) -> tuple[ModelToolCall, ...]:
    """The calls in deltas, each a list of rows."""
    calls = Calls(taken)
    for delta in deltas:
        for piece in pieces_in({"tool_calls": delta}):
            calls.take(piece)
    return calls.finish(was_cut=was_cut)


def said(*deltas: object, was_cut: bool = False) -> list[tuple[str, str, str]]:
    """(id, name, arguments) of each call; an id that is made here is GIVEN."""
    sent = {each.get("id") for delta in deltas if isinstance(delta, list) for each in delta if isinstance(each, dict)}
    return [
        (call.id if call.id in sent else GIVEN, call.name, call.arguments)
        for call in collected(*deltas, was_cut=was_cut)
    ]


RECALL = [("a", "recall", PORT)]
BOTH = [("a", "recall", PORT), ("b", "recall", TEA)]


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        # OpenAI: numbered; id and name once, then pieces with an id of null
        ([[row(0, "a", "recall", "", type="function")], [row(0, arguments=PORT[:9])], [row(0, arguments=PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", "")], [{"index": 0, "id": None, "function": {"name": None, "arguments": PORT}}]], RECALL),
        ([[row(0, "a", "recall", "")], [row(0, arguments=PORT)], [row(1, "b", "recall", "")], [row(1, arguments=TEA)]], BOTH),
        ([[row(0, "a", "recall", ""), row(1, "b", "recall", "")], [row(1, arguments=TEA), row(0, arguments=PORT)]], BOTH),
        # whole in one delta: Ollama, Mistral, GLM; several in it
        ([[row(0, "a", "recall", PORT)]], RECALL),
        ([[row(0, "a", "recall", PORT), row(1, "b", "recall", TEA)]], BOTH),
        # Gemini: all numbered 0, or not at all
        ([[row(0, "a", "recall", PORT)], [row(0, "b", "recall", TEA)]], BOTH),
        ([[row(0, "a", "recall", PORT)], [row(0, "b", "recall", PORT)]], [("a", "recall", PORT), ("b", "recall", PORT)]),
        ([[row(0, "a", "recall", PORT)], [row(0, "b", "recall", "")], [row(0, arguments=TEA[:5])], [row(0, arguments=TEA[5:])]], BOTH),
        ([[row(0, None, "recall", PORT)], [row(0, None, "recall", TEA)]], [(GIVEN, "recall", PORT), (GIVEN, "recall", TEA)]),
        ([[row(0, "a", "recall", PORT)], [row(0, "a", "recall", TEA)]], [("a", "recall", PORT), (GIVEN, "recall", TEA)]),
        ([[row(None, "a", "recall", PORT), row(None, "b", "recall", TEA)]], BOTH),
        ([[row(None, "a", "recall", "")], [row(arguments=PORT)], [row(None, "b", "recall", "")], [row(arguments=TEA)]], BOTH),
        ([[row(None, None, "recall", PORT)], [row(None, None, "other", "{}")]], [(GIVEN, "recall", PORT), (GIVEN, "other", "{}")]),
        # DashScope: an empty id and name overwrite nothing
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "", "", PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(None, "", "", PORT[9:])]], RECALL),
        # Kimi through a relay: the id in every delta; others repeat the name, too, or all at the end
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "a", "", PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "a", "recall", PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(0, arguments=PORT[9:])], [row(0, "a", "recall", PORT)]], RECALL),
        # llama-cpp-python: id and name whole in each, whatever the model goes on to say behind it
        ([[row(0, "a", "recall", each)] for each in PORT], RECALL),
        ([[row(0, "a", "recall", each)] for each in [*PORT, "\n", "}", " so"]], RECALL),
        # the id or the number comes later, the arguments before the name
        ([[row(0, None, None, PORT[:9])], [row(0, "a", "recall", PORT[9:])]], RECALL),
        ([[row(None, "a", "recall", PORT[:9])], [row(0, arguments=PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(arguments=PORT[9:])]], RECALL),
        ([[{**row(None, "a", "recall", PORT[:9]), "index": "0"}], [{**row(arguments=PORT[9:]), "index": "0"}]], RECALL),
        # an id anew in each piece of one call; behind it, another call
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "b", None, PORT[9:15])], [row(0, "c", None, PORT[15:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "b", "recall", PORT[9:15])], [row(0, "c", "recall", PORT[15:])]], RECALL),
        ([[row(0, "a", "recall", "")], [row(0, "b", None, PORT[:9])], [row(0, "c", None, PORT[9:])]], RECALL),
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "c", None, PORT[9:])], [row(0, "b", "recall", TEA)]], BOTH),
        ([[row(0, "a", "recall", "")], [row(0, "b", "recall", TEA)]], [("a", "recall", "{}"), ("b", "recall", TEA)]),
        ([[row(0, "a", "recall", PORT[:9])], [row(0, "b", "other", "{}")]], [("a", "recall", ""), ("b", "other", "{}")]),
        ([[row(None, "a", "recall", PORT[:9])], [row(None, "b", "recall", TEA)]], [("a", "recall", ""), ("b", "recall", TEA)]),
        # "{}" stood there until the true ones came
        ([[row(0, "a", "recall", "{}")], [row(0, arguments=PORT[:9])], [row(0, arguments=PORT[9:])]], RECALL),
        # arguments as an object, as text twice, or none
        ([[row(0, "a", "recall", json.loads(PORT))]], RECALL),
        ([[row(0, "a", "recall", json.dumps(PORT))]], RECALL),
        ([[row(0, "a", "recall", "")]], [("a", "recall", "{}")]),
        ([[{"index": 0, "id": "a", "function": {"name": "recall", "arguments": None}}]], [("a", "recall", "{}")]),
        ([[row(0, "a", "recall", " null ")]], [("a", "recall", "{}")]),
        # cut, or of another kind
        ([[row(0, "a", "recall", PORT[:9])]], [("a", "recall", "")]),
        ([[row(0, "a", "recall", '{"n": NaN}')]], [("a", "recall", "")]),
        # a line end behind it is no call; nor is one without a name, or no object at all
        ([[row(0, "a", "recall", PORT)], [row(0, arguments="\n")]], RECALL),
        ([[row(0, "a", "recall", PORT)], [row(0, arguments="}")]], RECALL),
        ([[row(0, "a", None, PORT)]], []),
        ([[row(0, "a", "recall", PORT)], [row(0, arguments=TEA)]], RECALL),
        ([[{}], ["x"], None, "x", []], []),
        # a tool that nobody offered is a call
        ([[row(0, "a", "multi_tool_use.parallel", "{}")]], [("a", "multi_tool_use.parallel", "{}")]),
        # one id for two
        ([[row(0, "a", "recall", PORT)], [row(1, "a", "recall", TEA)]], [("a", "recall", PORT), (GIVEN, "recall", TEA)]),
        # an object in the place of a list
        ([row(0, "a", "recall", PORT)], RECALL),
    ],
)  # fmt: skip
def test_calls_of_every_dialect_are_put_together(deltas: list[object], calls: list[tuple[str, str, str]]) -> None:
    deltas = [[each] if isinstance(each, dict) else each for each in deltas]
    assert said(*deltas) == calls


@pytest.mark.parametrize(("arguments", "count"), [(PORT, 1), (PORT[:9], 0), ("", 1)])
def test_what_can_not_be_read_of_an_answer_cut_for_its_length_is_no_call(arguments: str, count: int) -> None:
    assert len(collected([row(0, "a", "recall", arguments)], was_cut=True)) == count


def test_an_id_that_is_made_fits_every_server_and_is_always_the_same() -> None:
    first, second = (collected([row(0, None, "recall", PORT), row(1, None, "recall", PORT)]) for _ in range(2))

    assert first == second
    assert len({each.id for each in first}) == 2
    assert all(len(each.id) == ID_LENGTH and each.id.isalnum() and each.id.isascii() for each in first)


@pytest.mark.parametrize("place", [0, 1])
def test_a_signature_goes_back_as_it_came(place: int) -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    pieces = [row(0, "a", "recall", ""), row(0, arguments=PORT)]
    pieces[place]["extra_content"] = signed
    [call] = collected(*([piece] for piece in pieces))

    assert call.extra == {"extra_content": signed}


@pytest.mark.parametrize(
    ("text", "arguments"),
    [("{}", "{}"), ("", "{}"), ("null", "{}"), (" ", "{}"), ('""', "{}"), ('"x"', ""), ("{", ""), ("1", ""), ("[" * 5000, "")],
)  # fmt: skip
def test_arguments_are_an_object_or_can_not_be_read(text: str, arguments: str) -> None:
    assert arguments_in(text) == arguments


PIECES = st.fixed_dictionaries(
    {},
    optional={
        "index": st.sampled_from([0, 1, None, "0", True, 1.5]),
        "id": st.sampled_from(["a", "b", "", None, 7]),
        "function": st.none() | st.fixed_dictionaries({}, optional={
            "name": st.sampled_from(["recall", "other", "", None, 7]),
            "arguments": st.sampled_from([PORT, "{}", "{", "}", "", None, "\ud83d", {"query": "x"}, 7, [1]]),
        }),
    },
)  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=3), max_size=6))
def test_whatever_comes_a_call_has_a_name_an_id_of_its_own_and_an_object(deltas: list[list[dict[str, Any]]]) -> None:
    calls = collected(*deltas)

    assert len({call.id for call in calls}) == len(calls)
    assert all(call.name and call.id for call in calls)
    assert all(not call.arguments or isinstance(json.loads(call.arguments), dict) for call in calls)


@given(st.lists(st.sampled_from(["recall", "other"]), min_size=1, max_size=3), st.data())
def test_however_arguments_are_cut_the_calls_are_the_same(names: list[str], data: st.DataObject) -> None:
    arguments = json.dumps({"query": data.draw(st.text(max_size=20)), "inner": {"a": {}}}, ensure_ascii=False)
    deltas = []
    for number, name in enumerate(names):
        cuts = sorted(data.draw(st.lists(st.integers(0, len(arguments)), max_size=5)))
        parts = [arguments[start:end] for start, end in zip([0, *cuts], [*cuts, len(arguments)], strict=True)]
        deltas += [[row(number, f"id{number}", name, "")], *([row(number, arguments=part)] for part in parts)]

    whole = [[row(number, f"id{number}", name, arguments)] for number, name in enumerate(names)]
    assert collected(*deltas) == collected(*whole)
