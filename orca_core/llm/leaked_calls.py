"""Calls that a server left in the text of an answer, in the markup of its model. Only a call of a tool that was
offered is taken out; everything else stays what was said."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from orca_core.llm.calls import CallPiece, arguments_in

MAX_HELD = 16_384
"""So many characters behind a marker are waited for; then they are text, and so is the rest of the answer."""
MAX_MARKER = 64
MAX_BLANKS = 256
"""So many blanks before an answer are left out where a call comes behind them; more are text."""
_LOOSE = "｜|‖ _\u2581"
"""What models put into a marker in any number, or leave out."""
_FENCES = ("```", "~~~")
_BARS = r"[｜|‖ ]*"
_OPENED = re.compile(r"\s*(?=\{)")
_BETWEEN = re.compile(r"[\s,\]]+|[<\[][^<>\[\]{}\n=]{0,40}(?:tool|TOOL|call|DSML)[^<>\[\]{}\n=]{0,40}[>\]]")
"""What may stand before, between and behind calls."""


class _Form(Struct, frozen=True):
    """How a call is written: `call` finds its name, and its arguments where they are no JSON behind it; `parameter`
    finds a name, a value, and whether that is plain text. Text comes from a model: each finds its way through it in
    steps that grow with its length, no faster."""

    call: str
    parameter: str = ""


_OBJECT = _Form("")
"""{"name": …, "arguments": {…}}, alone or in a list"""
_NAMED = _Form(r"(?:functions?[.:]?)?(?P<name>NAME)[:.]?\d*\s*(?:[<\[][^<>\[\]{}\n]{1,40}[>\]]\s*)?(?=\{)")
"""recall[ARGS]{…}, functions.recall:0<|tool_call_argument_begin|>{…}"""
_PYTHON = _Form(r"""\[?\s*(?P<name>NAME)\((?P<inside>(?:[^()"']|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')*)\)""", "python")
"""recall(query="…")"""
_DSML = _Form(
    rf"<{_BARS}DSML{_BARS}invoke\s+name=\"(?P<name>NAME)\"[\s｜|‖]*>"
    rf"(?P<inside>(?:(?!<{_BARS}/?{_BARS}DSML{_BARS}invoke).)*+)<{_BARS}/{_BARS}DSML{_BARS}invoke{_BARS}>",
    rf"<{_BARS}DSML{_BARS}parameter\s+name=\"(?P<key>[^\"]+)\"(?:\s+string=\"(?P<plain>true|false)\")?[\s｜|‖]*>"
    rf"(?P<value>.*?)(?:<{_BARS}/{_BARS}DSML{_BARS}parameter{_BARS}>|\Z)",
)
_FUNCTION = _Form(
    r"<function=(?P<name>NAME)>(?P<inside>(?:(?!</?function[=>]).)*+)</function>",
    r"<parameter=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?(?:</parameter>|\Z)",
)
_PAIR = (
    r"<arg_key>(?P<key>(?:(?!</?arg_).)*+)</arg_key>\s*"
    r"<arg_value>(?P<value>(?:(?!</arg_value>).)*+)</arg_value>\s*"
)
_PAIRS = re.sub(r"\?P<\w+>", "?:", _PAIR)
_KEYED = _Form(rf"(?P<name>NAME)\s*(?P<inside>(?:{_PAIRS})*+)(?=</tool_call>|\Z)", _PAIR)

DIALECTS: tuple[tuple[str, tuple[_Form, ...]], ...] = (
    ("<DSMLfunctioncalls>", (_DSML,)),  # DeepSeek V3.2
    ("<DSMLtoolcalls>", (_DSML,)),  # DeepSeek V4
    ("<toolcallsbegin>", (_NAMED,)),  # DeepSeek V3
    ("<toolcallssectionbegin>", (_NAMED,)),  # Kimi
    ("<toolcallstart>", (_PYTHON,)),  # LFM
    ("<toolcall>", (_OBJECT, _FUNCTION, _KEYED)),  # Qwen, Granite; Qwen's coders; GLM
    ("[TOOLCALLS]", (_OBJECT, _NAMED)),  # Mistral
    ("[TOOLREQUEST]", (_OBJECT,)),  # LM Studio
)
"""The marker that opens calls, without what is loose in it, and the forms of the calls behind it."""


class LeakedCalls:
    """Takes an answer's text as it comes, and gives back what is none of a call. A marker counts at the begin of the
    answer or of a line, outside fenced code. However the text is cut, it is the same."""

    def __init__(self, tools: Collection[str]) -> None:
        self.calls: list[CallPiece] = []
        self._offered = tools
        self._names = "|".join(re.escape(name) for name in sorted(tools, key=len, reverse=True))
        self._is_over = not tools
        self._held = ""
        self._forms: tuple[_Form, ...] | None = None
        self._at_line_start = True
        self._is_indented = False
        self._has_begun = False
        self._fence = ""

    def feed(self, text: str) -> str:
        """What can be said by now."""
        *lines, last = text.split("\n")
        said = [self._take(line + "\n") for line in lines]
        return "".join(said) + self._take(last)

    def finish(self) -> str:
        """What is left to say at the end; from now on `calls` has the calls."""
        said = ""
        while self._forms is not None:
            text, forms, count = self._held, self._forms, len(self.calls)
            end = self._take_calls(text, forms)
            self._forms, self._held, self._has_begun, self._at_line_start = None, "", True, True
            if len(self.calls) == count:  # text, and calls may be in the lines behind it
                said += text[:end]
                self._at_line_start = text[:end].endswith("\n")
            said += self.feed(text[end:])
        rest, self._held = self._held, ""
        return said + rest

    def take_back(self) -> str:
        """What was held back of a text that turned out to be a thought: nothing in it is a call."""
        held, self._held = self._held, ""
        self._forms, self._fence = None, ""
        self._at_line_start, self._is_indented, self._has_begun = True, False, False
        return held

    def _take(self, text: str) -> str:
        """What can be said by now, with at most one line end more."""
        if self._is_over:
            return text
        self._held += text
        said = ""
        while self._held and self._forms is None:
            piece = self._line_start() if self._at_line_start else self._up_to_line_end()
            if piece is None:
                return said
            said += piece
        if len(self._held) > MAX_HELD:
            self._is_over = True
            self._forms = None
            said += self._held
            self._held = ""
        return said

    def _line_start(self) -> str | None:
        """Decide what a line begins with; None while that is open."""
        line = self._held.lstrip(" \t" if self._has_begun else None)
        blanks = len(self._held) - len(line)
        if blanks > (0 if self._has_begun else MAX_BLANKS):
            return self._indent(blanks if self._has_begun else MAX_BLANKS + 1)
        if not line:
            return None
        if not self._fence and not self._is_indented:
            for marker, forms in DIALECTS:
                end = _end_of_marker(line, marker)
                if end is None:
                    return None
                if end:
                    self._held, self._forms = line, forms
                    return ""
        if any(fence != line and fence.startswith(line) for fence in _FENCES):
            return None
        fence = line[:3]
        if fence in _FENCES and self._fence in ("", fence):
            self._fence = "" if self._fence else fence
        self._at_line_start = self._is_indented = False
        self._has_begun = True
        return ""

    def _indent(self, blanks: int) -> str:
        """Say the blanks that a line begins with: it may be a fence, but no marker."""
        said, self._held = self._held[:blanks], self._held[blanks:]
        self._is_indented = not said.endswith("\n")
        self._has_begun = True
        return said

    def _up_to_line_end(self) -> str:
        line, ends, rest = self._held.partition("\n")
        self._held = rest
        self._at_line_start = bool(ends)
        return line + ends

    def _take_calls(self, text: str, forms: tuple[_Form, ...]) -> int:
        """Take the calls that the text begins with; where something else stands."""
        start = 0
        while True:
            for form in forms:
                if (found := self._call(text, start, form)) is not None:
                    piece, start = found
                    self.calls.append(piece)
                    break
            else:
                between = _BETWEEN.match(text, start)
                if between is None:
                    return start
                start = between.end()

    def _call(self, text: str, start: int, form: _Form) -> tuple[CallPiece, int] | None:
        if not form.call:
            return self._object(text, start)
        found = re.compile(form.call.replace("NAME", self._names), re.DOTALL).match(text, start)
        if found is None:
            return None
        end = found.end()
        if form.parameter == _PYTHON.parameter:
            arguments = _keywords(found["inside"])
        elif form.parameter:
            arguments = json.dumps(dict(_parameters(found["inside"], form.parameter)), ensure_ascii=False)
        else:
            arguments, end = _json(text, end)
        return (self._piece(found["name"], arguments), end) if arguments else None

    def _object(self, text: str, start: int) -> tuple[CallPiece, int] | None:
        start += text.startswith("[", start)
        shown, end = _json(text, start)
        value = json.loads(shown) if shown else {}
        if value.get("name") not in self._offered:
            return None
        given = value.get("arguments", value.get("parameters", {}))
        arguments = arguments_in(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))
        return (self._piece(value["name"], arguments), end) if arguments else None

    def _piece(self, name: str, arguments: str) -> CallPiece:
        return CallPiece(len(self.calls), "", name, arguments)


def _end_of_marker(text: str, marker: str) -> int | None:
    """Where the marker ends that the text begins with; 0 where it begins with none, None while it may."""
    known = 0
    for place, character in enumerate(text[:MAX_MARKER]):
        if character == marker[known]:
            known += 1
            if known == len(marker):
                return place + 1
        elif not known or character not in _LOOSE:
            return 0
    return None if len(text) < MAX_MARKER else 0


def _json(text: str, start: int) -> tuple[str, int]:
    """The JSON object at this place, behind blanks, and where it ends; "" where there is none."""
    begin = _OPENED.match(text, start)
    if begin is None:
        return "", start
    start = begin.end()
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return "", start
    return text[start:end], end


def _parameters(inside: str, parameter: str) -> Iterator[tuple[str, object]]:
    for found in re.finditer(parameter, inside, re.DOTALL):
        value: object = found["value"]
        if found.groupdict().get("plain") == "false":
            try:
                value = json.loads(found["value"])
            except (ValueError, RecursionError):
                value = found["value"]
        yield found["key"].strip(), value


def _keywords(inside: str) -> str:
    """A JSON object of what stands between the brackets of a Python call; "" where that is more than names and
    literals."""
    try:
        called = ast.parse(f"call({inside})", mode="eval").body
        assert isinstance(called, ast.Call)
        if called.args or any(each.arg is None for each in called.keywords):
            return ""
        return json.dumps({each.arg: ast.literal_eval(each.value) for each in called.keywords}, ensure_ascii=False)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
