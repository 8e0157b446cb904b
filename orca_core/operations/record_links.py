"""What a record says of other records: by their numbers in a home, by their names in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from orca_core.model.import_export import LINKS, TRAVELLING
from orca_core.model.memories import Fields
from orca_core.model.record_types import ACTION, SUPPORT, TASK, Kind
from orca_core.model.tasks import STEP
from orca_core.store.ports import Rows, any_of

Linked = tuple[Kind, Any]
"""A record by its kind, and by its number or its name."""
NameOf = Callable[[Kind, Any], Any]
"""From what stands for a record of a kind on one side to what does so on the other; None where there is none."""

_OF_TASK = "task "
"""How the source of a support begins that rests on a task."""
_BY_NAME = {each.kind.name: each.kind for each in TRAVELLING.values()}
TABLES = {each.kind: each.table for each in TRAVELLING.values()}


def with_links(kind: Kind, fields: Fields, name_of: NameOf) -> dict[str, Any]:
    """The fields with other names for the records that they speak of. Of several those remain that have one."""
    changed = dict(fields)
    for column, other in LINKS.get(kind, {}).items():
        value = changed.get(column)
        if isinstance(value, list):
            changed[column] = [name for each in value if (name := name_of(other, each)) is not None]
        elif value is not None:
            changed[column] = name_of(other, value)
    if kind == SUPPORT and str(changed.get("source", "")).startswith(_OF_TASK):
        task = str(changed["source"]).removeprefix(_OF_TASK)
        changed["source"] = f"{_OF_TASK}{name_of(TASK, int(task) if task.isdecimal() else task) or ''}".rstrip()
    if kind == ACTION and isinstance(data := fields.get("data"), dict):
        match data.get("record"):
            case {"kind": str(word), "id": int() | str() as name} if word in _BY_NAME:
                other = _BY_NAME[word]
                changed["data"] = {**data, "record": {"kind": word, "id": name_of(other, name)}}
    return changed


def links_of(kind: Kind, every: Iterable[Fields]) -> set[Linked]:
    """The records that the fields of several of a kind speak of."""
    found: set[Linked] = set()

    def note(other: Kind, value: Any) -> None:
        found.add((other, value))

    for fields in every:
        with_links(kind, fields, note)
    return found


def names_of(rows: Rows, links: Iterable[Linked]) -> dict[Linked, str]:
    """The names of records by their numbers, as far as they are there. A step is named by its task and its number."""
    names: dict[Linked, str] = {}
    for kind, numbers in _by_kind(links, int).items():
        if kind == STEP:
            steps = rows.select(TABLES[STEP], ("id", "task", "number"), any_of("id", numbers))
            tasks = names_of(rows, {(TASK, task) for _, task, _ in steps})
            names |= {(STEP, step): f"{tasks[TASK, task]}/{number}" for step, task, number in steps}
        else:
            found = rows.select(TABLES[kind], ("id", "uid"), any_of("id", numbers))
            names |= {(kind, number): uid for number, uid in found}
    return names


def numbers_of(rows: Rows, links: Iterable[Linked]) -> dict[Linked, int]:
    """The numbers of records by their names, as far as they are there; of steps none is asked for that is here."""
    numbers: dict[Linked, int] = {}
    for kind, names in _by_kind(links, str).items():
        if kind != STEP:
            found = rows.select(TABLES[kind], ("uid", "id"), any_of("uid", names))
            numbers |= {(kind, uid): number for uid, number in found}
    return numbers


def _by_kind(links: Iterable[Linked], sort: type) -> Mapping[Kind, list[Any]]:
    found: dict[Kind, list[Any]] = {}
    for kind, each in links:
        if isinstance(each, sort):
            found.setdefault(kind, []).append(each)
    return found
