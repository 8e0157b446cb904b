"""Asks the endpoints of a configuration whether they work: only where a person wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from orca_core.adapters import make_memory_agent, make_model, make_reranker, make_uncached_embedder
from orca_core.clock import SystemClock
from orca_core.config.file import LoadedSettings
from orca_core.config.presets import agent_provider
from orca_core.domain.diagnosis import Check
from orca_core.flows.keeping import endpoint_checks
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, ProviderSettings
from orca_core.setup.models import offered_by


async def ask_endpoints(loaded: LoadedSettings, environ: Mapping[str, str]) -> Sequence[Check]:
    """What each of them answered; they are asked at once. One that needs no server is not among them."""
    settings, clock = loaded.settings, SystemClock()

    def offered(name: str, provider: ProviderSettings | None) -> endpoint_checks.Offered:
        async def ask() -> Sequence[str]:
            return await offered_by(name, provider, environ) if provider is not None else ()

        return ask

    make_chat = partial(make_model, settings, environ, clock)
    listed = offered(settings.provider, settings.providers.get(settings.provider))
    looks = [endpoint_checks.chat_check(endpoint_checks.CHAT, make_chat, listed, clock)]
    if settings.memory_agent.enabled:
        make_agent = partial(make_memory_agent, settings, environ, clock)
        looks.append(
            endpoint_checks.chat_check(endpoint_checks.AGENT, make_agent, offered(*agent_provider(settings)), clock)
        )
    if settings.embedding.provider not in EMBEDDERS_WITHOUT_A_SERVER:
        looks.append(endpoint_checks.embedding_check(partial(make_uncached_embedder, settings, environ), clock))
    if settings.rerank.provider:
        make_rerank = partial(make_reranker, settings, environ)
        looks.append(endpoint_checks.rerank_check(make_rerank, clock, settings.embedding.query_timeout))
    return await asyncio.gather(*looks)
