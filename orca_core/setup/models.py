"""Tries chat models before they are configured: whether one answers, and which ones a provider offers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing

from orca_core.adapters import make_model, offered_models
from orca_core.clock import SystemClock
from orca_core.config.file import LoadedSettings
from orca_core.config.presets import PRESETS
from orca_core.config.secrets import resolve_key
from orca_core.model.llm import ChatMessage, ChatRequest, Completed, ReasoningDelta, TextDelta
from orca_core.settings import ProviderSettings


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
