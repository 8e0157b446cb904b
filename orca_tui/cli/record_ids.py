"""Numbers of records on the command line: `3`, or as lists show them, `w3`."""

from __future__ import annotations

import re
from typing import Any

import click

from orca_core.model.errors import InvalidInput, quoted
from orca_core.model.records import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, TASK, Kind, Ref
from orca_tui.cli.completions import Offered, records, records_for

_OF_ALL = frozenset({"show", "delete"})
_OF_LISTED = _OF_ALL | {"edit", "pin", "unpin", "archive", "restore", "history"}
_GROUPS = {
    EPISODE.letter: ("episode", _OF_LISTED | {"why"}),
    KNOWLEDGE.letter: ("knowledge", _OF_LISTED | {"why"}),
    GUIDE.letter: ("tool", _OF_LISTED),
    TASK.letter: ("task", _OF_ALL),
    ACTION.letter: ("action", frozenset({"show"})),
}
"""By the letter of a kind: the group of its commands, and those of them that a record's number is given to."""
_LARGEST = 2**63 - 1


class RecordId(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """The number of a record of one kind."""

    name = "id"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
        """Those of the kind that the command may be given."""
        what = {ACTION: "act"}.get(self.kind, self.kind.name)
        return records_for(ctx, what)(ctx, param, incomplete)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002  # Click's
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        found = re.fullmatch(rf"{self.kind.letter}?([0-9]{{1,19}})", said, re.ASCII)
        if found is None or int(found[1]) > _LARGEST:
            raise InvalidInput(
                template="{found} names no {what}",
                hint="such as {example}",
                what=self.kind.name,
                found=quoted(value),
                example=f"{self.kind.letter}3",
            )
        return int(found[1])


class BareNumber(click.types.IntParamType):
    """A number, where a list may have shown the name of a record of another kind: `e2` is refused with the command that
    takes it."""

    def __init__(self, what: str, letter: str = "", least: int | None = None) -> None:
        self.what = what
        self.letter = letter
        self.range = click.INT if least is None else click.IntRange(min=least)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
        """Memories; numbers of rounds are not offered."""
        return records_for(ctx, self.what)(ctx, param, incomplete) if self.letter else []

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        if self.letter and re.fullmatch(rf"{self.letter}[0-9]{{1,18}}", said, re.ASCII):
            said = said.removeprefix(self.letter)
        elif re.fullmatch(r"[a-z][0-9]{1,18}", said, re.ASCII) and (group := _GROUPS.get(said[0])):
            done = str(ctx.info_name) if ctx is not None else ""
            raise InvalidInput(
                template="{found} names no {what}",
                hint="{command} is for this",
                found=quoted(said),
                what=self.what,
                command=f"orca {group[0]} {done} {said}" if done in group[1] else f"orca {group[0]} show {said}",
            )
        given: Any = said if self.letter else value
        return self.range.convert(given, param, ctx)


class CandidateId(click.ParamType):  # type: ignore[type-arg]  # as above
    """What may wait in the inbox: `7` is a memory, `e3` an episode, `k2` knowledge, `g4` a guide."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
        """What waits, of every kind."""
        return records("candidate")(ctx, param, incomplete)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Ref:
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        kind = next((each for each in (EPISODE, KNOWLEDGE, GUIDE) if said.startswith(each.letter)), MEMORY)
        return Ref(kind, RecordId(kind).convert(said, param, ctx))


class ShownId(CandidateId):
    """What a turn may be given, by the same names."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
        """Memories; what else a turn may be given is not offered."""
        return records("memory")(ctx, param, incomplete)


MEMORY_ID = BareNumber(MEMORY.name, MEMORY.letter)
ROUND = BareNumber("round", least=1)
TASK_ID = RecordId(TASK)
ACTION_ID = RecordId(ACTION)
EPISODE_ID = RecordId(EPISODE)
KNOWLEDGE_ID = RecordId(KNOWLEDGE)
GUIDE_ID = RecordId(GUIDE)
CANDIDATE_ID = CandidateId()
SHOWN_ID = ShownId()
