"""Tools, their guides and their calls, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.events import GuideMade
from orca_core.model.memories import Status
from orca_core.model.record_types import plain_ref
from orca_core.model.tools import GUIDES, CallsTaken, Guide, GuideView, ToolCall, ToolFigures
from orca_core.serialize.values import timestamp_json
from orca_tui.language import counted, listed, said, sentence_and_way_out, with_detail
from orca_tui.marks import Marks
from orca_tui.words.memory_words import reason_phrase, status_word

MOST_SHOWN = 200
"""So many characters of what a call was given or answered stand in its line."""


def guide_line(guide: Guide) -> str:
    return f"{plain_ref(GUIDES.ref(guide))}  {guide.target}"


def guide_words(view: GuideView) -> str:
    """Whether there is a guide, and whether one waits."""
    words = []
    if view.guide is not None:
        pinned = f", {_('pinned')}" if view.guide.pinned else ""
        words.append(f"{plain_ref(GUIDES.ref(view.guide))}{pinned}")
    if view.waiting is not None:
        words.append(_("{id} waits for you").format(id=plain_ref(GUIDES.ref(view.waiting))))
    return listed(words) or "-"


def seconds_words(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.3g}"


def figures_lines(figures: ToolFigures) -> list[str]:
    """How often it was called, how often that succeeded, how long it took, and how it failed."""
    calls = counted("{count} call", "{count} calls", figures.calls)
    lines = [with_detail(calls, _("{count} succeeded").format(count=figures.succeeded))]
    if figures.median_s is not None:
        lines.append(
            _("half of them within {median} s, 95 of 100 within {most} s").format(
                median=seconds_words(figures.median_s), most=seconds_words(figures.p95_s)
            )
        )
    return lines + [
        counted("failed {count} time: {error}", "failed {count} times: {error}", count, error=error)
        for error, count in figures.errors
    ]


def tool_text(view: GuideView, calls: Sequence[ToolCall], marks: Marks) -> str:
    """All of a tool: its guide, its figures, the guide that waits, the latest calls."""
    lines = [view.figures.tool, ""]
    if view.guide is not None:
        standing = status_word(view.status or Status.ACTIVE) + (
            f" {marks.dot} {_('pinned')}" if view.guide.pinned else ""
        )
        version = _("version {number}").format(number=view.guide.version)
        lines += [
            f"{plain_ref(GUIDES.ref(view.guide))}  ({standing} {marks.dot} {version})",
            *view.guide.text.splitlines(),
            f"{_('changed')}: {timestamp_json(view.guide.updated_at)}",
            "",
        ]
    if view.waiting is not None:
        held = f"{_('it waits for you')}: {reason_phrase(view.waiting.held_because or '')}"
        lines += [f"{plain_ref(GUIDES.ref(view.waiting))}  ({held})", *view.waiting.text.splitlines(), ""]
    if view.guide is None and view.waiting is None:
        lines += [_("No guide of it was written yet."), ""]
    lines += figures_lines(view.figures)
    lines += ["", *map(call_line, calls)] if calls else []
    return "\n".join(lines)


def call_line(call: ToolCall) -> str:
    """When it was made, how it went, what it was given and what it answered."""
    parts = [f"  {timestamp_json(call.at)}  {went_words(call)}", _short(call.input), _short(call.output)]
    return "  ".join(filter(None, parts))


def went_words(call: ToolCall) -> str:
    """Whether it succeeded, and how long it took."""
    went = _("succeeded") if call.success else _("failed")
    return went if call.seconds is None else f"{went}  {seconds_words(call.seconds)} s"


def call_text(call: ToolCall) -> str:
    """All of a call: what it was given, and what it answered."""
    at = call.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    gone = _("this call is old: what it was given and answered is kept no longer") if call.is_slim else ""
    parts = [f"{at}  {went_words(call)}", gone, call.input, call.output]
    return "\n\n".join(filter(None, parts))


def guide_made_line(event: GuideMade) -> str:
    """How a run that writes a guide goes, in a line."""
    if event.error and event.tool:
        return _("the guide of {tool} could not be written: {error}").format(tool=event.tool, error=said(event.error))
    if event.error:
        return _("no guide could be written: {error}").format(error=said(event.error))
    if event.state == "queued":
        return _("another Orca writes the guide of {tool}").format(tool=event.tool)
    if event.state == "running":
        return f"{event.tool}: " + counted("reads {count} call", "reads {count} calls", event.calls)
    if event.state == "unreadable":
        return _("the guide of {tool} could not be read").format(tool=event.tool)
    held = "" if event.held_because is None else reason_phrase(event.held_because)
    if event.guide is None:
        nothing = _("no guide of {tool} was kept").format(tool=event.tool)
        return with_detail(nothing, held) if held else nothing
    made = _("guide {id} of {tool}, version {version}").format(
        id=f"{GUIDES.kind.letter}{event.guide}", tool=event.tool, version=event.version
    )
    lacking = f" ({', '.join(event.lacking)})" if event.lacking else ""
    made = with_detail(made, f"{_('it waits for you')}: {held}{lacking}") if held else made
    if not event.left_out:
        return made
    return f"{made}; " + _("left out: {sentences} ({why})").format(
        sentences=" ".join(event.left_out), why=reason_phrase("not_usage")
    )


def taken_lines(taken: CallsTaken) -> list[str]:
    """How many calls are new and how many were known; each that was refused, with its place and why."""
    lines = [
        _("{taken} recorded, {known} known already, {refused} refused").format(
            taken=len(taken.taken), known=taken.known, refused=len(taken.refused)
        )
    ]
    for each in taken.refused:
        why = " — ".join(filter(None, sentence_and_way_out(each.error)))
        lines.append(_("refused  call {place}: {why}").format(place=each.place, why=why))
    return lines


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…"
