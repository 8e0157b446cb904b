"""A chat as a Markdown document, for the commands and the app."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from gettext import gettext as _

from orca_core.model.dialogues import Round, Session
from orca_core.model.messages import Source, Span
from orca_tui.language import counted
from orca_tui.text_rules import for_terminal
from orca_tui.words.turns import ending_of

_MARKUP = re.compile(r"[\\`*_\[\]<>]")
_FENCE = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_BACKTICKS = re.compile("`{3,}")
# What begins a block of HTML that hides what follows, until it is closed.
_HTML = re.compile(r"^( {0,3})<(?=!|\?|/?(?:script|pre|style|textarea)\b)", re.IGNORECASE)


def chat_markdown(session: Session, rounds: Sequence[Round]) -> str:
    """The title, then every round as it stands: its date, the question, the answer with its code as it is."""
    begun = f"{session.created_at.astimezone():%Y-%m-%d %H:%M}"
    length = counted("{count} round", "{count} rounds", len(rounds))
    parts = [f"# {_MARKUP.sub(_escaped, session.title)}", f"*{begun} · {length} · {_MARKUP.sub(_escaped, session.id)}*"]
    for each in rounds:
        parts += _round_parts(each)
    return for_terminal("\n\n".join(parts)) + "\n"


def _round_parts(each: Round) -> Iterator[str]:
    yield f"## {each.number} · {each.at.astimezone():%Y-%m-%d %H:%M}"
    yield f"**{_('You')}**"
    yield "\n\n".join(_asked(each.spans or (Span(each.user),)))
    if each.assistant:
        model = f" ({_MARKUP.sub(_escaped, each.model)})" if each.model else ""
        yield f"**{_('Answer')}**{model}"
        yield _contained(each.assistant)
    if ending := ending_of(each):
        yield f"*({_MARKUP.sub(_escaped, ending)})*"


def _asked(spans: Sequence[Span]) -> Iterator[str]:
    """What was typed as it is; what was pasted, piped or read from a file as a block of its own where it has lines."""
    typed = ""
    for span in spans:
        if span.source is Source.TYPED or "\n" not in span.text.strip():
            typed += span.text
            continue
        if typed.strip():
            yield _contained(typed)
        typed = ""
        yield _fenced(span.text)
    if typed.strip():
        yield _contained(typed)


def _fenced(text: str) -> str:
    fence = "`" * max(3, *(len(found) + 1 for found in ["", *_BACKTICKS.findall(text)]))
    return f"{fence}text\n{text.strip(chr(10))}\n{fence}"


def _contained(text: str) -> str:
    """A text that ends what it begins: a fence that is open at its end is closed, and no comment hides what follows."""
    lines: list[str] = []
    fence = ""
    for line in for_terminal(text).strip("\n").split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found["fence"].startswith(fence) and not found["info"].strip():
                fence = ""
        elif found and not (found["fence"][0] == "`" and "`" in found["info"]):
            fence = found["fence"]
        lines.append(line if fence or found else _HTML.sub(r"\1\\<", line, count=1))
    return "\n".join([*lines, fence] if fence else lines)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"
