"""Calls of tools that a server left in the text of an answer, in the markup of its model.

DeepSeek, Kimi, Mistral, Qwen, GLM, Granite and LFM write them so, where their server has no parser for it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection

from orca_core.llm.tool_calls import CallPiece, arguments_in

MAX_HELD = 16_384
"""So many characters behind a marker are waited for; then they are text, and so is the rest of the answer."""
MARKERS = (
    "<DSMLfunctioncalls>", "<DSMLtoolcalls>", "<toolcallsbegin>", "<toolcallssectionbegin>", "<toolcallstart>",
    "<toolcall>", "[TOOLCALLS]", "[TOOLREQUEST]",
)  # fmt: skip
"""What opens calls, without the bars, blanks and underlines that models put into it in any number."""
_LOOSE = str.maketrans("", "", "｜|‖ _\u2581\n")
_LONGEST_MARKER = 64
_FENCES = ("```", "~~~")

_TAG = r"[<\[](?![^<>\[\]{}\n]*(?:name=|function=))[^<>\[\]{}()\n]{0,60}[>\]]"
_GAP = rf"(?:{_TAG}|[\s,\[\]])*+"
"""What may stand before, between and behind calls."""
_NAME = rf"{_GAP}(?:<[^<>{{}}\n]{{0,40}}(?:name=\"|function=))?(?:functions?[.:]?)?(?P<name>NAME)(?!\w*[^\W\d])[:.]?\d*"
_OBJECT = rf"{_GAP}(?=\{{)"
_BRACKETS = r"""\((?P<inside>(?:[^()"']|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')*+)\)"""
_PARAMETER = (
    r'(?:"?[\s｜|‖]*>)?\s*+<(?:(?P<tag>arg_key)>|[^<>\n]{0,20}parameter(?: name)?="?)(?P<key>[^<>"\n]{1,60})'
    r'(?:</arg_key>\s*<arg_value>|"?[^<>\n]{0,40}>)\n?(?P<value>[^<]*)</?[^<>]{0,40}>'
)


class CallsInText:
    """Takes an answer's text as it comes, and gives back what is none of a call. A marker counts at the begin of the
    answer or of a line, outside fenced code; from there on text is held to the end. Cuts make no difference."""

    def __init__(self, tools: Collection[str]) -> None:
        self.calls: list[CallPiece] = []
        self._tools = tools
        self._is_over = not tools
        self._restart()

    def _restart(self) -> None:
        self._line = ""  # the begin of a line, as long as it may be a marker or a fence
        self._held = ""  # all from a marker on
        self._is_line_begun = False
        self._has_begun = False
        self._fence = ""

    def feed(self, text: str) -> str:
        """Return what can be said by now."""
        if self._is_over:
            return text
        return "".join(self._take(piece) for piece in re.findall(r"[^\n]*\n|[^\n]+", text))

    def finish(self) -> str:
        """Return what is left to say at the end; from now on `calls` has the calls."""
        said = ""
        while self._held:
            held, self._held = self._held, ""
            found, end = calls_in(held, self._tools)
            self.calls += (CallPiece(len(self.calls) + at, "", *call) for at, call in enumerate(found))
            if not found:  # text, and calls may be in the lines behind it
                end = (held.find("\n") + 1) or len(held)
                said += held[:end]
            said += self.feed(held[end:])
        return said + self.take_back()

    def take_back(self) -> str:
        """Return what was held back of a text that turned out to be a thought: nothing in it is a call."""
        held = self._line + self._held
        self._restart()
        return held

    def _take(self, piece: str) -> str:
        """Take a line, or a piece of one."""
        if self._held:
            self._held += piece
            return self._given_up() if len(self._held) > MAX_HELD else ""
        if self._is_line_begun:
            self._is_line_begun = not piece.endswith("\n")
            return piece
        self._line += piece
        line, is_whole = self._line if self._has_begun else self._line.lstrip(), self._line.endswith("\n")
        squeezed = line[:_LONGEST_MARKER].translate(_LOOSE)
        if not self._fence and line[:1] in ("<", "[") and any(squeezed.startswith(marker) for marker in MARKERS):
            self._held, self._line = line, ""
            return ""
        if not is_whole and len(line) < _LONGEST_MARKER and _may_be_special(line.lstrip(), squeezed):
            return ""
        return self._begun_line(is_whole)

    def _begun_line(self, is_whole: bool) -> str:
        """Say what is no marker, and note whether it is a fence."""
        said, self._line = self._line, ""
        fence = said.lstrip()[:3]
        if fence in _FENCES and self._fence in ("", fence):
            self._fence = "" if self._fence else fence
        self._has_begun = self._has_begun or bool(said.strip())
        self._is_line_begun = not is_whole
        return said

    def _given_up(self) -> str:
        self._is_over = True
        return self.take_back()


def _may_be_special(line: str, squeezed: str) -> bool:
    """Tell whether the begin of a line may become a marker or a fence."""
    return any(marker.startswith(squeezed) for marker in MARKERS) or any(
        fence.startswith(line[:3]) and len(line) < len(fence) for fence in _FENCES
    )


def calls_in(text: str, tools: Collection[str]) -> tuple[list[tuple[str, str]], int]:
    """Return the calls that a text behind a marker begins with, each a name and its arguments in JSON, and where what
    belongs to them ends."""
    named = re.compile(
        _NAME.replace("NAME", "|".join(re.escape(tool) for tool in sorted(tools, key=len, reverse=True)))
    )
    calls: list[tuple[str, str]] = []
    end = 0
    while True:
        found = _object_call(text, end, tools)
        if found is None and (name := named.match(text, end)) is not None:
            arguments, behind = _arguments(text, name.end())
            found = (name["name"], arguments, behind) if arguments else None
        if found is None:
            gap = re.compile(_GAP).match(text, end)
            return calls, gap.end() if calls and gap else end
        calls.append(found[:2])
        end = found[2]


def _object_call(text: str, start: int, tools: Collection[str]) -> tuple[str, str, int] | None:
    """Read {"name": …, "arguments": {…}}."""
    shown, end = _json_at(text, start)
    value = json.loads(shown) if shown else {}
    name = value.get("name")
    if not isinstance(name, str) or name not in tools:
        return None
    given = value.get("arguments", value.get("parameters", {}))
    arguments = arguments_in(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))
    return (name, arguments, end) if arguments else None


def _arguments(text: str, start: int) -> tuple[str, int]:
    """Read what stands behind a name, as JSON, as a call in Python, or as parameters in tags; "" where it is none."""
    if text.startswith("(", start):
        brackets = re.compile(_BRACKETS, re.DOTALL).match(text, start)
        return (_keywords(brackets["inside"]), brackets.end()) if brackets else ("", start)
    shown, end = _json_at(text, start)
    if shown:
        return shown, end
    parameters: dict[str, str] = {}
    while (found := re.compile(_PARAMETER).match(text, start)) is not None:
        parameters[found["key"].strip()] = found["value"] if found["tag"] else found["value"].strip("\n")
        start = found.end()
    return (json.dumps(parameters, ensure_ascii=False), start) if parameters else ("", start)


def _json_at(text: str, start: int) -> tuple[str, int]:
    """Return the JSON object behind what may stand between calls, and where it ends; "" where there is none."""
    begin = re.compile(_OBJECT).match(text, start)
    if begin is None:
        return "", start
    try:
        _, end = json.JSONDecoder().raw_decode(text, begin.end())
    except (ValueError, RecursionError):
        return "", start
    return text[begin.end() : end], end


def _keywords(inside: str) -> str:
    """Return a JSON object of what stands between the brackets of a Python call; "" where that is more than names and
    literals."""
    try:
        called = ast.parse(f"call({inside})", mode="eval").body
        assert isinstance(called, ast.Call)
        if called.args or any(each.arg is None for each in called.keywords):
            return ""
        return json.dumps({each.arg: ast.literal_eval(each.value) for each in called.keywords}, ensure_ascii=False)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
