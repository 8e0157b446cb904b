"""Opens an Orca on a configuration: chooses the engine under its ports, and makes its models, embedders, rerankers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from orca_core.clock import SystemClock
from orca_core.config.config_file import DATABASE_NAME, LoadedSettings, database_path
from orca_core.config.providers import agent_provider, key_source, verifier_provider
from orca_core.llm.meaning_embedder import is_installed, not_installed
from orca_core.model.errors import EmbeddingError
from orca_core.model.llm import ChatModel, Clock, Embedder, Reranker
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.text.spelling import Language
from orca_core.settings import AGENTS_FOLDER, LOCAL, MEANING, ProviderSettings, Settings
from orca_core.store.sqlite.store import open_stores, open_stores_or_none

if TYPE_CHECKING:
    from orca_core.services.chat.recall import KindOfRecord


async def open_orca(
    loaded: LoadedSettings,
    *,
    environ: Mapping[str, str],
    profile: str | None = None,
    model: str | None = None,
    clock: Clock | None = None,
    will_talk: bool = False,
    keeps_up: bool = True,
    kinds: Sequence[KindOfRecord[Any]] = (),
) -> Orca:
    """Orca on the configured database. One that `will_talk` can do without a database that can't be opened, and loads
    in the background what turns need; models and embedders are else made when they are first needed. One that does not
    `keep up` does upkeep only when it is asked to. Raises OrcaError."""
    settings = _with_model(loaded.settings, model)
    path, was_named = database_path(loaded)
    stores = await (open_stores_or_none if will_talk else open_stores)(
        path,
        scope=memory_upkeep.checked_profile(profile or settings.profile),
        must_exist=was_named,
        settings=settings.memory,
        vector_index=settings.memory.long_term.vector_index,
        kinds=[each.type for each in kinds],
    )
    orca = Orca(
        settings,
        stores,
        model=lambda: make_model(settings, environ, clock or SystemClock()),
        agent=lambda: make_memory_agent(settings, environ, clock or SystemClock()),
        verifier=_verifier_of(settings, environ, clock or SystemClock()),
        embedder=lambda: make_embedder(settings, environ, stores, begins_loading=will_talk),
        reranker=(lambda: make_reranker(settings, environ)) if settings.rerank.provider else None,
        clock=clock or SystemClock(),
        agents_folder=loaded.home / AGENTS_FOLDER,
        kinds=kinds,
        has_meaning=is_installed(),
        keeps_up=keeps_up,
    )
    if will_talk and settings.embedding.provider == MEANING:
        _ = orca.embedder  # it begins to load
    return orca


async def open_story(
    loaded: LoadedSettings, language: Language, *, hurries: bool = False, kinds: Sequence[KindOfRecord[Any]] = ()
) -> Orca:
    """Orca on a throw-away home, with a small story in it and a model that plays it on."""
    from orca_core.demo.demo_agent import DemoAgent
    from orca_core.demo.demo_story import StoryModel, furnish
    from orca_core.llm.local_embedder import LocalEmbedder

    stores = await open_stores(
        loaded.home / DATABASE_NAME,
        scope=loaded.settings.profile,
        must_exist=False,
        settings=loaded.settings.memory,
        kinds=[each.type for each in kinds],
    )
    orca = Orca(
        loaded.settings,
        stores,
        model=lambda: StoryModel(0.0) if hurries else StoryModel(),
        agent=DemoAgent,
        embedder=LocalEmbedder,
        clock=SystemClock(),
        kinds=kinds,
    )
    await furnish(stores.memories, language, SystemClock().now())
    await orca.worker.tidy()
    return orca


async def open_trial_orca(
    settings: Settings,
    environ: Mapping[str, str],
    path: Path,
    embedder: Embedder,
    clock: Clock,
    *,
    scope: str,
    copy_of: Path | None = None,
) -> Orca:
    """Orca on a database that will be thrown away, empty or a copy of another. It leaves the embedder open. Raises
    StorageError."""
    from orca_core.demo.demo_agent import DemoAgent
    from orca_core.demo.demo_model import DemoModel
    from orca_core.llm.cached_embedder import CachedEmbedder
    from orca_core.store.sqlite.upkeep.backups import copied

    if copy_of is not None:
        await asyncio.to_thread(lambda: deque(copied(copy_of, path, Event()), maxlen=0))
    stores = await open_stores(path, scope=scope, must_exist=False, settings=settings.memory)
    return Orca(
        settings,
        stores,
        model=DemoModel,
        agent=DemoAgent,
        embedder=lambda: CachedEmbedder(embedder, stores.vectors, closes_inner=False),
        reranker=(lambda: make_reranker(settings, environ)) if settings.rerank.provider else None,
        clock=clock,
    )


async def open_own_stores(loaded: LoadedSettings, profile: str | None) -> Stores:
    """The configured database through its ports, for who needs no Orca. Raises StorageError."""
    path, was_named = database_path(loaded)
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    return await open_stores(path, scope=scope, must_exist=was_named, settings=loaded.settings.memory)


def make_model(settings: Settings, environ: Mapping[str, str], clock: Clock) -> ChatModel:
    """The configured chat model, or the demo. Raises ConfigError where its key can't be found."""
    if not settings.provider:
        from orca_core.demo.demo_model import DemoModel

        return DemoModel()
    provider = settings.providers[settings.provider]
    return _chat_model(settings.provider, provider, environ, clock)


