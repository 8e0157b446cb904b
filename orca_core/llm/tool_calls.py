"""The calls of one answer: as servers stream them, whole or in pieces, or left in the text in the markup of a model."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import string
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from orca_core.model.llm import ToolCall

ID_LENGTH = 9
"""Mistral takes ids of exactly so many letters and digits; no other server minds them."""
MAX_CHECKED = 65_536
"""Arguments that are longer are not looked at for their end while more may come."""
_RETURNED = ("extra_content", "provider_specific_fields")
"""What goes back as it came: Gemini's signature of a thought, and LiteLLM's copy of it."""
_DIGITS = string.digits + string.ascii_letters


class CallPiece(Struct, frozen=True):
    """What one piece of a stream says of one call. Whatever it leaves out is None or empty."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] | None = None


class _Open(Struct):
    """A call of which more may come."""

    index: int | None
    id: str
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] | None = None

    def is_whole(self) -> bool:
        """Whether its arguments are an object already."""
        ends = len(self.arguments) <= MAX_CHECKED and self.arguments.rstrip().endswith("}")
        return ends and _object(self.arguments) is not None


def pieces_in(delta: Mapping[str, Any]) -> tuple[CallPiece, ...]:
    """The pieces of calls in a delta or a message, `function_call` of old servers among them."""
    found = delta.get("tool_calls")
    rows = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    if not rows and isinstance(delta.get("function_call"), dict):
        rows = [{"function": delta["function_call"]}]
    return tuple(_piece(each) for each in rows if isinstance(each, dict))


class Calls:
    """Takes pieces in their order. A call begins with a new index, with a new id unless the one of its index is still
    open, or where the one that it seems to continue is whole already; an empty id or name never overwrites one."""

    def __init__(self, taken: Collection[str] = ()) -> None:
        """`taken`: ids of calls before this answer, which none that is made here may repeat."""
        self._taken = taken
        self._calls: list[_Open] = []
        self._latest: _Open | None = None

    def take(self, piece: CallPiece) -> None:
        call = self._continued(piece)
        if call is not None and self._adds_nothing(call, piece):
            return
        if call is None or self._begins_anew(call, piece):
            call = _Open(piece.index, piece.id)
            self._calls.append(call)
        self._latest = call
        if call.arguments.strip() and piece.arguments.strip() and call.is_whole():
            call.arguments = ""  # "{}" stood there until the true ones came
        call.index = piece.index if call.index is None else call.index
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        call.arguments += piece.arguments
        call.extra = piece.extra or call.extra

    def finish(self, *, was_cut: bool) -> tuple[ToolCall, ...]:
        """The calls. One without a name is none; nor is one that can not be read in an answer that `was_cut` for its
        length. Arguments that can not be read are ""."""
        made: list[ToolCall] = []
        for number, call in enumerate(self._calls):
            arguments = arguments_in(call.arguments)
            if not call.name or (was_cut and not arguments):
                continue
            is_new = call.id and call.id not in {each.id for each in made}
            known = call.id if is_new else self._new_id(number, call.name, arguments)
            made.append(ToolCall(known, call.name, arguments, call.extra))
        return tuple(made)

    def _continued(self, piece: CallPiece) -> _Open | None:
        """The call that a piece seems to be about, before its texts are compared."""
        if piece.index is not None:
            known = next((each for each in reversed(self._calls) if each.index == piece.index), None)
            return known or self._unnumbered(piece)
        if piece.id:
            known = next((each for each in reversed(self._calls) if each.id == piece.id), None)
            unnamed = self._latest if self._latest and not (self._latest.id or self._latest.name) else None
            return known or unnamed
        return self._latest

    def _unnumbered(self, piece: CallPiece) -> _Open | None:
        """The latest call, where it had no number until now."""
        latest = self._latest
        goes_on = latest is not None and latest.index is None and not piece.name and piece.id in ("", latest.id)
        return latest if goes_on else None

    def _adds_nothing(self, call: _Open, piece: CallPiece) -> bool:
        """Whether it says again, whole, what the call has already, or goes on behind arguments that are over."""
        if not piece.arguments.strip() or not call.is_whole():
            return False
        is_same = piece.id in ("", call.id) and piece.name in ("", call.name)
        is_again = bool(piece.id) and piece.arguments == call.arguments
        return is_same and (is_again or not piece.arguments.lstrip().startswith(("{", '"')))

    def _begins_anew(self, call: _Open, piece: CallPiece) -> bool:
        is_other = bool(piece.name and call.name and piece.name != call.name)
        if piece.id and call.id and piece.id != call.id:  # some give an id anew to each piece of what is numbered
            goes_on = piece.index is not None and not is_other and (call.arguments.strip() or not piece.name)
            return not goes_on or call.is_whole()
        if piece.index is None and is_other:
            return True
        if not (is_other or piece.arguments.strip()) or not call.is_whole():
            return False
        return bool(piece.name) or _object(call.arguments) != {}

    def _new_id(self, number: int, name: str, arguments: str) -> str:
        """An id made of the call itself, so that the same answer gives the same one however it was cut."""
        salt = 0
        while True:
            seed = hashlib.sha256(f"{number}\0{salt}\0{name}\0{arguments}".encode("utf-8", "replace")).digest()
            made = "".join(_DIGITS[byte % len(_DIGITS)] for byte in seed[:ID_LENGTH])
            if made not in self._taken:
                return made
            salt += 1


def arguments_in(text: str) -> str:
    """The text of a JSON object: as it came where it is one, "{}" where nothing came, "" where it can not be read."""
    text = readable(text).strip()
    if text in ("", "null"):
        return "{}"
    if _object(text) is not None:
        return text
    inner = _value(text)
    if isinstance(inner, str):  # an object, written as text twice
        return arguments_in(inner) if _object(inner) is not None or not inner.strip() else ""
    return ""


def _piece(row: Mapping[str, Any]) -> CallPiece:
    found = row.get("function")
    function: Mapping[str, Any] = found if isinstance(found, dict) else {}
    arguments = function.get("arguments")
    if arguments is not None and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    kept = {name: row[name] for name in _RETURNED if row.get(name)}
    return CallPiece(
        _index(row.get("index")),
        _name(row.get("id")),
        _name(function.get("name")),
        arguments or "",
        json.loads(readable(json.dumps(kept, ensure_ascii=False))) if kept else None,
    )


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _name(value: object) -> str:
    return readable(value) if isinstance(value, str) else ""


def _object(text: str) -> dict[str, Any] | None:
    value = _value(text)
    return value if isinstance(value, dict) else None


def _value(text: str) -> object:
    """A text's JSON value; None where it is no JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(word: str) -> None:
    """NaN and the infinities are Python's, not JSON's. Raises ValueError."""
    raise ValueError(word)


def readable(text: str) -> str:
    """A text without halves of surrogate pairs, which no server could read; two that belong together are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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
