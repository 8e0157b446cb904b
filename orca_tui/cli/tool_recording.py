"""`orca tool record`: calls of tools are recorded, each once."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from orca_core.model.errors import InvalidInput
from orca_core.serialize.reports import outcome_json
from orca_core.serialize.work import calls_from, taken_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.given import MOMENT, json_value, text_of_file
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID, read_piped
from orca_tui.words.tool_words import taken_lines

EXAMPLES = (
    'orca tool record --tool web_search --input \'{"query": "nginx 502"}\' --output "3 results" --seconds 0.8',
    'orca tool record --tool web_search --input "nginx" --output "Timeout: no answer" --failed --session s --call c1',
    "orca tool record --file calls.json --session s",
    "cat calls.json | orca tool record",
)


@command(examples=EXAMPLES)
@option("--file", "path", type=click.Path(path_type=Path), metavar="FILE", help="Read the calls from it, as JSON.")
@option("--tool", type=ANY_TEXT, metavar="NAME", help="Record one call, of this tool.")
@option("--input", "given", type=ANY_TEXT, metavar="TEXT", help="What it was given: a text, or a JSON object.")
@option("--output", "answered", type=ANY_TEXT, metavar="TEXT", help="What it answered.")
@option("--failed", is_flag=True, help="It failed; the answer begins with the error.")
@option("--call", "call_id", type=ANY_TEXT, metavar="C", help="Its name in its session.")
@option("--seconds", type=float, metavar="S", help="How long it took.")
@option("--tokens", type=int, metavar="N", help="How many tokens it used.")
@option("--at", type=MOMENT, metavar="TIME", help="When it ended; else now.")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The session of calls that name none.")
@as_json_option
@pass_runtime
def record(
    runtime: Runtime,
    *,
    path: Path | None,
    tool: str | None,
    given: str | None,
    answered: str | None,
    failed: bool,
    call_id: str | None,
    seconds: float | None,
    tokens: int | None,
    at: datetime | None,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Record calls of tools.

    One by options, or any number as JSON, from a file or a pipe: one call, a list of them, or {"calls": […]}. A call
    has a tool, and may have input, output, success, seconds, tokens, at, call_id and session_id.

    A call that is reported again counts once. One that can't be read is refused by itself, with its place from 0 on;
    then the command fails, and the others are recorded."""
    own = {
        "input": _object_or_text(given),
        "output": answered,
        "success": False if failed else None,
        "call_id": call_id,
        "seconds": seconds,
        "tokens": tokens,
        "at": at,
    }
    calls = _calls(path, tool, {name: value for name, value in own.items() if value is not None})
    with runtime.orca() as orca:
        taken = orca.run(orca.engine.tools.record(calls, session_id or ""))
        if taken is None:
            raise InvalidInput(template="calls are not recorded", hint="memory.tools.enabled is false")
    if as_json:
        runtime.output.json(outcome_json((), (), **taken_json(taken)))
    else:
        runtime.output.line("\n".join(taken_lines(taken)))
    if taken.refused:
        raise click.exceptions.Exit(1)


def _calls(path: Path | None, tool: str | None, own: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Raises InvalidInput where they are given in two ways, in none, or can't be read."""
    if tool is not None:
        if path is not None:
            raise InvalidInput(template="--file and --tool: only one of them can be given")
        return [{"tool": tool, **own}]
    if own:
        raise InvalidInput(template="a call needs the name of its tool", hint="--tool NAME")
    if path is None and sys.stdin.isatty():
        raise InvalidInput(
            template="there are no calls to record", hint="--tool records one, --file or a pipe brings them as JSON"
        )
    return calls_from(json_value(read_piped(sys.stdin) if path is None else text_of_file(path)))


def _object_or_text(given: str | None) -> Any:
    """A JSON object where it is one, so that the same input of another client is the same."""
    found = None if given is None else json_value(given)
    return found if isinstance(found, dict) else given
