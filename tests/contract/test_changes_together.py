"""Many records changed by one operation come to what they come to one by one, in their rows and in history."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from fakes.records import header, later, remember
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.memories import Memory
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules

SCOPES = count()
MEMORIES = 5
FIELDS: tuple[Mapping[str, Any], ...] = (
    {},
    {"weight": 2.5},
    {"weight": 1.0, "pinned": True},
    {"used": 3, "access_count": 4, "weight": 0.5},
    {"state": "archived", "archived_because": "hand"},
    {"weight": 0.1, "state": "archived", "archived_because": "weight"},
    {"content": "I keep bees"},
    {"tags": ["a hive"]},
)
wanted = st.lists(st.sampled_from(FIELDS), min_size=MEMORIES, max_size=MEMORIES).filter(
    lambda all_fields: sum("content" in fields for fields in all_fields) < 2
)
fewer = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def changed(stores: Stores, fields: Mapping[int, Mapping[str, Any]], continues: int | None = None) -> int | None:
    def decide(_memories: list[Memory]) -> Mapping[int, Mapping[str, Any]]:
        return fields

    done = await stores.memories.change(list(fields), header("edit", later()), decide, continues=continues)
    return done.operation


async def told(stores: Stores, ids: list[int]) -> list[Any]:
    """What is left of each to see, without numbers."""
    found = []
    for each in await stores.memories.get(ids):
        history = [(change.before, change.after) for change in await stores.history.history(each.id)]
        said = (each.content, each.weight, each.pinned, each.state, each.used, each.tags, each.updated_at)
        found.append((said, each.archived_because, history))
    return [found, await stores.memories.counts()]


@fewer
@given(wanted)
def test_together_is_as_one_by_one(opened: Any, run: Any, all_fields: list[Mapping[str, Any]]) -> None:
    async def outcome(*, is_together: bool) -> list[Any]:
        async with opened(f"scope {next(SCOPES)}") as stores:
            ids = await remember(stores, *(f"I have the book {number}" for number in range(MEMORIES)))
            fields = dict(zip(ids, all_fields, strict=True))
            for some in [fields] if is_together else [{number: each} for number, each in fields.items()]:
                await changed(stores, some)
            after = await told(stores, ids)
            if is_together and any(all_fields):
                await stores.history.undo(None, later(2), undo_rules.plan)
                back = [each.weight for each in await stores.memories.get(ids)]
                assert back == [1.0] * MEMORIES
            return after

    assert run(outcome(is_together=True)) == run(outcome(is_together=False))


async def test_what_two_slices_change_of_a_record_is_one_change(opened: Any) -> None:
    async with opened() as stores:
        ids = await remember(stores, "I have two bikes", "I have a boat")
        operation = await changed(stores, {each: {"weight": 2.0} for each in ids})
        assert await changed(stores, {ids[0]: {"weight": 3.0, "used": 1}, ids[1]: {"used": 2}}, operation) == operation

        changes = [(change.before, change.after) for change in await stores.history.changes_of([operation])]

    assert changes == [
        ({"weight": 1.0, "used": 0}, {"weight": 3.0, "used": 1}),
        ({"weight": 1.0, "used": 0}, {"weight": 2.0, "used": 2}),
    ]
