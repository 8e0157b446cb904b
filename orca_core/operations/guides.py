"""Guides of tools: the runs that write them, and what a person accepts of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from orca_core.model.episodes import ChangeOne
from orca_core.model.errors import InvalidInput
from orca_core.model.learning import DroppedFact, OpenRun, RunEnd, RunKind, RunResult, RunState
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader, RecordsChanged
from orca_core.model.record_types import CALL, GUIDE, Ref, parse_timestamp
from orca_core.model.tools import (
    GUIDES,
    CallsTaken,
    DueGuides,
    Guide,
    GuideBatch,
    GuideWritten,
    JudgedGuide,
    NewCall,
    ToolCall,
    ToolFigures,
    WaitingTool,
)
from orca_core.operations import deletion, runs, tool_calls
from orca_core.operations.knowledge_targets import is_by_hand, put_aside
from orca_core.operations.operations import OpenOperation
from orca_core.operations.queue import BegunRun, Claim, ClaimMaterial, RunQueue, is_running
from orca_core.operations.records import check_there, record_of, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.rules.learning.run_schedule import is_target_run_due
from orca_core.rules.work import consolidation_rules, reported_calls, tool_guides
from orca_core.rules.work.reported_calls import SHOWN
from orca_core.store.ports import Rows, any_of, at_most, is_


def of_tool(rows: Rows, folded: str) -> list[Guide]:
    """Every guide of a tool, newest first."""
    named = rows.select(GUIDES.table, ("id", "target"), order=("-id",))
    return records_there(rows, GUIDES, [number for number, tool in named if reported_calls.fold_tool(tool) == folded])


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref], at: datetime) -> None:
    """After an operation on guides was taken back or done again: where by that several of one tool live, the one that
    is pinned stays, else the one that was put back; the others give way to it."""
    numbers = {ref.id for ref in touched if ref.kind == GUIDE}
    put_back = [each for each in records_there(rows, GUIDES, sorted(numbers)) if each.state is State.LIVE]
    for folded in dict.fromkeys(reported_calls.fold_tool(each.target) for each in put_back):
        live = [each for each in of_tool(rows, folded) if each.state is State.LIVE]
        stays = max(live, key=lambda each: (each.pinned, each.id in numbers, each.id))
        for each in live:
            if each is not stays:
                operation.change(GUIDES.ref(each), consolidation_rules.superseded_fields(at), each)


_STANDING = (State.LIVE.value, State.CANDIDATE.value)


class ToolStore(RunQueue):
    """The calls of tools of one scope, their guides, and the runs that write these."""

    async def record(self, calls: Sequence[NewCall]) -> CallsTaken:
        return await self._transactions.write(lambda rows: tool_calls.take(rows, tool_calls.of_own_steps(rows, calls)))

    async def delete(self, tool: str, header: OperationHeader) -> int:
        """Delete the calls of a tool for good; returns how many there were."""

        def write(rows: Rows) -> int:
            folded = reported_calls.fold_tool(tool)
            deleted = deletion.delete_calls(rows, is_("folded", folded))
            if deleted:
                Tombstones(rows).lay_calls(folded, header.at)
                self._operation(rows, header).insert_row()
            return deleted

        deleted = await self._transactions.write(write)
        if deleted:
            await self._transactions.wipe()
        return deleted

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        folded = reported_calls.fold_tool(tool)
        return await self._transactions.read(lambda rows: tool_calls.latest(rows, folded, limit))

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, in their order; of all, the most used first, where none are named."""
        wanted = None if tools is None else [*dict.fromkeys(map(reported_calls.fold_tool, tools))]
        return await self._transactions.read(lambda rows: tool_calls.figures_of(rows, wanted), own=True)

    async def of_steps(self, steps: Sequence[int]) -> list[ToolCall]:
        def read(rows: Rows) -> list[ToolCall]:
            return [
                tool_calls.call_from_row(each)
                for each in rows.select(tool_calls.TABLE, tool_calls.COLUMNS, any_of("step", steps), order=("id",))
            ]

        return await self._transactions.read(read)

    async def with_guides(self) -> list[str]:
        def read(rows: Rows) -> list[str]:
            live = rows.select(GUIDES.table, ("target",), is_("state", State.LIVE.value), order=("id",))
            return list(dict.fromkeys(str(tool) for (tool,) in live))

        return await self._transactions.read(read)

    async def guides_of(self, tools: Sequence[str]) -> list[Guide]:
        def read(rows: Rows) -> list[Guide]:
            of_all = [self._standing(rows, each) for each in dict.fromkeys(map(reported_calls.fold_tool, tools))]
            return [known[0] for known in of_all if known and known[0].state is State.LIVE]

        return await self._transactions.read(read)

    async def waiting_for_guides(self) -> list[WaitingTool]:
        return await self._transactions.read(self._waiting)

    async def next_guide_at(self, due: DueGuides) -> datetime | None:
        def read(rows: Rows) -> datetime | None:
            free = [each for each in self._waiting(rows) if not (each.is_held or each.is_kept_by_hand)]
            open_ones = runs.open_runs(rows, RunKind.GUIDES)
            retried = [run.next_at for run in open_ones if run.next_at is not None]
            return min((*(tool_guides.due_at(each, due) for each in free), *retried), default=None)

        return await self._transactions.read(read)

    async def claim_guide(self, due: DueGuides) -> GuideBatch | None:
        def left(rows: Rows, run: OpenRun) -> ClaimMaterial | None:
            """The latest calls of its tool, whichever they are by now."""
            there = tool_calls.latest(rows, reported_calls.fold_tool(run.target), 1)
            return ClaimMaterial(target=run.target) if there else None

        def fresh(rows: Rows, _begun: Sequence[OpenRun]) -> ClaimMaterial | None:
            waiting = tool_guides.due_tool(self._waiting(rows), due)
            return None if waiting is None else ClaimMaterial(target=waiting.tool)

        claim = Claim(
            kind=RunKind.GUIDES,
            now=due.at,
            is_due=lambda run: is_target_run_due(run, due, reported_calls.fold_tool),
            left=left,
            fresh=fresh,
            batch=self._batch,
            gone="its calls are gone",
        )
        return await self._next(claim)

    async def finish_guide(self, batch: GuideBatch, judged: JudgedGuide | None, ended: RunEnd) -> GuideWritten | None:
        def write(rows: Rows) -> GuideWritten | None:
            if not self._stands(rows, batch):
                runs.end(rows, batch.run, RunState.NONE, RunEnd(ended.at), error="a call or a guide changed meanwhile")
                return None
            read = (is_("folded", reported_calls.fold_tool(batch.tool)), at_most("id", batch.calls[-1].id))
            rows.update(tool_calls.TABLE, {"is_read": 1}, *read)
            if judged is None:
                runs.end(rows, batch.run, RunState.NONE, ended)
                return GuideWritten()
            return self._written(rows, batch, judged, ended)

        return await self._transactions.write(write)

    async def accept_guides(
        self, ids: Sequence[int], header: OperationHeader, change: ChangeOne[Guide]
    ) -> RecordsChanged[Guide]:
        def write(rows: Rows) -> RecordsChanged[Guide]:
            distinct = tuple(dict.fromkeys(ids))
            check_there(rows, GUIDES, distinct)
            operation = self._operation(rows, header)
            for before in records_there(rows, GUIDES, distinct):
                wanted = change(before)
                standing = self._standing(rows, reported_calls.fold_tool(before.target))
                takes = _STANDING if before.state is State.CANDIDATE else _STANDING[:1]
                others = [each for each in standing if each.id not in distinct and each.state.value in takes]
                if wanted:
                    _must_not_be_pinned(others, before)
                operation.change(GUIDES.ref(before), wanted, before)
                put_aside(operation, GUIDES, others, consolidation_rules.superseded_fields(header.at))
            agree(rows, operation, [Ref(GUIDE, each) for each in distinct], header.at)
            return RecordsChanged(operation.number, tuple(records_there(rows, GUIDES, distinct)))

        return await self._transactions.write(write)

    def _waiting(self, rows: Rows) -> list[WaitingTool]:
        held = {reported_calls.fold_tool(run.target) for run in runs.open_runs(rows, RunKind.GUIDES)}
        found = []
        for folded, fresh, since in rows.grouped(tool_calls.TABLE, ("folded",), ("count", "min at"), is_("is_read", 0)):
            known = of_tool(rows, folded)
            live = next((each for each in known if each.state is State.LIVE), None)
            waiting = WaitingTool(
                tool=tool_calls.latest(rows, folded, 1)[0].tool,
                fresh=fresh,
                since=parse_timestamp(since),
                written_at=max((each.updated_at for each in known), default=None),
                is_kept_by_hand=live is not None and is_by_hand(rows, live),
                is_held=folded in held,
            )
            found.append(waiting)
        return found

    def _standing(self, rows: Rows, folded: str) -> list[Guide]:
        """Live ones, then candidates."""
        found = [each for each in of_tool(rows, folded) if each.state.value in _STANDING]
        return sorted(found, key=lambda each: each.state is not State.LIVE)

    def _batch(self, rows: Rows, begun: BegunRun, found: ClaimMaterial) -> GuideBatch:
        run, folded = begun.run, reported_calls.fold_tool(found.target)
        calls = tuple(reversed(tool_calls.latest(rows, folded, SHOWN)))
        known = tuple(self._standing(rows, folded))
        [figures] = tool_calls.figures_of(rows, [folded])
        runs.note_records(rows, run, [*(Ref(CALL, each.id) for each in calls), *map(GUIDES.ref, known)])
        return GuideBatch(
            run, RunKind.GUIDES, "", (), begun.tries, tool=calls[-1].tool, calls=calls, figures=figures, known=known
        )

    def _stands(self, rows: Rows, batch: GuideBatch) -> bool:
        """Whether all that was read is still there, and what is known of the tool says the same."""
        numbers = [each.id for each in batch.calls]
        now = self._standing(rows, reported_calls.fold_tool(batch.tool))
        return (
            is_running(rows, batch.run)
            and rows.count(tool_calls.TABLE, any_of("id", numbers)) == len(numbers)
            and [_words_of(each) for each in now] == [_words_of(each) for each in batch.known]
        )

    def _written(self, rows: Rows, batch: GuideBatch, judged: JudgedGuide, ended: RunEnd) -> GuideWritten:
        """What is held back, or would change what a person pinned or wrote, waits beside it; a candidate that waits
        already is renewed by one."""
        header = OperationHeader(Actor.GUIDES, "write_guide", ended.at)
        operation = self._operation(rows, header)
        candidates = [each for each in batch.known if each.state is State.CANDIDATE]
        is_held = judged.held_because is not None
        before = next(iter(candidates if is_held else batch.known), None)
        if why := operation.why_refused(GUIDES, _new(batch, judged, ended)):
            result = RunResult(dropped=(*judged.left_out, DroppedFact(judged.text, why)))
            runs.end(rows, batch.run, RunState.NONE, ended, result=result)
            return GuideWritten()
        guide = _made(operation, batch, before, judged, ended)
        others = [each for each in (candidates if is_held else batch.known) if each.id != guide.id]
        put_aside(operation, GUIDES, others, consolidation_rules.superseded_fields(ended.at))
        runs.note_records(rows, batch.run, [GUIDES.ref(guide)])
        result = RunResult(guides=(guide.id,), dropped=judged.left_out)
        runs.end(rows, batch.run, RunState.DONE, ended, operation=operation.number, result=result)
        return GuideWritten(record_of(rows, GUIDES, guide.id), operation.number)


