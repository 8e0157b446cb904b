"""What is left of a memory that was deleted, and of its number."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.records import EVOLVE, begin, header, receipt, record, remember

from orca_core.model.errors import NotFound
from orca_core.model.memories import NewMemory
from orca_core.model.records import memory_ref
from orca_core.model.views import MemoryQuery
from orca_core.rules.memory.memory_curation import criteria


async def test_a_deleted_memory_is_gone_from_everywhere(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "neovim 是我的编辑器")
        await stores.vectors.put("m", [(memory_ref(memory_id), "neovim 是我的编辑器", [1.0] * 8)])
        await stores.vectors.cache("m", {"neovim 是我的编辑器": [1.0] * 8})
        started = await begin(stores)
        kept = receipt(content="neovim 是我的编辑器", block='[{"text": "neovim 是我的编辑器"}]', ref=str(memory_id))
        await stores.sessions.finish_round(record(started, receipt=kept), EVOLVE)
        deletion = await stores.memories.delete([memory_id], header("delete"))
        wiped = await stores.receipts.receipt("s", 1)

        assert deletion.ids == (memory_id,)
        assert deletion.finished
        assert list((await stores.memories.page(MemoryQuery(criteria("all", 5.0)))).memories) == []
        assert await asked(stores).by_tokens(["neovim"], 5) == []
        assert await asked(stores).by_vector("m", [1.0] * 8, 5) == []
        assert await stores.vectors.cached("m", ["neovim 是我的编辑器"]) == {}
        assert "neovim" not in wiped.injection.block + wiped.injection.injected[0].content
        with pytest.raises(NotFound):
            await stores.history.history(memory_id)


async def test_what_was_deleted_is_known_again_in_its_own_profile(opened) -> None:
    async with opened() as stores:
        kept, deleted = await remember(stores, "User likes whales", "User likes quokkas")
        await stores.memories.delete([deleted], header("delete"))
        asked = ["User likes Quokkas!", "User likes whales"]

        assert kept != deleted
        assert await stores.history.deleted(asked) == {"User likes Quokkas!"}
    async with opened("work") as others:
        assert await others.history.deleted(asked) == frozenset()


async def test_a_number_is_never_used_again(opened) -> None:
    async with opened() as stores:
        [first] = await remember(stores, "aa")
        await stores.memories.delete([first], header("delete"))
    async with opened() as stores:
        assert await remember(stores, "bb") == [first + 1]


@pytest.mark.parametrize("with_messages", [False, True])
async def test_the_messages_it_came_from_stay_unless_asked(opened, with_messages: bool) -> None:
    async with opened() as stores:
        started = await begin(stores, remember=NewMemory("aa"))
        await stores.sessions.finish_round(record(started), EVOLVE)
        deletion = await stores.memories.delete([1], header("delete"), with_messages)

        assert deletion.messages == (() if with_messages else (("s", 1),))
        assert len(await stores.sessions.rounds("s")) == (0 if with_messages else 1)
