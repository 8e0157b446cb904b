"""Providers: those known by name, what they need, what the memory agent has from the one it stands on, and keys.

No error repeats a key."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import ConfigError
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


ENV_PREFIX = "env:"
COMMAND_TIMEOUT_S = 10.0
MAX_KEY_BYTES = 65_536


def key_source(
    name: str, provider: ProviderSettings, environ: Mapping[str, str]
) -> str | Callable[[], str | None] | None:
    """Return the key; where a command gives it, which may take its time, what runs that. Raises ConfigError."""
    if provider.api_key_cmd and not (provider.api_key or "").strip():
        return lambda: resolve_key(name, provider, environ)
    return resolve_key(name, provider, environ)


def resolve_key(name: str, provider: ProviderSettings, environ: Mapping[str, str]) -> str | None:
    """The key of a provider: as configured, else `<PROVIDER>_API_KEY`, else none. Raises ConfigError."""
    literal = provider.api_key or ""
    if literal.startswith(ENV_PREFIX):
        variable = literal.removeprefix(ENV_PREFIX).strip()
        if not environ.get(variable):
            raise ConfigError(
                template="{name}.api_key names {variable}, which is not set",
                hint="export {variable}, or name another place",
                name=name,
                variable=variable,
            )
        return environ[variable].strip()
    if literal.strip():
        return literal.strip()
    if provider.api_key_cmd:
        return _from_command(name, provider.api_key_cmd)
    return environ.get(key_variable(name), "").strip() or None


def _from_command(name: str, command: tuple[str, ...]) -> str:
    """What the command prints, without a shell and without telling it in an error."""
    failure = {"name": name, "command": command[0]}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(
            template="{name}.api_key_cmd: {command} took longer than {seconds:g} s",
            seconds=COMMAND_TIMEOUT_S,
            **failure,
        ) from None
    except OSError as error:
        raise ConfigError(
            template="{name}.api_key_cmd: {command} can not be started: {detail}",
            detail=error.strerror or "",
            **failure,
        ) from None
    key = done.stdout[:MAX_KEY_BYTES].decode("utf-8", "replace").strip()
    if done.returncode != 0 or not key:
        raise ConfigError(
            template="{name}.api_key_cmd: {command} gave no key (exit {status})", status=done.returncode, **failure
        )
    return key
