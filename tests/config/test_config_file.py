"""What the configuration takes, and the one line where it does not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.config.config_edit import change_config, example_text, write_example
from orca_core.config.config_file import parse_settings, read_settings
from orca_core.config.providers import verifier_provider
from orca_core.model.errors import ConfigError
from orca_core.settings import Settings

ROOT = Path(__file__).parent.parent.parent


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_settings(text)
    return str(caught.value)


def test_no_file_is_no_error(tmp_path: Path) -> None:
    loaded = read_settings({"ORCA_HOME": str(tmp_path)})

    assert loaded.settings == Settings()
    assert loaded.path is None
    assert loaded.home == tmp_path


def test_the_example_equals_the_defaults() -> None:
    assert parse_settings(example_text()) == Settings()


def test_the_example_stands_beside_the_readme_too() -> None:
    assert (ROOT / "config.toml.example").read_text(encoding="utf-8") == example_text()


def test_the_set_up_that_stands_ready_can_be_uncommented() -> None:
    lines = example_text().splitlines()
    start = lines.index('# provider = "deepseek"')
    ready = [line.removeprefix("# ") for line in lines[start : start + 8] if not line.startswith("# api_key_cmd")]
    embedding = lines.index("# [embedding]")
    ready += [line.removeprefix("#").strip() for line in lines[embedding : embedding + 9]]

    settings = parse_settings("\n".join(ready))

    assert settings.provider == "deepseek"
    assert settings.providers["deepseek"].api_key == "env:DEEPSEEK_API_KEY"
    assert settings.embedding.model == "Pro/BAAI/bge-m3"
    assert settings.providers["siliconflow"].base_url == "https://api.siliconflow.cn/v1"


@pytest.mark.parametrize("name", ["deepseek", "siliconflow", "openai", "zhipu", "openrouter", "ollama", "lmstudio"])
def test_a_known_provider_is_a_whole_configuration(name: str) -> None:
    settings = parse_settings(f'provider = "{name}"')

    assert settings.providers[name].base_url.startswith("http")
    assert settings.providers[name].model


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[memory]\nmax_histroy = 3", "unknown key memory.max_histroy (did you mean memory.max_history?)"),
        ("providr = 'x'", "unknown key providr (did you mean provider?)"),
        ("[memoy]\nenabled = true", "[memoy] is no section of Orca, and no provider without a base_url — did you mean [memory]?"),
        ("[memory]\nmax_history = 'a'", "memory.max_history is 'a' — expected a whole number"),
        ("[memory]\nmax_history = -1", "memory.max_history is -1 — expected a number from 0 to 1e+09"),
        ("[memory]\nenabled = 1", "memory.enabled is 1 — expected true or false"),
        ("[memory.inject]\nlong_term_trigger = 'sometimes'", 'expected "technical" or "always" or "never"'),
        ("[memory.inject]\ntechnical_keywords = 'a'", "expected a list of texts"),
        ("[memory.inject]\nbudget_ratio = 1.5", "expected a number from 0 to 0.9"),
        ("[memory.weights]\nunreferenced = nan", "memory.weights.unreferenced is nan"),
        ("[memory.weights]\nunreferenced = 0.3", "expected a number from -10 to 0"),
        ("[memory.long_term]\ncore_threshold = 20.0", "archive_threshold < core_threshold <= max_weight"),
        ("[deepseek]\ntimeout = '-3s'", "expected a duration"),
        ("provider = 'nowhere'", "there is no provider nowhere"),
        ("[mine]\nbase_url = 'ftp://x'\n", "expected an address that begins with https:// or http://"),
        ("[embedding]\nprovider = 'siliconflow'", "embedding.model is empty"),
        ("profile = ' '", "profile is ' '"),
        ("[memory]\nmax_history = " + "9" * 5000, "is not TOML"),
        ("[deepseek]\nprice_cached = 'x'", "deepseek.price_cached is 'x' — expected a number"),
        ("[deepseek]\nextra_body = 3", "deepseek.extra_body is 3 — expected a table"),
        ('system_prompt = "a\\u001b[31m"', "expected a text without control characters"),
        ('[memory.inject]\ntechnical_keywords = ["\\u0001"]', "expected a list of texts without control characters"),
        ("a = " + "[" * 5000, "is "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_that_names_key_value_and_way_out(text: str, sentence: str) -> None:
    message = refusal(text)

    assert sentence in message
    assert "\n" not in message.replace("\n", " ", 0) or "is not TOML" in message


@pytest.mark.parametrize(
    ("value", "seconds"), [("'90s'", 90), ("'2m'", 120), ("'1.5h'", 5400), ("'500ms'", 0.5), ("45", 45), ("0.5", 0.5)]
)
def test_durations_are_written_as_people_write_them(value: str, seconds: float) -> None:
    assert parse_settings(f"[deepseek]\ntimeout = {value}").providers["deepseek"].timeout == seconds


def test_a_system_prompt_may_have_lines_and_a_server_whatever_it_wants() -> None:
    settings = parse_settings('system_prompt = "a\\n\\tb"\n[deepseek]\nextra_body = {a = 2020-01-01, b = [1, {c = 2}]}')

    assert settings.system_prompt == "a\n\tb"
    assert settings.providers["deepseek"].extra_body == {"a": date(2020, 1, 1), "b": [1, {"c": 2}]}


def test_a_key_of_the_wrong_type_is_never_repeated() -> None:
    assert "12345678" not in refusal("[deepseek]\napi_key = 12345678")
    assert "sk" not in refusal('[deepseek]\napi_key_cmd = ["\\u0001sk"]').replace("deepseek", "")


def test_settings_do_not_show_their_key() -> None:
    settings = parse_settings("[deepseek]\napi_key = 'sk-very-secret'\n[memory_agent]\napi_key = 'sk-very-secret'")

    assert "very-secret" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("[memory.short_term]\nmax = 3", "memory.short_term.max is now called memory.short_term.max_items"),
        ("[memory_extractor]\nbatch_size = 3", "memory_extractor is now called memory_agent.extract"),
        ("[deepseek]\nmodel = 'deepseek-chat'", "deepseek-chat was switched off by its vendor"),
        ("[mine]\nbase_url = 'http://example.org/v1'\napi_key = 'k'", "the key travels unencrypted"),
    ],
)
def test_what_works_but_should_change_is_warned_of(tmp_path: Path, text: str, warning: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)

    loaded = read_settings({"ORCA_HOME": str(tmp_path)})

    assert [warning in str(each) for each in loaded.warnings] == [True]


def test_old_spellings_still_set_what_they_set(tmp_path: Path) -> None:
    settings = parse_settings("[memory.short_term]\nmax = 3\n[memory_extractor]\nbatch_size = 7")

    assert settings.memory.short_term.max_items == 3
    assert settings.memory_agent.extract.batch_size == 7


@pytest.mark.parametrize(
    ("text", "verify"),
    [
        ("", "model"),
        ('verify = "off"', "off"),
        ('verify = "ask"', "ask"),
    ],
)
def test_the_verifier_is_chosen_by_name_also_in_the_old_spelling(text: str, verify: str) -> None:
    assert parse_settings(f"[memory_agent.extract]\n{text}").memory_agent.extract.verify == verify


AGENTS = """
provider = "chat"
[chat]
base_url = "http://chat.example/v1"
model = "c"
[other]
base_url = "http://other.example/v1"
model = "o"
[memory_agent]
model = "small"
timeout = "7s"
"""


@pytest.mark.parametrize(
    ("text", "name", "base_url", "model"),
    [
        ("", "chat", "http://chat.example/v1", "small"),
        ('provider = "other"', "other", "http://other.example/v1", "o"),
        ('provider = "other"\nmodel = "large"', "other", "http://other.example/v1", "large"),
        ('provider = "ollama"', "ollama", "http://127.0.0.1:11434/v1", "llama3.2"),
    ],
)
def test_the_verifier_has_what_is_not_named_for_it_from_the_memory_agent(
    text: str, name: str, base_url: str, model: str
) -> None:
    found, provider = verifier_provider(parse_settings(f"{AGENTS}[memory_agent.verifier]\n{text}"))
    assert provider is not None
    assert (found, provider.base_url, provider.model, provider.timeout) == (name, base_url, model, 7.0)


def test_a_key_in_a_file_that_others_can_read_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[deepseek]\napi_key = 'sk-1'", encoding="utf-8")
    path.chmod(0o644)

    [warning] = read_settings({"ORCA_HOME": str(tmp_path)}).warnings

    assert f"chmod 600 {path}" in str(warning)


@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_file_that_was_named_must_be_there(tmp_path: Path, how: str) -> None:
    missing = tmp_path / "no.toml"
    environ = {"ORCA_CONFIG": str(missing)} if how == "variable" else {}

    with pytest.raises(ConfigError, match="no such file"):
        read_settings(environ, missing if how == "option" else None)


@pytest.mark.parametrize("content", [b"\xff\xfe", "k = 'é'".encode("latin-1"), b"a = '\x00'", b"x" * 1_100_000])
def test_a_file_that_is_no_text_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(content)

    with pytest.raises(ConfigError) as caught:
        read_settings({"ORCA_HOME": str(tmp_path)})
    assert str(tmp_path / "config.toml") in str(caught.value)


def test_the_example_is_written_for_its_owner_alone_and_never_over_a_file(tmp_path: Path) -> None:
    path = write_example(tmp_path / "home" / "config.toml")

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with pytest.raises(ConfigError, match="there already"):
        write_example(path)


def test_a_change_keeps_every_comment(tmp_path: Path) -> None:
    path = write_example(tmp_path / "config.toml")

    change_config(path, {"provider": "deepseek", "deepseek.model": "deepseek-v4-pro", "memory.max_history": 50})

    changed = path.read_text(encoding="utf-8")
    assert [line for line in example_text().splitlines() if line.startswith("#")] == [
        line for line in changed.splitlines() if line.startswith("#")
    ]
    settings = parse_settings(changed)
    assert (settings.provider, settings.memory.max_history) == ("deepseek", 50)
    assert settings.providers["deepseek"].model == "deepseek-v4-pro"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_change_that_would_break_the_file_is_not_made(tmp_path: Path) -> None:
    path = write_example(tmp_path / "config.toml")

    with pytest.raises(ConfigError):
        change_config(path, {"memory.max_history": "many"})

    assert path.read_text(encoding="utf-8") == example_text()


@pytest.mark.parametrize(
    "content", [b"provider = [", b"\xff\xfe", b"deepseek = 3\n"], ids=["no TOML", "no UTF-8", "no table"]
)
def test_a_file_that_can_not_be_changed_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)

    with pytest.raises(ConfigError):
        change_config(path, {"deepseek.model": "m"})

    assert path.read_bytes() == content


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.symlink_to(write_example(tmp_path / "dotfiles.toml"))

    change_config(path, {"provider": "deepseek"})

    assert path.is_symlink()
    assert parse_settings((tmp_path / "dotfiles.toml").read_text(encoding="utf-8")).provider == "deepseek"


@given(st.text(max_size=120))
def test_any_text_is_settings_or_one_error(text: str) -> None:
    try:
        assert isinstance(parse_settings(text), Settings)
    except ConfigError as error:
        assert str(error)
