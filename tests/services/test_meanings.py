"""An embedder of meaning tells of a use that no word shows; any other embedder is not asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.errors import EmbeddingError
from orca_core.model.events import Referenced
from orca_core.model.llm import Embedder, Vector
from orca_core.model.recall import References
from orca_core.model.record_types import memory_ref
from orca_core.rules.retrieval.used_memories import MODEL
from orca_core.settings import EmbeddingSettings, Settings

FACT, QUESTION = "docker 镜像仓库里孩子有哮喘", "docker 镜像仓库怎么这么慢"
ANSWER = "别去粉尘多的采摘园。"
IMPATIENT = Settings(embedding=EmbeddingSettings(query_timeout=0.2))


class Meaning:
    """Two texts mean the same: the memory, and the answer."""

    dimensions = 4
    trust = 0.6

    def __init__(self, model: str = MODEL, *, does: str = "") -> None:
        self.model = model
        self._does = does
        self.asked: list[str] = []

    @property
    def uncached(self) -> Embedder:
        return self

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        if ANSWER in texts and self._does == "fails":
            raise EmbeddingError(provider="meaning", detail="its weights are gone")
        if ANSWER in texts and self._does == "hangs":
            await asyncio.sleep(3600)
        if ANSWER in texts and self._does == "breaks":
            raise TypeError(ANSWER)
        if ANSWER in texts and self._does == "says nothing":
            return [[0.0] * 4 for _ in texts]
        return [[0.0, 1.0, 0.0, 0.0] if text in (ANSWER, FACT) else [1.0, 0.0, 0.0, 0.0] for text in texts]

    async def aclose(self) -> None: ...


async def judged(open_orca, embedder: Meaning) -> References:
    async with open_orca(ScriptedModel(says(ANSWER)), embedder=embedder, settings=IMPATIENT) as orca:
        await orca.memories.add(FACT, type_word="fact")
        await turn(orca, "你好，今天我们继续")
        return only(await turn(orca, QUESTION), Referenced).references


async def test_what_an_answer_means_is_used(open_orca) -> None:
    assert await judged(open_orca, Meaning()) == References(used=(memory_ref(1),))


@pytest.mark.parametrize("does", ["fails", "hangs", "breaks", "says nothing"])
async def test_where_it_can_not_tell_words_decide(open_orca, does: str) -> None:
    assert (await judged(open_orca, Meaning(does=does))).used == ()


async def test_an_answer_is_never_sent_to_a_server_to_be_judged(open_orca) -> None:
    embedder = Meaning("siliconflow/bge-m3@1024")

    assert (await judged(open_orca, embedder)).used == ()
    assert ANSWER not in embedder.asked