def make_memory_agent(settings: Settings, environ: Mapping[str, str], clock: Clock) -> ChatModel:
    """The configured memory agent; what it does not name itself, it has from the chat's provider."""
    name, provider = agent_provider(settings)
    if provider is None:
        from orca_core.demo.demo_agent import DemoAgent

        return DemoAgent()
    return _chat_model(name, provider, environ, clock)


def make_verifier(settings: Settings, environ: Mapping[str, str], clock: Clock) -> ChatModel:
    """The model that verifies; what is not named for it, it has from the memory agent."""
    name, provider = verifier_provider(settings)
    if provider is None:
        return make_memory_agent(settings, environ, clock)
    return _chat_model(name, provider, environ, clock)


def _verifier_of(settings: Settings, environ: Mapping[str, str], clock: Clock) -> Callable[[], ChatModel] | None:
    """What makes a verifier of its own; None where none is named."""
    named = settings.memory_agent.verifier
    return (lambda: make_verifier(settings, environ, clock)) if named.provider or named.model else None


def _chat_model(name: str, provider: ProviderSettings, environ: Mapping[str, str], clock: Clock) -> ChatModel:
    """A chat model with its key; one that a command gives is waited for when the model is asked."""
    from orca_core.llm.openai_chat import OpenAIChat

    return OpenAIChat(name, provider, key_source(name, provider, environ), clock)


def make_embedder(
    settings: Settings, environ: Mapping[str, str], stores: Stores, *, begins_loading: bool = False
) -> Embedder:
    """The configured embedder behind its cache."""
    from orca_core.llm.cached_embedder import CachedEmbedder

    return CachedEmbedder(make_uncached_embedder(settings, environ, begins_loading=begins_loading), stores.vectors)


def missing_package(settings: Settings) -> EmbeddingError | None:
    """The error of an embedder whose package is not installed; None where all is there."""
    return not_installed() if settings.embedding.provider == MEANING and not is_installed() else None


def make_uncached_embedder(settings: Settings, environ: Mapping[str, str], *, begins_loading: bool = False) -> Embedder:
    """The configured embedder; one that has to be loaded `begins_loading`, or does so when it is first asked. Raises
    ConfigError where its key can't be found."""
    embedding = settings.embedding
    if embedding.provider == LOCAL:
        from orca_core.llm.local_embedder import LocalEmbedder

        return LocalEmbedder()
    if embedding.provider == MEANING:
        from orca_core.llm.meaning_embedder import MeaningEmbedder

        return MeaningEmbedder(begins_loading=begins_loading)
    from orca_core.llm.openai_embedder import OpenAIEmbedder

    name, provider = embedding.provider, settings.providers[embedding.provider]
    return OpenAIEmbedder(name, provider, embedding, key_source(name, provider, environ))


def make_reranker(settings: Settings, environ: Mapping[str, str]) -> Reranker:
    """The configured reranker. Raises ConfigError where its key can't be found."""
    from orca_core.llm.reranker import HttpReranker

    rerank = settings.rerank
    name, provider = rerank.provider, settings.providers[rerank.provider]
    return HttpReranker(name, provider, rerank, key_source(name, provider, environ))


async def offered_models(name: str, provider: ProviderSettings, key: str | None) -> list[str]:
    """The models that a server offers. Raises ModelError."""
    from orca_core.llm.openai_chat import list_models

    return await list_models(name, provider, key)


def _with_model(settings: Settings, model: str | None) -> Settings:
    """The settings with another chat model for this run; the demo has only itself."""
    if model is None or not settings.provider:
        return settings
    provider = replace(settings.providers[settings.provider], model=model)
    return replace(settings, providers={**settings.providers, settings.provider: provider})
