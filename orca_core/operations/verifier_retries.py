"""Which candidates of a kind the verifier is to be asked about once more, by the runs that did so. What a person took
back is theirs to decide, and not asked about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TypeVar

from msgspec import Struct

from orca_core.model.episodes import Episode
from orca_core.model.learning import RunEnd, RunKind, RunState, UnverifiedBatch, VerifierFailure, WaitS
from orca_core.model.memories import Memory, State
from orca_core.model.record_types import MEMORY, Kind, RecordType, parse_timestamp
from orca_core.operations import runs
from orca_core.operations.memory_pairs import put_back_at
from orca_core.operations.queue import RoundQueue
from orca_core.operations.records import records_there
from orca_core.operations.rounds import read_rounds
from orca_core.store.ports import Rows, any_of, is_, is_not

UNREAD = "unread"
MAX_TRIES = 3
"""So many answers may be missing or unreadable once more; then a person decides."""
QUIET = timedelta(minutes=5)
"""So long it is left alone, however often a person looks."""
MOST = 10
"""So many candidates one question is about."""
_NOT_REACHED = frozenset({VerifierFailure.FAILED.value, VerifierFailure.NO_TOKENS.value})

R = TypeVar("R", Memory, Episode)


class Try(Struct, frozen=True):
    """When a candidate was to be asked about once more, and whether the verifier was reached: else it is no try that
    counts, and the next one waits longer."""

    at: datetime
    was_reached: bool


class Again(Struct, frozen=True):
    """When candidates are asked about: where a person looks at them (`is_wanted`), if that was not done a moment ago;
    else after a run of the kind `after` that was begun since they were last asked about."""

    now: datetime
    wait_s: WaitS
    after: RunKind
    is_wanted: bool


class VerifierRetries(RoundQueue):
    """The candidates of one scope that wait for the verifier."""

    async def claim_retry(
        self, record_type: RecordType[R], again: Again, besides: Sequence[str], around: int = 0
    ) -> UnverifiedBatch | None:
        """A run about as many candidates of one session, none of those `besides`, as one question takes, with the
        rounds that they stand on and so many `around` each. What was cut short is asked about anew, if not too
        often."""
        kind = record_type.kind
        if not await self._transactions.read(lambda rows: due(rows, record_type, again) or _cut_short(rows, kind)):
            return None

        def write(rows: Rows) -> UnverifiedBatch | None:
            for run in _cut_short(rows, kind):
                runs.end(rows, run, RunState.FAILED, RunEnd(again.now), error="cut short")
            for session_id, waiting in due(rows, record_type, again).items():
                if session_id not in besides and (batch := _begun(rows, kind, session_id, waiting, again, around)):
                    return batch
            return None

        return await self._transactions.write(write)


def _cut_short(rows: Rows, kind: Kind) -> list[int]:
    """The runs about this kind that ended without saying so: one is under way at a time, and none while another is
    claimed."""
    begun = [run for run in runs.open_runs(rows, RunKind.VERIFY) if run.state is RunState.RUNNING]
    return [run.id for run in begun if run.target.startswith(_letter(kind))]


def _begun(
    rows: Rows, kind: Kind, session_id: str, waiting: Sequence[R], again: Again, around: int
) -> UnverifiedBatch | None:
    """None where none of the rounds that the candidates stand on is there any more."""
    standing = (is_("session_id", session_id), is_("state", "done"), is_("replaced_by", None))
    there = {number: each for each, number in rows.select("rounds", ("id", "number"), *standing)}
    candidates = [each for each in waiting if there.keys() >= set(each.origin.rounds)][:MOST]
    if not candidates:
        return None
    steps = range(-around, around + 1)
    near = {number + step for each in candidates for number in each.origin.rounds for step in steps}
    rounds = read_rounds(rows, [there[number] for number in sorted(near & there.keys())])
    ids = tuple(each.id for each in candidates)
    named = " ".join(f"{_letter(kind)}{each}" for each in ids)
    read = [each.id for each in rounds]
    run = runs.begin(rows, session_id, RunKind.VERIFY, read, again.now, again=True, target=named)
    return UnverifiedBatch(run, RunKind.VERIFY, session_id, rounds, 1, is_again=True, candidates=ids)


def due(rows: Rows, record_type: RecordType[R], again: Again) -> dict[str, list[R]]:
    """The candidates that are to be asked about by their sessions, oldest first."""
    waits = (is_("state", State.CANDIDATE.value), is_("held_because", UNREAD), is_not("origin_session", None))
    ids = [row[0] for row in rows.select(record_type.table, ("id",), *waits, order=("id",))]
    if not ids:
        return {}
    tried = _tried(rows, record_type.kind)
    begun = _latest_run(rows, again.after)
    found: dict[str, list[R]] = {}
    for each in records_there(rows, record_type, ids):
        tries = tried.get(each.id, ())
        if (
            each.origin.rounds
            and sum(one.was_reached for one in tries) < MAX_TRIES
            and _has_rested(tries, again)
            and _is_time(each.created_at, [one.at for one in tries], begun, again)
            and waits_for_it(rows, record_type, each)
        ):
            found.setdefault(str(each.origin.session_id), []).append(each)
    return found


def waits_for_it(rows: Rows, record_type: RecordType[R], each: R) -> bool:
    """Whether it waits for the verifier, and not for a person who put it back."""
    is_unread = each.state is State.CANDIDATE and each.held_because == UNREAD
    return is_unread and put_back_at(rows, record_type.ref(each), each.state) is None


def _letter(kind: Kind) -> str:
    return "#" if kind == MEMORY else kind.letter


def _has_rested(tries: Sequence[Try], again: Again) -> bool:
    """Whether a verifier that could not be reached was left alone for long enough."""
    failures = len(list(takewhile(lambda each: not each.was_reached, reversed(tries))))
    return not failures or again.now - tries[-1].at >= timedelta(seconds=again.wait_s(failures))


def _is_time(made: datetime, tried: Sequence[datetime], begun: datetime | None, again: Again) -> bool:
    if again.is_wanted and all(again.now - each >= QUIET for each in tried):
        return True
    return begun is not None and begun > max([made, *tried])


def _tried(rows: Rows, kind: Kind) -> dict[int, list[Try]]:
    """When each candidate was to be asked about once more, in order. A run that never ended counts: it may have
    asked."""
    found: dict[int, list[Try]] = {}
    letter = _letter(kind)
    columns = ("target", "started_at", "result")
    for target, at, result in rows.select("extraction_runs", columns, is_("kind", RunKind.VERIFY.value), order=("id",)):
        went = (json.loads(result).get("verification") if result else None) or {}
        each = Try(parse_timestamp(at), went.get("failure") not in _NOT_REACHED)
        for named in target.split():
            if named.startswith(letter):
                found.setdefault(int(named.removeprefix(letter)), []).append(each)
    return found


def _latest_run(rows: Rows, kind: RunKind) -> datetime | None:
    """When the latest run of this kind was begun that read something."""
    ended = (is_("kind", kind.value), any_of("state", [RunState.DONE.value, RunState.NONE.value]))
    found = rows.select("extraction_runs", ("started_at",), *ended, order=("-id",), limit=1)
    return parse_timestamp(found[0][0]) if found else None
