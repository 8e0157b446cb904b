"""What became of candidates that a person decided about."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import Any

from orca_core.model.memories import Memory, State
from orca_core.model.operations import Changed, RecordsChanged
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.sifting import SHOWN
from orca_tui.language import counted
from orca_tui.words.memory_words import memory_line
from orca_tui.words.work_words import candidate_line, candidate_ref


def tell_decided(
    runtime: Runtime,
    orca: OpenOrca,
    decided: Sequence[RecordsChanged[Any] | Changed],
    word: str,
    *,
    as_json: bool,
    is_short: bool = False,
) -> None:
    """Say so, each in a line; of many, where that is short, of the first."""
    told = [record for each in decided if each.operation is not None for record in each.records]
    refs = [candidate_ref(record) for record in told]
    lines = [_decided_line(record, word) for record in (told[:SHOWN] if is_short and not as_json else told)]
    if len(lines) < len(told):
        lines.append(counted("and {count} more", "and {count} more", len(told) - len(lines)))
    tell(runtime, orca, Outcome([each.operation for each in decided], refs, lines), as_json=as_json)


def _decided_line(record: Any, word: str) -> str:
    if not isinstance(record, Memory):
        return f"{word}  {candidate_line(record)}"
    given_way = record.superseded_by if record.state is State.ARCHIVED else None
    said = word if given_way is None else _("gave way to #{id}").format(id=given_way)
    return f"{said}  {memory_line(record)}"
