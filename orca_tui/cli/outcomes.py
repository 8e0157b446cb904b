"""What commands say of what they changed: lines and the way back, or one JSON document; the same for all kinds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from orca_core.model.errors import NotFound
from orca_core.model.records import ACTION, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUPPORT, TASK, Kind, Ref
from orca_core.serialize.memories import view_json
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_core.serialize.values import Json
from orca_core.serialize.work import action_json, episode_json, knowledge_json, task_json, tool_json
from orca_tui.cli.runtime import OpenOrca, Runtime

if TYPE_CHECKING:
    from orca_core.orca import Orca


class Outcome(Struct, frozen=True):
    """What one command did: its operations (None where one changed nothing), the records that they changed, and a line
    of each."""

    operations: Sequence[int | None]
    refs: Sequence[Ref]
    lines: Sequence[str]

    @classmethod
    def of(cls, operation: int | None, kind: Kind, records: Sequence[Any], line: Callable[[Any], str]) -> Outcome:
        """Of one operation on records of one kind; where it is None they are as they were, and not spoken of."""
        told = [] if operation is None else records
        return cls((operation,), [Ref(kind, each.id) for each in told], [line(each) for each in told])


def tell(runtime: Runtime, orca: OpenOrca, outcome: Outcome, *, as_json: bool, **more: Any) -> None:
    """Say what was changed, and how it is taken back; `more` is for JSON."""
    if as_json:
        changed = orca.run(records_json(orca.engine, outcome.refs))
        runtime.output.json(outcome_json(outcome.operations, changed, **more))
        return
    for line in outcome.lines:
        runtime.output.record(line)
    made = [each for each in outcome.operations if each is not None]
    if not made:
        runtime.output.note(_("nothing to change"))
    for operation in made:
        runtime.output.note(_("orca memory undo {operation} takes it back").format(operation=operation))


async def records_json(engine: Orca, refs: Sequence[Ref]) -> list[Json]:
    """Records of any kind as they are now; those that are gone as such. What speaks for a memory is told with it."""
    refs = [ref for ref in refs if ref.kind != SUPPORT]
    found: dict[Ref, Json] = {}
    for kind in dict.fromkeys(ref.kind for ref in refs):
        named = [ref for ref in refs if ref.kind == kind]
        try:
            read = await _READERS[kind](engine, [ref.id for ref in named])
            found |= dict(zip(named, read, strict=True))
        except NotFound:
            found |= {ref: await _one(engine, ref) for ref in named}
    return [found[ref] for ref in refs]


async def check_there(engine: Orca, ref: Ref) -> None:
    """Raises NotFound where there is no such record."""
    await _READERS[ref.kind](engine, [ref.id])


async def _one(engine: Orca, ref: Ref) -> Json:
    try:
        [read] = await _READERS[ref.kind](engine, [ref.id])
    except NotFound:
        return deleted_json(ref)
    return read


async def _memories(engine: Orca, ids: Sequence[int]) -> list[Json]:
    return [view_json(view) for view in await engine.memories.views(ids)]


async def _episodes(engine: Orca, ids: Sequence[int]) -> list[Json]:
    episodes = engine.work.episodes
    return [episode_json(view) for view in await episodes.views(await episodes.get(ids))]


async def _knowledge(engine: Orca, ids: Sequence[int]) -> list[Json]:
    knowledge = engine.work.knowledge
    return [knowledge_json(view) for view in await knowledge.views(await knowledge.get(ids))]


async def _tasks(engine: Orca, ids: Sequence[int]) -> list[Json]:
    return [task_json(view) for view in await engine.work.tasks.get(ids)]


async def _guides(engine: Orca, ids: Sequence[int]) -> list[Json]:
    return [tool_json(view) for view in await engine.tools.views(await engine.guides.get(ids))]


async def _actions(engine: Orca, ids: Sequence[int]) -> list[Json]:
    actions = engine.feedback.actions
    supports = await actions.speaks_for(ids)
    return [action_json(each, supports.get(each.id, ())) for each in await actions.get(ids)]


_READERS: Mapping[Kind, Callable[[Orca, Sequence[int]], Awaitable[list[Json]]]] = {
    MEMORY: _memories,
    EPISODE: _episodes,
    KNOWLEDGE: _knowledge,
    GUIDE: _guides,
    TASK: _tasks,
    ACTION: _actions,
}
