"""Asks the endpoints of a configuration, before an Orca is open: does a model answer, which ones are offered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing

from orca_core.clock import SystemClock
from orca_core.config.config_file import LoadedSettings
from orca_core.config.providers import PRESETS, agent_provider, resolve_key, verifier_provider
from orca_core.model.errors import InvalidInput, ModelUnavailable, OrcaError
from orca_core.model.llm import ChatMessage, ChatRequest, Completed, ModelOffer, ReasoningDelta, TextDelta
from orca_core.open import make_model, offered_models
from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, ProviderSettings, Settings

PATIENCE_S = 15.0
"""Chosen by hand."""

Endpoint = tuple[str, ProviderSettings]


async def offers(loaded: LoadedSettings, environ: Mapping[str, str], name: str | None = None) -> Sequence[ModelOffer]:
    """What each endpoint in use offers, or that of the provider that is named. Raises InvalidInput for one that is
    neither configured nor known."""
    used: dict[tuple[str, str], tuple[Endpoint, dict[str, tuple[str, ...]]]] = {}
    for what, (provider_name, provider), model in in_use(loaded.settings):
        _endpoint, models = used.setdefault((provider_name, provider.base_url), ((provider_name, provider), {}))
        if model:
            models[model] = (*models.get(model, ()), what)
    wanted = [each for each in used.values() if name in (None, each[0][0])]
    if name is not None and not wanted:
        wanted = [((name, _named(loaded.settings, name)), {})]
    return await asyncio.gather(*(_offer(endpoint, models, environ) for endpoint, models in wanted))


def in_use(settings: Settings) -> Iterator[tuple[str, Endpoint, str]]:
    """What an endpoint is used for, the endpoint, and its model."""
    if settings.provider:
        provider = settings.providers[settings.provider]
        yield "chat", (settings.provider, provider), provider.model
    name, agent = agent_provider(settings)
    if agent is not None and settings.memory_agent.enabled:
        yield "memory agent", (name, agent), agent.model
    if settings.memory_agent.verifier.provider or settings.memory_agent.verifier.model:
        name, verifier = verifier_provider(settings)
        if verifier is not None and settings.memory_agent.enabled:
            yield "verifier", (name, verifier), verifier.model
    embedding, rerank = settings.embedding, settings.rerank
    if embedding.provider not in EMBEDDERS_WITHOUT_A_SERVER:
        yield "embedding", (embedding.provider, settings.providers[embedding.provider]), embedding.model
    if rerank.provider:
        yield "rerank", (rerank.provider, settings.providers[rerank.provider]), rerank.model


def _named(settings: Settings, name: str) -> ProviderSettings:
    if name in settings.providers:
        return settings.providers[name]
    if name in PRESETS:
        return ProviderSettings(base_url=PRESETS[name].base_url)
    raise InvalidInput(
        template="there is no provider {name}",
        hint="one of {known}",
        name=name,
        known=", ".join(dict.fromkeys((*settings.providers, *PRESETS))),
    )


async def _offer(endpoint: Endpoint, used_for: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]) -> ModelOffer:
    name, provider = endpoint
    try:
        async with asyncio.timeout(PATIENCE_S):
            return ModelOffer(name, tuple(await offered_by(name, provider, environ)), used_for)
    except TimeoutError:
        late = ModelUnavailable(
            template="{provider}: no list of models within {seconds:g} s",
            hint="look whether its server runs, then ask again",
            provider=name,
            seconds=PATIENCE_S,
        )
        return ModelOffer(name, (), used_for, late)
    except OrcaError as error:
        return ModelOffer(name, (), used_for, error)


async def try_model(loaded: LoadedSettings, environ: Mapping[str, str]) -> None:
    """Send one word to the configured model. Raises OrcaError where it does not answer."""
    model = make_model(loaded.settings, environ, SystemClock())
    try:
        async with aclosing(model.stream(ChatRequest((ChatMessage("user", "ping"),), max_tokens=16))) as stream:
            async for event in stream:
                if isinstance(event, TextDelta | ReasoningDelta | Completed):
                    return
    finally:
        await model.aclose()


async def list_models(loaded: LoadedSettings, environ: Mapping[str, str], name: str, key: str = "") -> list[str]:
    """The models that a provider offers, configured or known by name. Raises OrcaError where it does not say."""
    provider = loaded.settings.providers.get(name) or ProviderSettings(base_url=PRESETS[name].base_url)
    return await offered_by(name, provider, environ, key)


async def offered_by(name: str, provider: ProviderSettings, environ: Mapping[str, str], key: str = "") -> list[str]:
    """The models that the server of a provider offers. Raises OrcaError where it does not say."""
    return await offered_models(name, provider, key or await asyncio.to_thread(resolve_key, name, provider, environ))
