"""What runs of the memory agent changed, as one JSON document: the same for all that learns on asking."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import TypeVar

from orca_core.model.events import ActsRead, Consolidated, EpisodesRead, Extraction, GuideMade
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, Ref, memory_ref
from orca_core.serialize.events import event_json
from orca_core.serialize.reports import outcome_json
from orca_tui.cli.outcomes import records_json
from orca_tui.cli.runtime import OpenOrca, Runtime

Made = TypeVar("Made", Consolidated, GuideMade)
FAILURES = ("failed", "unreadable")
Learning = Extraction | EpisodesRead | ActsRead | Consolidated | GuideMade


def watched(
    runtime: Runtime,
    orca: OpenOrca,
    run: Callable[[], AsyncIterator[Made]],
    line: Callable[[Made], str],
    *,
    as_json: bool,
) -> list[Made]:
    """Carry runs out that a person asked for, and say how they go and what they made. Returns all that they told."""
    shown: list[Made] = []
    with orca.backstage.stream(lambda _stop: run()) as (events, _stop_now):
        for event in events:
            shown.append(event)
            if event.state == "running":
                runtime.output.note(f"{line(event)} …")
            elif not as_json:
                runtime.output.line(line(event))
    orca.run(orca.engine.worker.embed())
    if as_json:
        tell_runs(runtime, orca, shown)
    return shown


def tell_runs(runtime: Runtime, orca: OpenOrca, events: Sequence[Learning]) -> None:
    """How each run ended, and what all of them changed."""
    ended = [event for event in events if event.state != "running"]
    operations = [orca.run(orca.engine.runs.show(event.run)).run.operation for event in ended if event.run]
    refs = list(dict.fromkeys(ref for event in ended for ref in _changed_by(event)))
    changed = orca.run(records_json(orca.engine, refs))
    runtime.output.json(outcome_json(operations, changed, runs=[event_json(event) for event in ended]))


def _changed_by(event: Learning) -> Iterator[Ref]:
    match event:
        case Extraction():
            learnt = event.learnt
            yield from (memory_ref(fact.memory.id) for fact in (*learnt.stored, *learnt.candidates))
            yield from map(memory_ref, learnt.confirmed)
            yield from (memory_ref(each) for pair in learnt.replaced for each in pair)
        case EpisodesRead():
            yield from (Ref(EPISODE, each) for each in (*event.made, *event.changed))
        case ActsRead():
            yield from map(memory_ref, dict.fromkeys((*event.supported, *event.made)))
        case GuideMade():
            if event.guide is not None:
                yield Ref(GUIDE, event.guide)
        case Consolidated():
            if event.knowledge is not None:
                yield Ref(KNOWLEDGE, event.knowledge)
                yield from (Ref(EPISODE, each) for each in event.episodes)
