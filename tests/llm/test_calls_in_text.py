"""Calls that came as text: each dialect, and text that only looks like one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.llm.calls_in_text import MAX_HELD, CallsInText

ARGUMENTS = {"query": "postgres port"}
PORT = json.dumps(ARGUMENTS)
ONE = [("recall", ARGUMENTS)]
INVOKE = (
    '<｜DSML｜invoke name="recall">\n<｜DSML｜parameter name="query" string="true">postgres port</｜DSML｜parameter>\n'
    "</｜DSML｜invoke>\n"
)

LEAKS: list[tuple[str, list[tuple[str, object]]]] = [
    # DeepSeek
    (f"<｜DSML｜function_calls>\n{INVOKE}</｜DSML｜function_calls>", ONE),
    (f"<｜DSML｜tool_calls>\n{INVOKE}{INVOKE}</｜DSML｜tool_calls>", ONE * 2),
    (f"<｜DSML｜tool_calls>\n{INVOKE}</｜DSML｜tool_calls>".replace("｜", "｜｜"), ONE),
    (f"<｜DSML｜tool_calls>\n{INVOKE}</｜DSML｜tool_calls>".replace("｜", "‖"), ONE),
    (f"<｜DSML｜tool_calls>\n{INVOKE}</｜DSML｜tool_calls>".replace("｜", "|"), ONE),
    (f"<｜DSML｜tool_calls>\n{INVOKE}</｜DSML｜tool_calls>".replace("｜", " | "), ONE),
    (f"<｜DSML｜tool_calls>\n{INVOKE}", ONE),
    (f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>recall<｜tool▁sep｜>{PORT}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", ONE),
    # Kimi, its id whole and without its dots
    (f"<|tool_calls_section_begin|><|tool_call_begin|>functions.recall:0<|tool_call_argument_begin|>{PORT}<|tool_call_end|><|tool_calls_section_end|>", ONE),
    (f"<|tool_calls_section_begin|>functionsrecall5<|tool_call_argument_begin|>{PORT}", ONE),
    # Mistral
    (f"[TOOL_CALLS]recall[ARGS]{PORT}", ONE),
    (f'[TOOL_CALLS] [{{"name": "recall", "arguments": {PORT}}}, {{"name": "recall", "arguments": {PORT}}}]', ONE * 2),
    # Qwen, its coders, GLM, Granite
    (f'<tool_call>\n{{"name": "recall", "arguments": {PORT}}}\n</tool_call>', ONE),
    (f'<tool_call>{{"name": "recall", "arguments": {json.dumps(PORT)}}}', ONE),
    (f'<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>', ONE * 2),
    (f'<|tool_call|>[{{"name": "recall", "arguments": {PORT}}}]', ONE),
    ("<tool_call>\n<function=recall>\n<parameter=query>\npostgres port\n</parameter>\n</function>\n</tool_call>", ONE),
    ("<tool_call>recall\n<arg_key>query</arg_key>\n<arg_value>postgres port</arg_value>\n</tool_call>", ONE),
    ("<tool_call>recall" + "<arg_key>query</arg_key><arg_value>postgres port</arg_value>" * 100 + "</tool_call>", ONE),
    ("<tool_call><function=recall><parameter=query>\npostgres port\n</function></tool_call>", ONE),
    # LFM, LM Studio
    ('<|tool_call_start|>[recall(query="postgres port")]<|tool_call_end|>', ONE),
    ("<|tool_call_start|>[recall(query='(it\\'s)'), recall(query=\"postgres port\")]<|tool_call_end|>", [("recall", {"query": "(it's)"}), *ONE]),
    (f'[TOOL_REQUEST]{{"name": "recall", "arguments": {PORT}}}[END_TOOL_REQUEST]', ONE),
]  # fmt: skip


def heard(*pieces: str, tools: tuple[str, ...] = ("recall", "recall_more")) -> tuple[str, list[tuple[str, object]]]:
    """(what is said, the calls)."""
    leaked = CallsInText(tools)
    text = "".join(leaked.feed(piece) for piece in pieces) + leaked.finish()
    return text, [(call.name, json.loads(call.arguments)) for call in leaked.calls]


@pytest.mark.parametrize(("leak", "calls"), LEAKS)
@pytest.mark.parametrize(
    ("before", "behind"), [("", ""), ("Let me look.\n", ""), ("```\ncode\n```\n", ""), ("", "So much.")]
)
def test_a_call_in_the_text_is_taken_out(leak: str, calls: list[tuple[str, object]], before: str, behind: str) -> None:
    if behind and not leak.endswith((">", "]")):
        return  # nothing shows where it ends
    said = before if before.strip() else ""

    assert heard(before + leak + behind) == (said + behind, calls)
    assert heard(*(before + leak + behind)) == (said + behind, calls)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "",
        " \n\n",
        "<",
        "a < b and [c]\n[d]\n<e>\n",
        # shown, spoken of, or in the middle of a line
        f'```\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>\n```\n',
        f'~~~xml\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>',
        f'```\n~~~\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>',
        f'so:\n <tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>',
        f'- so:\n  ```\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>\n  ```',
        f'`<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>` is how it calls',
        f'It writes <tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>',
        # of no tool that was offered, or no call at all
        '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>',
        '<tool_call>{"name": 7}</tool_call>',
        "<tool_call>recall<arg_key>query</arg_value></tool_call>",
        f'<tool_call>\n```\n<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>\n```\n',
        "<tool_call> is how Qwen's calls begin.\nThey go on with JSON.",
        f"[TOOL_CALLS]recall[ARGS]{PORT[:-1]}",
        f'<tool_call>{{"name": "recall", "arguments": {PORT[:-2]}',
        '<tool_call>{"name": "recall", "arguments": "postgres"}</tool_call>',
        f"recall({PORT})",
        f'{{"name": "recall", "arguments": {PORT}}}',
        "<|tool_call_start|>[recall(query=print)]<|tool_call_end|>",
        "<|tool_call_start|>[recall(**{'query': 'x'})]<|tool_call_end|>",
    ],
)  # fmt: skip
def test_what_is_no_call_of_an_offered_tool_is_text(text: str) -> None:
    assert heard(text) == (text, [])
    assert heard(*text) == heard(text)


CALL = f'<tool_call>{{"name": "recall", "arguments": {PORT}}}</tool_call>'


@pytest.mark.parametrize(
    ("text", "said", "calls"),
    [
        (f"{CALL}\nSo much.\n{CALL}", "So much.\n", ONE * 2),
        (f"{CALL}So much.\n{CALL}\n", "So much.\n", ONE * 2),
        (f"<tool_call> is how it calls:\n{CALL}", "<tool_call> is how it calls:\n", ONE),
        (f'<tool_call>{{"name": "bash"}}</tool_call>\n{CALL}', '<tool_call>{"name": "bash"}</tool_call>\n', ONE),
        (f"{CALL}\n```\n{CALL}\n```\n{CALL}", f"```\n{CALL}\n```\n", ONE * 2),
    ],
)
def test_no_call_is_shown_wherever_its_line_is(text: str, said: str, calls: list[tuple[str, object]]) -> None:
    assert heard(text) == (said, calls)
    assert heard(*text) == (said, calls)


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        ("<tool_call>recall", "<arg_key>a</arg_value>"),
        ("<tool_call>recall", "<arg_key>a</arg_key><arg_value>b</arg_value>"),
        ("<tool_call>", "<function=recall>\n<tool_call>"),
        ("<tool_call><function=recall>", "<parameter=a>"),
        ("<tool_call>", "[TOOL_CALLS]\n"),
        ("[TOOL_CALLS]", "[["),
        ("<|tool_call_start|>", "recall(a='"),
        ("<|tool_call_start|>recall(a=", "-"),
        ("<DSML tool_calls>", '<DSML invoke name="recall">'),
        ('<DSML tool_calls><DSML invoke name="recall"', " "),
        ('<DSML tool_calls><DSML invoke name="recall">', '<DSML parameter name="a">'),
        ('<DSML tool_calls><DSML invoke name="recall"><DSML parameter name="a"', " "),
    ],
)
@pytest.mark.parametrize("end", ["X", "</function>", "</DSML invoke>", ")"])
def test_what_repeats_ends(begin: str, part: str, end: str) -> None:
    text = begin + part * ((MAX_HELD - len(begin) - len(end)) // len(part)) + end

    said, calls = heard(text)

    assert text.startswith(said) or text.endswith(said)
    assert bool(calls) == (said != text)


def test_text_is_said_as_soon_as_it_can_be_no_marker() -> None:
    leaked = CallsInText(["recall"])

    assert [leaked.feed(each) for each in ("a", "\n", "<", "b", ">\n", "<tool_")] == ["a", "\n", "", "<b", ">\n", ""]
    assert leaked.finish() == "<tool_"


def test_a_thought_holds_no_call() -> None:
    leaked = CallsInText(["recall"])
    held = f'<tool_call>{{"name": "recall", "arguments": {PORT}}}'

    assert leaked.feed(held) == ""
    assert leaked.take_back() == held
    assert (leaked.feed("answer"), leaked.finish(), leaked.calls) == ("answer", "", [])


@given(st.lists(st.sampled_from(["<", "tool_call", ">", "\n", "```", "[TOOL_CALLS]", "recall", PORT, " ", "x", "｜", LEAKS[0][0]])), st.data())  # fmt: skip
def test_however_the_text_is_cut_it_is_the_same(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))

    assert heard(*(text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True))) == heard(text)
