"""Make guides of tools: when a run is due, what the agent reads and answers, and the line that a model is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from orca_core import words
from orca_core.model.episodes import ChangeOne
from orca_core.model.learning import OpenRun, RunState
from orca_core.model.memories import Fields, State
from orca_core.model.tools import DueGuides, Guide, GuideBatch, ToolCall, ToolFigures, WaitingTool
from orca_core.rules.learning.model_json import LIST_MARK, SENTENCE_END, CutObject, values_in, without_thinking
from orca_core.rules.text import token_count
from orca_core.rules.text.cleaning import ELLIPSIS, clean_message, clean_statement, cut, with_hidden_shown
from orca_core.rules.text.spelling import language_of
from orca_core.rules.text.token_count import fitted
from orca_core.rules.work import record_texts
from orca_core.rules.work.tool_calls import folded


def is_run_due(run: OpenRun, due: DueGuides) -> bool:
    """One that was cut short goes on at once, one that failed at its time; a parked one when a person names its
    tool."""
    is_named = bool(due.tool) and folded(due.tool) == folded(run.target)
    if run.id in due.besides or (due.tool and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


def due_tool(tools: Sequence[WaitingTool], due: DueGuides) -> WaitingTool | None:
    """The one that has been due longest; None where none is."""
    ready = [each for each in tools if _is_due(each, due)]
    return min(ready, key=lambda each: (due_at(each, due), folded(each.tool))) if ready else None


def due_at(each: WaitingTool, due: DueGuides) -> datetime:
    """When its guide is written, if no call comes any more: at once with more than `summary_count` new calls, else
    `summary_after` after it was written last, or after the first new call where none was written."""
    if each.fresh > due.summary_count:
        return each.since
    return max(each.since, (each.written_at or each.since) + timedelta(seconds=due.summary_after_s))


def _is_due(each: WaitingTool, due: DueGuides) -> bool:
    """What a person pinned or wrote is written anew only when a person asks for it by name."""
    if each.is_held or each.fresh == 0:
        return False
    if due.tool:
        return folded(due.tool) == folded(each.tool)
    if each.is_kept_by_hand:
        return False
    return due.everything or due_at(each, due) <= due.at


GUIDE_TOKENS = 120
"""No line costs more, as knowledge."""
NAME_TOKENS = GUIDE_TOKENS // 2
"""So much of that its tool's name takes at most."""


def guide_line(guide: Guide, figures: ToolFigures) -> str:
    """The name of the tool, what is known of it, and how its calls went, where any are kept."""
    said = " ".join(guide.text.split())
    counted = "" if not figures.calls else f" ({figures_line(figures, language_of(guide.text))})"
    head = f"{fitted(' '.join(guide.target.split()), NAME_TOKENS)}: "
    room = GUIDE_TOKENS - token_count.estimate(head + counted)
    made = f"{head}{fitted(said, max(room, 0))}{counted}"
    while (
        room > 0 and token_count.estimate(made) > GUIDE_TOKENS
    ):  # side by side they may count as more than each by itself
        room -= 1
        made = f"{head}{fitted(said, room)}{counted}"
    return made


def figures_line(figures: ToolFigures, language: str) -> str:
    """How often it was called, how often that succeeded, how long it took."""
    said = [("calls", f"{figures.calls}"), ("succeeded", f"{percent_of(figures)}")]
    if figures.median_s is not None:
        said.append(("seconds", f"{figures.median_s:.3g}"))
    return "".join(words.text("work.tools", key, language).format(value) for key, value in said)


def percent_of(figures: ToolFigures) -> int:
    """Whole percents; all and none only where it is all or none."""
    if figures.succeeded in (0, figures.calls):
        return 100 if figures.succeeded else 0
    return min(99, max(1, round(figures.success_rate * 100)))


MAX_MATERIAL_CHARS = 1200
"""Of what a call was given and answered so much is shown: it bounds what one request costs. Chosen by hand."""


def material(batch: GuideBatch) -> str:
    """The tool, what is known of it, figures, and its latest calls, oldest first. What a person has not accepted is not
    shown as known."""
    figures = batch.figures
    shown = {
        "tool": batch.tool,
        "known": next((each.text for each in batch.known if each.state is State.LIVE), ""),
        "figures": {
            "calls": figures.calls,
            "succeeded": figures.succeeded,
            "errors": [list(e) for e in figures.errors],
        },
        "calls": [_row(each) for each in batch.calls],
    }
    return json.dumps(shown, ensure_ascii=False)


