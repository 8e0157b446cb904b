"""An act on a record goes with it into another home, and means the same record there, or none."""

from __future__ import annotations

from typing import Any

from fakes.exchange import brought, exported
from fakes.records import AT, header, remember

from orca_core.model.feedback import Action, ActionType, naming
from orca_core.model.records import memory_ref
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import signals


async def not_helpful(stores: Stores, memory: int) -> None:
    made = Action(0, "", ActionType.NOT_HELPFUL, "s", AT, round=1, data=naming(memory_ref(memory)))
    await stores.actions.record(signals.checked(made), header("not_helpful"))


async def judged(stores: Stores) -> list[Any]:
    return [each.record for each in await stores.actions.standing("s", (ActionType.NOT_HELPFUL,))]


async def test_what_did_not_help_is_the_same_record_in_another_home(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await remember(other, "I use fish")
        [_, zsh] = await remember(stores, "I use vim", "I use zsh")
        await not_helpful(stores, zsh)
        told = await exported(stores)
        [act] = told["actions"]
        assert act["data"]["record"] == {"kind": "memory", "id": told["memories"][1]["uid"]}

        await brought(other, told, trust=True)

        [ref] = await judged(other)
        assert [each.content for each in await other.memories.get([ref.id])] == ["I use zsh"]
        assert ref != memory_ref(zsh)


async def test_without_its_record_an_act_names_none(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        [vim] = await remember(stores, "I use vim")
        await not_helpful(stores, vim)
        await brought(other, {**await exported(stores), "memories": []}, trust=True)

        assert await judged(other) == [None]


async def test_a_number_in_a_document_means_nothing_here(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await remember(other, "I use fish")
        [vim] = await remember(stores, "I use vim")
        await not_helpful(stores, vim)
        told = await exported(stores)
        told["actions"][0]["data"] = naming(memory_ref(1))
        await brought(other, told, trust=True)

        assert await judged(other) == [None]