def _must_not_be_pinned(others: Sequence[Guide], wanted: Guide) -> None:
    """One guide of a tool lives, and what a person pinned stays. Raises InvalidInput."""
    pinned = next((each for each in others if each.pinned), None)
    if pinned is not None:
        raise InvalidInput(
            template="guide {pinned} of {tool} is pinned: no other guide takes its place",
            hint="orca tool unpin {pinned}, then accept {id}",
            pinned=GUIDES.ref(pinned),
            tool=wanted.target,
            id=GUIDES.ref(wanted),
        )


def _made(
    operation: OpenOperation, batch: GuideBatch, before: Guide | None, judged: JudgedGuide, ended: RunEnd
) -> Guide:
    state = State.LIVE if judged.held_because is None else State.CANDIDATE
    wanted: dict[str, Any] = {
        "text": judged.text,
        "through": batch.calls[-1].id,
        "version": 1 + max((each.version for each in batch.known), default=0),
        "state": state.value,
        "held_because": judged.held_because,
    }
    if before is not None:
        renewed: Guide = operation.change(GUIDES.ref(before), wanted, before)
        return renewed
    made: Guide = operation.create(GUIDES, replace(_new(batch, judged, ended), **{**wanted, "state": state}))
    return made


def _new(batch: GuideBatch, judged: JudgedGuide, ended: RunEnd) -> Guide:
    origin = Origin(OriginKind.EXTRACTION, model=judged.model)
    return Guide(0, uuid4().hex, judged.text, batch.tool, ended.at, ended.at, origin=origin)


def _words_of(guide: Guide) -> Guide:
    """A guide without what changes while it says the same: being looked at is no change."""
    return replace(guide, access_count=0, last_accessed=None, updated_at=guide.created_at)
