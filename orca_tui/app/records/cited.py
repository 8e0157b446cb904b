"""Opens what an answer cites or was given, whatever its kind, and says of it that it did not help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from gettext import gettext as _
from typing import Any, Protocol

from orca_core.model.records import Kind, Ref, plain_ref
from orca_tui.app.records.kind import RecordKind
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.marks import Marks
from orca_tui.text_rules import one_line

NOT_HELPFUL_KEY = "ctrl+n"
_TURN = "turn"


class Judges(Protocol):
    """What a person thinks of the records that one round was given."""

    async def unhelpful(self, number: int) -> Collection[Ref]:
        """Those of the round that did not help. Raises StorageError."""
        ...

    def turn(self, number: int, ref: Ref, then: Callable[[], None]) -> None:
        """Say that the record did not help in the round, or take that back; once that is noted, call `then`."""


class Cited:
    """One record is opened at once; of several it is asked which. `number` is the round that they belong to: without
    it nothing can be said of them."""

    def __init__(self, stage: Stage, kinds: Mapping[Kind, RecordKind[Any, Any]], judges: Judges, marks: Marks) -> None:
        self._stage = stage
        self._kinds = kinds
        self._judges = judges
        self._marks = marks

    def look_at(self, refs: Sequence[Ref], title: str, number: int | None = None) -> None:
        """Open what these name, as far as it is still there; of several it is asked under this title."""

        def choose(found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> None:
            if len(found) == 1:
                self._open(*next(iter(found.items())))
            else:
                self._offer(found, unhelpful, title, number)

        self._find(refs, number, choose)

    def judge(self, refs: Sequence[Ref], number: int) -> None:
        """Say of one of these that it did not help in this round, or take that back."""

        def choose(found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> None:
            by_name = {str(plain_ref(ref)): ref for ref in found}

            def chosen(name: str | None) -> None:
                if name is not None:
                    self._judges.turn(number, by_name[name], lambda: None)

            if len(found) == 1:
                chosen(next(iter(by_name)))
            else:
                hint = _("enter notes it, again takes it back · esc leaves it as it is")
                choices = self._choices(found, unhelpful)
                self._stage.push(Pick(_("What did not help?"), choices, hint=hint), chosen)

        self._find(refs, number, choose)

    def _find(
        self, refs: Sequence[Ref], number: int | None, choose: Callable[[Mapping[Ref, Any], Collection[Ref]], None]
    ) -> None:
        """Call `choose` with those that have a page and are there, and those of them that did not help; else say why
        there are none."""

        async def look() -> tuple[dict[Ref, Any], Collection[Ref]]:
            return await self._there(refs), () if number is None else await self._judges.unhelpful(number)

        def show(looked: tuple[dict[Ref, Any], Collection[Ref]]) -> None:
            if looked[0]:
                choose(*looked)
            elif any(ref.kind not in self._kinds for ref in refs):
                self._stage.note(_("what was put in has no page of its own: w shows it"))
            else:
                self._stage.note(_("what was put in is gone"))

        self._stage.ask(look, show, group="look memory")

    def _offer(self, found: Mapping[Ref, Any], unhelpful: Collection[Ref], title: str, number: int | None) -> None:
        """Of several it is asked which is opened, or did not help."""
        by_name = {str(plain_ref(ref)): ref for ref in found}

        def chosen(value: str | None) -> None:
            if value is None:
                return
            action, _colon, name = value.rpartition(":")
            ref = by_name[name]
            if action == _TURN and number is not None:
                self._judges.turn(number, ref, lambda: self.look_at(list(found), title, number))
            else:
                self._open(ref, found[ref])

        keys = {} if number is None else {NOT_HELPFUL_KEY: _TURN}
        hint = _("enter opens") if number is None else _("enter opens · ctrl+n not helpful · esc back")
        choices = self._choices(found, unhelpful)
        self._stage.push(Pick(title, choices, keys=keys, hint=hint), chosen)

    def _choices(self, found: Mapping[Ref, Any], unhelpful: Collection[Ref]) -> list[Choice]:
        judged = f"{self._marks.disliked} {_('not helpful')}"
        return [
            Choice(
                one_line(self._kinds[ref.kind].line(record), 80),
                str(plain_ref(ref)),
                f"#{plain_ref(ref)}" + (f"  {judged}" if ref in unhelpful else ""),
            )
            for ref, record in found.items()
        ]

    async def _there(self, refs: Sequence[Ref]) -> dict[Ref, Any]:
        found: dict[Ref, Any] = {}
        for ref in refs:
            kind = self._kinds.get(ref.kind)
            for view in await kind.views([ref.id]) if kind is not None else ():
                found[ref] = view.record
        return found

    def _open(self, ref: Ref, record: Any) -> None:
        self._kinds[ref.kind].open(record)
