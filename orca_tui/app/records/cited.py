"""Opens what an answer cites or was given, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from typing import Any

from orca_core.domain.refs import Kind, Ref, plain_ref
from orca_tui.app.records.kind import RecordKind
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.text_rules import one_line


class Cited:
    """One record is opened at once; of several it is asked which."""

    def __init__(self, stage: Stage, kinds: Mapping[Kind, RecordKind[Any, Any]]) -> None:
        self._stage = stage
        self._kinds = kinds

    def look_at(self, refs: Sequence[Ref]) -> None:
        """Open what these name, as far as it is still there."""

        def choose(found: Mapping[Ref, Any]) -> None:
            if not found and any(ref.kind not in self._kinds for ref in refs):
                self._stage.note(_("what was put in has no page of its own: w shows it"))
            elif not found:
                self._stage.note(_("what was put in is gone"))
            elif len(found) == 1:
                self._open(*next(iter(found.items())))
            else:
                by_name = {str(plain_ref(ref)): ref for ref in found}
                choices = [
                    Choice(one_line(self._kinds[ref.kind].line(found[ref]), 80), name, f"#{name}")
                    for name, ref in by_name.items()
                ]
                self._stage.push(
                    Pick(_("Memories of this answer"), choices, hint=_("enter opens")),
                    lambda name: self._open(by_name[name], found[by_name[name]]) if name is not None else None,
                )

        self._stage.ask(lambda: self._there(refs), choose, group="look memory")

    async def _there(self, refs: Sequence[Ref]) -> dict[Ref, Any]:
        found: dict[Ref, Any] = {}
        for ref in refs:
            kind = self._kinds.get(ref.kind)
            for view in await kind.views([ref.id]) if kind is not None else ():
                found[ref] = view.record
        return found

    def _open(self, ref: Ref, record: Any) -> None:
        self._kinds[ref.kind].open(record)