def prose(batch: GuideBatch) -> str:
    """What tells the language that the guide is written in."""
    return "\n".join(f"{each.input[:MAX_MATERIAL_CHARS]}\n{each.output[:MAX_MATERIAL_CHARS]}" for each in batch.calls)


def _row(call: ToolCall) -> dict[str, Any]:
    row: dict[str, Any] = {"input": _short(call.input), "output": _short(call.output), "success": call.success}
    return row if call.seconds is None else {**row, "seconds": round(call.seconds, 3)}


def _short(text: str) -> str:
    return text if len(text) <= MAX_MATERIAL_CHARS else cut(text, MAX_MATERIAL_CHARS) + ELLIPSIS


MOST_WORDS = 200
"""Of Chinese twice as many characters (LIFE 6)."""
MAX_GUIDE_CHARS = 2000
"""As much as a memory has: it bounds words without end."""
READ_CHARS = 16_000
"""Of a longer answer no more is read."""
NOTHING = ""
"""The agent says that the calls teach nothing."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+|^\*\*([^*]+)\*\*[:：]?$")
_STARS = re.compile(r"\*\*([^*\n]+)\*\*")
_UNIT = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")


def read_guide(answer: str) -> str | None:
    """The guide; `NOTHING` where the agent has none, None where the answer can't be read as one."""
    said = without_thinking(answer[:READ_CHARS]).strip()
    found = [each for value in values_in(said) for each in _guides(value.value)]
    if found:
        return None if found[-1] is None else _cleaned(found[-1])
    if not said or said[0] in "{[":
        return None
    fenced = _FENCE.match(said)
    plain = _cleaned(fenced[1] if fenced else said)
    return None if plain.startswith(("{", "[")) else plain or None


def _guides(value: Any) -> list[str | None]:
    """What stands under `guide`; None for what is no text, or was cut off."""
    if not isinstance(value, dict) or "guide" not in value:
        return []
    guide = value["guide"]
    if isinstance(value, CutObject):
        return [None]
    if isinstance(guide, list) and all(isinstance(each, str) for each in guide):
        return ["\n".join(guide)]
    return [guide if isinstance(guide, str) else NOTHING if guide is None else None]


def _cleaned(text: str) -> str:
    """In lines, without the marks of lists and headings; what a reader can't see is shown by its number."""
    lines = [_line(each) for each in with_hidden_shown(clean_message(text).removeprefix("\ufeff")).splitlines()]
    return shortened("\n".join(filter(None, lines)))


def _line(raw: str) -> str:
    bare = LIST_MARK.sub("", _HEADING.sub(lambda match: match[1] or "", raw.strip()))
    return clean_statement(_STARS.sub(r"\1", bare))


def shortened(text: str) -> str:
    """At most 200 words or 400 Chinese characters, cut behind a sentence where one ends in its second half."""
    room, end = float(MOST_WORDS), len(text)
    for match in _UNIT.finditer(text):
        room -= 0.5 if "\u3400" <= match[0][0] <= "\ufaff" and len(match[0]) == 1 else 1
        if room < 0 or match.end() > MAX_GUIDE_CHARS:
            end = match.start() if room < 0 else MAX_GUIDE_CHARS - 1
            break
    else:
        return text if len(text) <= MAX_GUIDE_CHARS else text[: MAX_GUIDE_CHARS - 1] + "…"
    kept = text[:end].rstrip()
    ends = [match.end() for match in SENTENCE_END.finditer(kept)]
    return kept[: ends[-1]] if ends and ends[-1] > len(kept) // 2 else kept[: MAX_GUIDE_CHARS - 1] + "…"


def edit(text: str) -> ChangeOne[Guide]:
    """The checked text, line by line. Raises InvalidInput."""
    lines = [record_texts.text(each, what="guide") for each in text.splitlines()]
    said = "\n".join(filter(None, lines))
    record_texts.text(said, what="guide", may_be_empty=False)

    def change(guide: Guide) -> Fields:
        return {"text": said, **({"held_because": None} if guide.state is State.LIVE else {})}

    return change
