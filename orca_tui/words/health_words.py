"""How much of memory works, why not all of it, and what the doctor found."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.diagnosis import CheckState, Diagnosis, Finding, FindingEvidence, Repair, RepairState
from orca_core.model.recall import Level
from orca_core.model.record_types import Cause, plain_ref
from orca_tui.language import N_, counted, listed, said, translated, with_detail

CHECK_WORDS: Mapping[CheckState, str] = {"ok": N_("ok"), "warn": N_("warning"), "fail": N_("fails")}

REPAIR_WORDS: Mapping[RepairState, str] = {
    "done": N_("mended"),
    "would": N_("would mend"),
    "left": N_("left to you"),
    "failed": N_("not mended"),
}

MODEL_USES: Mapping[str, str] = {
    "chat": N_("chat"),
    "memory agent": N_("memory agent"),
    "verifier": N_("verifier"),
    "embedding": N_("embedding"),
    "rerank": N_("rerank"),
}
"""What a model may be configured for; the doctor's checks of endpoints are called so, too."""

LEVEL_WORDS = {
    Level.FULL: N_("memory is whole again"),
    Level.TEXT_ONLY: N_("memory is found by its words only"),
    Level.SHORT_TERM_ONLY: N_("only short-term memory works"),
    Level.NONE: N_("memory is off"),
}


def cause_phrase(cause: Cause) -> str:
    """Why something is as it is, in the language of the interface."""
    sentence, way_out = translated(cause.template, cause.fields), translated(cause.hint_template, cause.fields)
    return f"{sentence} — {way_out}" if way_out else sentence


def level_note(level: Level, cause: Cause | None = None) -> str:
    """What does not work, and why; empty where all of it works."""
    if level is Level.FULL:
        return ""
    words = _(LEVEL_WORDS[level])
    return words if cause is None else with_detail(words, translated(cause.template, cause.fields))


def diagnosis_note(diagnosis: Diagnosis) -> str:
    """How much of memory works, in one line; and what could not be found out, of which it then says nothing."""
    if not diagnosis.unknown:
        return level_note(diagnosis.level) or _("memory works in full")
    checks = listed(said(name) for name in diagnosis.unknown)
    return _("whether memory works in full could not be found out: {checks}").format(checks=checks)


def level_fall(level: Level, cause: Cause | None) -> str:
    """That memory fell or rose, why, and the way out."""
    words = level_note(level, cause)
    return f"{words} — {_('orca doctor says more')}" if words else _(LEVEL_WORDS[level])


def repair_text(repair: Repair) -> str:
    """What was mended, or would be."""
    return translated(repair.detail_template, repair.fields)


def left_note(diagnosis: Diagnosis) -> str:
    """What the doctor leaves to a person."""
    if not diagnosis.left:
        return _("nothing is left to you")
    return _("left to you: {checks}").format(checks=listed(said(name) for name in diagnosis.left))


def evidence_lines(check: Finding) -> list[str]:
    """The records and files in which the doctor found it, and how many more there are."""
    more = [counted("and {count} more", "and {count} more", check.more)] if check.evidence and check.more else []
    return [*map(_evidence_line, check.evidence), *more]


def _evidence_line(evidence: FindingEvidence) -> str:
    """One of them with a few words of it, what is wrong with it, and the command that mends it."""
    name = f"#{plain_ref(evidence.ref)}" if evidence.ref else ""
    what = f"({_(evidence.what)})" if evidence.what else ""
    found = " ".join(filter(None, (name, evidence.text, what)))
    return with_detail(found, evidence.command) if evidence.command else found


def found_and_fix(check: Finding) -> tuple[str, str]:
    """What the doctor found, and what is to be done about it."""
    return translated(check.detail_template, check.fields), translated(check.fix_template, check.fields)
