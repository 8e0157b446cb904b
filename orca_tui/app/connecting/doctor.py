"""The doctor in the app: looks at everything, and asks endpoints or mends where that is asked for."""

from __future__ import annotations

from collections.abc import Awaitable
from gettext import gettext as _

from textual.content import Content

from orca_core.model.diagnosis import Diagnosis
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import TextView
from orca_tui.app.widgets.text import joined, literal, padded
from orca_tui.language import said, with_detail
from orca_tui.words.health_words import (
    CHECK_WORDS,
    REPAIR_WORDS,
    diagnosis_note,
    evidence_lines,
    found_and_fix,
    left_note,
    repair_text,
)

NETWORK, FIX, DRY_RUN = "--network", "--fix", "--dry-run"
STATE_CELLS = 12


class Doctor:
    """`/doctor`, with the options of `orca doctor`."""

    def __init__(self, stage: Stage, bridge: Bridge) -> None:
        self._stage = stage
        self._bridge = bridge

    def examine(self, rest: str) -> None:
        words = frozenset(rest.split())
        if words - {NETWORK, FIX, DRY_RUN} or (DRY_RUN in words and FIX not in words):
            self._stage.note(_("/doctor takes --network, --fix, and --dry-run beside --fix"))
            return
        if not self._bridge.is_ready:
            return
        if words:
            self._stage.note(_("the doctor looks …"), owner="doctor")

        def show(diagnosis: Diagnosis) -> None:
            self._stage.note("", owner="doctor")
            self._stage.push(TextView(_("Doctor"), diagnosis_content(diagnosis, mends=FIX in words)))
            if diagnosis.repairs:
                self._stage.changed(anew=True)

        group = "mend" if FIX in words else "look doctor"  # what mends is never given up for another look
        self._stage.ask(lambda: self._diagnosis(words), show, group=group)

    def _diagnosis(self, words: frozenset[str]) -> Awaitable[Diagnosis]:
        if (diagnose := self._bridge.doors.diagnose) is None:
            return self._bridge.orca.doctor.examine([])
        return diagnose(self._bridge.loaded, asks_network=NETWORK in words, mends=FIX in words, is_dry=DRY_RUN in words)


def diagnosis_content(diagnosis: Diagnosis, *, mends: bool) -> Content:
    """What was mended, every check with what is to be done, and how much of memory works."""
    lines = [_row(_(REPAIR_WORDS[each.state]), f"{said(each.name)}  {repair_text(each)}") for each in diagnosis.repairs]
    for check in diagnosis.checks:
        found, fix = found_and_fix(check)
        lines.append(_row(_(CHECK_WORDS[check.state]), with_detail(said(check.name), found)))
        lines += [_row("", line) for line in evidence_lines(check)]
        if fix:
            lines.append(_row("", _("what to do: {fix}").format(fix=fix)))
    notes = [diagnosis_note(diagnosis), *([left_note(diagnosis)] if mends else [])]
    return joined([*map(literal, lines), Content(""), *(literal(note, "bold") for note in notes)], "\n")


def _row(state: str, words: str) -> str:
    return f"{padded(state, STATE_CELLS)}{words}"
