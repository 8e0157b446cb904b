"""Tools: calls as they were reported, figures of them, guides that were written of them, and what the tools answer
that an agent is offered."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Struct, field

from orca_core.model.errors import OrcaError
from orca_core.model.learning import Batch, DroppedFact
from orca_core.model.memories import Addition, ArchivedBecause, Origin, State, Status
from orca_core.model.record_types import GUIDE, Changeable, Editable, RecordType


class NewCall(Struct, frozen=True):
    """A call as somebody reports it, checked. `seconds` and `tokens` are None where nobody measured them; `is_timed`
    where it was said when it was made, `said_at` that time where it is still to come. `error` is how its answer begins,
    where it failed."""

    tool: str
    input: str
    output: str
    success: bool
    at: datetime
    call_id: str = ""
    session_id: str = ""
    step: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    is_timed: bool = True
    said_at: datetime | None = None
    error: str = ""


class ToolCall(Struct, frozen=True):
    """A call as it is kept. Of older ones input and output are gone: `is_slim`."""

    id: int
    tool: str
    input: str
    output: str
    success: bool
    at: datetime
    call_id: str = ""
    session_id: str = ""
    step: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    is_slim: bool = False


class StepCall(Struct, frozen=True):
    """A call that the step of a task with this number made, and the `name` by which acts mean it; `is_collected` where
    it has a star."""

    step: int
    call: ToolCall
    name: str
    is_collected: bool = False


class RefusedCall(Struct, frozen=True):
    """A call that was not taken: its place in what was reported, from 0 on, and why."""

    place: int
    error: OrcaError

    @property
    def reason(self) -> str:
        return str(self.error)


class CallsTaken(Struct, frozen=True):
    """What became of reported calls: those taken, how many were known already, and those refused."""

    taken: tuple[ToolCall, ...] = ()
    known: int = 0
    refused: tuple[RefusedCall, ...] = ()


class ToolFigures(Struct, frozen=True):
    """What the database counts of a tool's calls. `errors` are the beginnings of what failed calls answered, the most
    frequent first."""

    tool: str
    calls: int
    succeeded: int
    median_s: float | None
    p95_s: float | None
    errors: tuple[tuple[str, int], ...] = ()
    last_at: datetime | None = None

    @property
    def success_rate(self) -> float:
        return self.succeeded / self.calls if self.calls else 0.0


def no_calls(tool: str) -> ToolFigures:
    """Of a tool whose calls are gone."""
    return ToolFigures(tool, 0, 0, None, None)


class Guide(Struct, frozen=True):
    """What calls taught of one tool. `target` is the tool's name, `text` what it is found by and what an agent reads;
    `through` is the last call that it was written of. Data of untrusted origin: it goes nowhere but into the guide of
    this very tool."""

    id: int
    uid: str
    text: Annotated[
        Changeable[str],
        Editable(label="text", help="The new text.", what="guide", is_needed=True, is_area=True, has_row=False),
    ]
    target: str
    created_at: datetime
    updated_at: datetime
    through: Changeable[int] = 0
    version: Changeable[int] = 1
    state: Changeable[State] = State.LIVE
    held_because: Changeable[str | None] = None
    archived_because: Changeable[ArchivedBecause | None] = None
    archived_at: Changeable[datetime | None] = None
    pinned: Changeable[bool] = False
    access_count: Changeable[int] = 0
    last_accessed: Changeable[datetime | None] = None
    origin: Origin = field(default_factory=Origin)


GUIDES = RecordType(
    GUIDE,
    Guide,
    "guides",
    text="text",
    unmade={"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.UNDONE.value},
    live=("state", (State.LIVE.value,)),
    embedded=("state", (State.LIVE.value, State.CANDIDATE.value)),
)


class GuideView(Struct, frozen=True):
    """A guide with its tool's figures; `guide` is None where none was written yet. `waiting` is one that waits for a
    person: it is shown to people, and to nobody else."""

    figures: ToolFigures
    guide: Guide | None = None
    waiting: Guide | None = None
    status: Status | None = None


class ToolsFound(Struct, frozen=True):
    """What is known of several tools, in the order asked; `unknown` are names of which nothing is known."""

    found: tuple[GuideView, ...]
    unknown: tuple[str, ...] = ()


class WaitingTool(Struct, frozen=True):
    """A tool with calls that no guide was written of: `fresh` of them, the first of which came at `since`; `written_at`
    is when its guide was written last. `is_kept_by_hand`: a person pinned or edited it."""

    tool: str
    fresh: int
    since: datetime
    written_at: datetime | None = None
    is_kept_by_hand: bool = False
    is_held: bool = False


class DueGuides(Struct, frozen=True):
    """Which guides are written now (`rules.work.tool_guides`): those of tools with enough new calls, that of the
    `target` that a person named, or `everything` with any; none of a run in `besides`, which was tried just now."""

    at: datetime
    summary_count: int
    summary_after_s: float
    everything: bool = False
    target: str | None = None
    besides: tuple[int, ...] = ()


class GuideBatch(Batch, frozen=True):
    """The latest calls of one tool, newest last, that a run writes its guide of; `known` are the guides as they are,
    live ones first."""

    tool: str = ""
    calls: tuple[ToolCall, ...] = ()
    figures: ToolFigures = ToolFigures("", 0, 0, None, None)
    known: tuple[Guide, ...] = ()


class JudgedGuide(Struct, frozen=True):
    """A guide that was written, why it waits for a person (None where it may live), and what is wrong with it; and the
    sentences that were left out of it, each with the reason."""

    text: str
    model: str
    held_because: str | None = None
    lacking: tuple[str, ...] = ()
    left_out: tuple[DroppedFact, ...] = ()


class GuideWritten(Struct, frozen=True):
    """What a run made, in one operation: a guide, or none where the calls taught nothing that may be kept."""

    guide: Guide | None = None
    operation: int | None = None


class ToolAnswer(Struct, frozen=True):
    """`text` holds what was found and nothing else: where nothing was, it is empty, and `note` says so. `found` are the
    names of what stands in the text, `nothing_for` what was asked for in vain."""

    text: str = ""
    found: tuple[int | str, ...] = ()
    nothing_for: tuple[str, ...] = ()
    note: str = ""


class ProposedStatements(Struct, frozen=True):
    """What became of statements that an agent wants remembered: each waits, is known already, or was refused."""

    additions: tuple[Addition, ...]


class MessagesKept(Struct, frozen=True):
    """What became of the messages of a client: the numbers of the rounds that they belong to now, how many were stored
    already, and why others were refused, by their place from 0 on."""

    rounds: tuple[int, ...] = ()
    known: int = 0
    refused: tuple[tuple[int, str], ...] = ()
