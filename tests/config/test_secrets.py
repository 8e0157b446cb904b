"""Where a key comes from, in which order, and that it is never told."""

from __future__ import annotations

import sys

import pytest

from orca_core.config.providers import resolve_key
from orca_core.model.errors import ConfigError
from orca_core.settings import ProviderSettings


def provider(**changes: object) -> ProviderSettings:
    return ProviderSettings(base_url="https://example.org/v1", **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "environ", "key"),
    [
        (provider(api_key="sk-1"), {"DEEPSEEK_API_KEY": "sk-2"}, "sk-1"),
        (provider(api_key=" sk-1\n"), {}, "sk-1"),
        (provider(api_key="env:MY_KEY"), {"MY_KEY": "sk-3", "DEEPSEEK_API_KEY": "sk-2"}, "sk-3"),
        (provider(), {"DEEPSEEK_API_KEY": "sk-2"}, "sk-2"),
        (provider(api_key=""), {"DEEPSEEK_API_KEY": "sk-2"}, "sk-2"),
        (provider(), {}, None),
        (provider(api_key_cmd=(sys.executable, "-c", "print('sk-4')")), {"DEEPSEEK_API_KEY": "sk-2"}, "sk-4"),
    ],
)
def test_a_key_is_taken_from_the_first_place_that_has_one(
    settings: ProviderSettings, environ: dict[str, str], key: str | None
) -> None:
    assert resolve_key("deepseek", settings, environ) == key


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(ConfigError, match="deepseek.api_key names MY_KEY, which is not set"):
        resolve_key("deepseek", provider(api_key="env:MY_KEY"), {})


@pytest.mark.parametrize(
    "command",
    [
        ("/nonexistent/command",),
        (sys.executable, "-c", "print('sk-secret'); raise SystemExit(1)"),
        (sys.executable, "-c", "pass"),
    ],
)
def test_a_command_that_gives_no_key_is_told_without_its_output(command: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve_key("deepseek", provider(api_key_cmd=command), {})

    assert "api_key_cmd" in str(caught.value)
    assert "sk-secret" not in str(caught.value)
