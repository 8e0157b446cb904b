"""Where a key comes from. None of this ever repeats one."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping

from orca_core.config.presets import key_variable
from orca_core.model.errors import ConfigError
from orca_core.settings import ProviderSettings

ENV_PREFIX = "env:"
COMMAND_TIMEOUT_S = 10.0
MAX_KEY_BYTES = 65_536


def is_asked_of_a_command(provider: ProviderSettings) -> bool:
    """Whether finding the key runs a command, which may take its time."""
    return bool(provider.api_key_cmd) and not (provider.api_key or "").strip()


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
