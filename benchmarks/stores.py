"""What the benchmarks share: a home with many memories, and how figures are printed."""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakes.model_server import chunk
from fakes.scripted_model import ScriptedModel, asked_about, says
from fakes.turns import of, only, turn

from orca_core.clock import SystemClock
from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.llm import ChatModel, Embedder
from orca_core.model.views import ListQuery
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores

__all__ = [
    "ScriptedModel",
    "asked_about",
    "chunk",
    "of",
    "only",
    "orca_on",
    "orca_with",
    "says",
    "sentence",
    "summary",
    "turn",
]

SUBJECTS = (
    "postgres docker redis nginx kafka pytest neovim react vue typescript golang rust kubernetes terraform ansible "
    "grafana 数据库 服务器 接口 缓存 日志 部署 网关 前端 后端 测试 监控 证书 队列 容器 集群 备份"
).split()
VERBS = "uses,prefers,固定在,部署在,改用,不喜欢,keeps,runs,升级到,负责".split(",")
OBJECTS = "version,port,region,branch,team,机房,配置,端口,版本,项目,周报,config,cluster,pipeline".split(",")


def sentence(number: int, chance: random.Random) -> str:
    """A memory as people have them: subject, verb, object, and a number that makes it its own."""
    words = (chance.choice(SUBJECTS), chance.choice(VERBS), chance.choice(OBJECTS), chance.choice(SUBJECTS))
    return f"{' '.join(words)} {number} {chance.choice(OBJECTS)} {chance.randrange(10_000)}"


async def orca_with(
    home: Path,
    count: int,
    *,
    model: ChatModel | None = None,
    agent: ChatModel | None = None,
    settings: Settings | None = None,
) -> Orca:
    """An Orca on a real database that holds so many embedded memories (made once a home)."""
    settings = settings or Settings()
    stores = await open_stores(home / "orca.db", scope=settings.profile, must_exist=False)
    orca = orca_on(
        stores, lambda: CachedEmbedder(LocalEmbedder(), stores.vectors), model=model, agent=agent, settings=settings
    )
    have = (await orca.memories.page(ListQuery("all", limit=0))).total
    chance = random.Random(20)
    texts = [sentence(number, chance) for number in range(count)]
    for text in texts[have:]:
        await orca.memories.add(text)
    await orca.worker.tidy()
    return orca


def orca_on(
    stores: Stores,
    embedder: Callable[[], Embedder],
    *,
    model: ChatModel | None = None,
    agent: ChatModel | None = None,
    settings: Settings | None = None,
) -> Orca:
    """An Orca on stores that are open."""
    return Orca(
        settings or Settings(),
        stores,
        model=lambda: model or ScriptedModel(),
        agent=lambda: agent or ScriptedModel(says('{"facts": []}')),
        embedder=embedder,
        clock=SystemClock(),
    )


def summary(name: str, seconds: Sequence[float], target: str = "") -> str:
    """One line: median, 95th percentile and the most, in milliseconds."""
    ordered = sorted(seconds)
    median = statistics.median(ordered) * 1000
    p95 = ordered[int(len(ordered) * 0.95) - 1] * 1000
    reach = f"   (target p95 {target})" if target else ""
    return f"{name:34} median {median:8.2f} ms   p95 {p95:8.2f} ms   max {ordered[-1] * 1000:8.2f} ms{reach}"
