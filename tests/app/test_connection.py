"""What a connection is kept as, what would be written of it, where its key comes from."""

from __future__ import annotations

import pytest

from orca_core.settings import ProviderSettings, Settings
from orca_tui.app.connecting.connect_screen import Form, changes_of, key_words, name_of

OWN = ProviderSettings(base_url="https://own.example/v1", model="m", api_key="sk-kept")
CONFIGURED = Settings(provider="own", providers={"own": OWN})


@pytest.mark.parametrize(
    ("form", "name"),
    [
        (Form("deepseek", "https://api.deepseek.com/v1"), "deepseek"),
        (Form("deepseek", "https://api.deepseek.com/beta"), "deepseek"),
        (Form("deepseek", "http://api.deepseek.com/v1"), "deepseek-2"),
        (Form("own", "https://own.example/v1"), "own"),
        (Form("", "https://own.example/v1"), "own"),
        (Form("", "https://api.groq.com/openai/v1"), "groq"),
        (Form("", "http://192.168.1.5:8080/v1"), "server"),
        (Form("", "https://memory.com/v1"), "memory-2"),
        (Form("", "http://[::1"), "server"),
        (Form("", "https://中文.cn/v1"), "server"),
    ],
)
def test_a_form_is_kept_under_its_servers_name(form: Form, name: str) -> None:
    assert name_of(form, CONFIGURED) == name


@pytest.mark.parametrize(
    ("form", "changes"),
    [
        (Form("deepseek", "https://api.deepseek.com/v1", "k", "m"),
         {"provider": "deepseek", ("deepseek", "model"): "m", ("deepseek", "api_key"): "k"}),
        (Form("own", "https://own.example/v2", "", "m2"),
         {"provider": "own", ("own", "base_url"): "https://own.example/v2", ("own", "model"): "m2"}),
        (Form("ollama", "http://10.0.0.7:11434/v1", "", "m"),
         {"provider": "server", ("server", "base_url"): "http://10.0.0.7:11434/v1", ("server", "model"): "m",
          ("server", "context_tokens"): 4096}),
    ],
)  # fmt: skip
def test_only_what_is_not_so_already_is_written(form: Form, changes: dict[object, object]) -> None:
    assert changes_of(form, CONFIGURED) == changes


@pytest.mark.parametrize(
    ("form", "environ", "said"),
    [
        (Form("deepseek", "https://api.deepseek.com/v1"), {}, "it needs one"),
        (Form("deepseek", "https://api.deepseek.com/v1"), {"DEEPSEEK_API_KEY": "k"}, "found in DEEPSEEK_API_KEY"),
        (Form("own", "https://own.example/v1"), {}, "kept in config.toml"),
        (Form("own", "https://other.example/v1"), {}, "none, unless the server wants one"),
        (Form("ollama", "http://127.0.0.1:11434/v1"), {}, "none, unless"),
    ],
)
def test_the_form_says_where_the_key_comes_from(form: Form, environ: dict[str, str], said: str) -> None:
    assert key_words(form, CONFIGURED, environ).startswith(said)
