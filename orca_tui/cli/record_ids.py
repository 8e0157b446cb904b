"""Numbers of records on the command line: `3`, or as lists show them, `w3`."""

from __future__ import annotations

import re

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.refs import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, Kind, Ref
from orca_core.domain.work.tasks import TASK

_LARGEST = 2**63 - 1


class RecordId(click.ParamType):  # type: ignore[type-arg]  # generic since Click 8.5
    """The number of a record of one kind."""

    name = "id"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002  # Click's
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        found = re.fullmatch(rf"{self.kind.letter}?([0-9]{{1,19}})", said, re.ASCII)
        if found is None or int(found[1]) > _LARGEST:
            raise InvalidInput(
                template="{found!r:.80} names no {what}",
                hint="such as {example}",
                what=self.kind.name,
                found=value,
                example=f"{self.kind.letter}3",
            )
        return int(found[1])


class CandidateId(click.ParamType):  # type: ignore[type-arg]  # as above
    """What may wait in the inbox: `7` is a memory, `e3` an episode, `k2` knowledge, `g4` a guide."""

    name = "id"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Ref:
        """Raises InvalidInput."""
        said = str(value).strip().lower()
        kind = next((each for each in (EPISODE, KNOWLEDGE, GUIDE) if said.startswith(each.letter)), MEMORY)
        return Ref(kind, RecordId(kind).convert(said, param, ctx))


TASK_ID = RecordId(TASK)
ACTION_ID = RecordId(ACTION)
EPISODE_ID = RecordId(EPISODE)
KNOWLEDGE_ID = RecordId(KNOWLEDGE)
GUIDE_ID = RecordId(GUIDE)
CANDIDATE_ID = CandidateId()
