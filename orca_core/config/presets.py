"""Providers that are known by name: where they are, a model to begin with, and what they need; and what the memory
agent has from the one that it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from orca_core.settings import ProviderSettings, Settings


class Preset(Struct, frozen=True):
    """A provider's address and first model; `needs_key` where it refuses to answer without one."""

    base_url: str
    model: str = ""
    context_tokens: int = 64_000
    needs_key: bool = True


PRESETS: Mapping[str, Preset] = {
    "deepseek": Preset("https://api.deepseek.com/v1", "deepseek-v4-flash", 128_000),
    "siliconflow": Preset("https://api.siliconflow.cn/v1", "deepseek-ai/DeepSeek-V3", 64_000),
    "openai": Preset("https://api.openai.com/v1", "gpt-5-mini", 128_000),
    "zhipu": Preset("https://open.bigmodel.cn/api/paas/v4", "glm-4-flash", 128_000),
    "openrouter": Preset("https://openrouter.ai/api/v1", "openrouter/auto", 64_000),
    "ollama": Preset("http://127.0.0.1:11434/v1", "llama3.2", 4_096, needs_key=False),
    "lmstudio": Preset("http://127.0.0.1:1234/v1", "local-model", 8_192, needs_key=False),
}

RETIRED_MODELS: Mapping[str, str] = {
    "deepseek-chat": "deepseek-v4-flash",
    "deepseek-reasoner": "deepseek-v4-flash",
}
"""Model names that their vendors have switched off, and what takes their place."""

THINKING_OFF: Mapping[str, Mapping[str, object]] = {
    "deepseek.com": {"thinking": {"type": "disabled"}},
    "bigmodel.cn": {"thinking": {"type": "disabled"}},
}
"""What keeps a vendor's models from thinking, by the end of their host. Other servers may refuse such a field."""


def thinking_off(base_url: str) -> Mapping[str, object]:
    """The fields for the memory agent: it needs no long thought, and thinking eats its answer."""
    host = urlsplit(base_url).hostname or ""
    return next((fields for end, fields in THINKING_OFF.items() if host == end or host.endswith(f".{end}")), {})


def key_variable(provider: str) -> str:
    """Where a provider's key is looked for when the configuration has none."""
    return f"{provider.upper().replace('-', '_').replace('.', '_')}_API_KEY"


def agent_provider(settings: Settings) -> tuple[str, ProviderSettings | None]:
    """The name and the server of the memory agent; none where it is the demo's."""
    agent = settings.memory_agent
    name = agent.provider or settings.provider
    if not name and not agent.base_url:
        return "", None
    given = settings.providers[name] if name else ProviderSettings(base_url=agent.base_url)
    base_url = agent.base_url or given.base_url
    provider = replace(
        given,
        base_url=base_url,
        model=agent.model or given.model,
        api_key=agent.api_key or given.api_key,
        timeout=agent.timeout,
        extra_body={**thinking_off(base_url), **given.extra_body},
    )
    return name or "memory_agent", provider


def verifier_provider(settings: Settings) -> tuple[str, ProviderSettings | None]:
    """The name and the server of the verifier: the memory agent's where none is named for it."""
    agent, verifier = settings.memory_agent, settings.memory_agent.verifier
    if verifier.provider:
        given = settings.providers[verifier.provider]
        given = replace(given, timeout=agent.timeout, extra_body={**thinking_off(given.base_url), **given.extra_body})
        name: str = verifier.provider
    else:
        name, own = agent_provider(settings)
        if own is None:
            return name, None
        given = own
    return name, replace(given, model=verifier.model or given.model)


def named_providers(settings: Settings) -> dict[str, str]:
    """The addresses of the providers that are configured, and of those that Orca knows by name."""
    known = {name: each.base_url for name, each in PRESETS.items()}
    own = {name: each.base_url for name, each in settings.providers.items()}
    return {**own, **{name: url for name, url in known.items() if name not in own}}
