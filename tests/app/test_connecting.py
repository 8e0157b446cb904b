"""Connecting a model: the form, its troubles, finding by meaning, and the doctor."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fakes.app_driver import SIZES, seen, send, until
from fakes.connecting import REFUSED, Server, opened, words
from msgspec.structs import replace
from textual.widgets import Input

from orca_core.config.config_file import LoadedSettings
from orca_core.diagnosis import diagnose
from orca_core.llm.meaning_embedder import MeaningEmbedder
from orca_core.model.errors import ModelRejected, StoreBusy
from orca_core.open import open_orca
from orca_core.orca import Orca
from orca_core.settings import ProviderSettings, Settings
from orca_tui.app.app import OrcaApp
from orca_tui.app.connecting.connect_screen import Form, changes_of, key_words, name_of
from orca_tui.language import speak

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


@pytest.mark.long
@SIZES
def test_a_refused_key_stays_with_the_servers_words_and_is_mended_in_place(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-wrong", "enter", "enter")
        await until(pilot, lambda: "the key was not accepted" in words(app))
        assert "****rong is invalid" in words(app)
        assert "check deepseek.api_key" in words(app)
        assert not config.exists()
        assert app.screen.query_one("#key", Input).value == "sk-wrong"
        assert "sk-wrong" not in seen(app)
        await pilot.press("shift+tab", "shift+tab")  # over the model
        assert app.focused.id == "key"
        await pilot.press("end", *["backspace"] * 5, *"right", "enter")
        assert "the key was not accepted" not in words(app)  # it was about another key
        await pilot.press("enter")
        await until(pilot, lambda: "deepseek-v4-flash answers" in words(app))
        assert not config.exists()
        await pilot.press("enter")
        await until(pilot, lambda: "connected: deepseek · deepseek-v4-flash" in seen(app))
        assert 'api_key = "sk-right"' in config.read_text(encoding="utf-8")
        assert server.keys == ["sk-wrong", "sk-right"]

    server = Server(errors=[REFUSED])
    app, config = make(server)
    drive(app, scenario, size)


def test_what_worked_is_saved_and_nothing_else(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "llama3.2 answers" in seen(app))
        app.screen.query_one("#model").focus()
        await pilot.press("x")
        assert app.screen.query_one("#save").disabled
        assert "answers" not in seen(app)

    app, _config = make(Server())
    drive(app, scenario)


@pytest.mark.long
def test_models_are_listed_as_the_server_offers_them(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: "qwen3:4b" in seen(app))
        assert app.screen.query_one("#model", Input).value == ""  # the usual one is not offered
        await pilot.press(*"qwen", "enter")
        await until(pilot, lambda: "qwen3:4b answers" in seen(app))
        await pilot.press("enter")
        await until(pilot, lambda: "connected: ollama · qwen3:4b" in seen(app))
        await opened(app, pilot)
        assert "in use · qwen3:4b" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: "gemma3" in seen(app))
        await pilot.press(*"qwen3", "down", "enter")  # a name that is not offered, as it was typed
        await until(pilot, lambda: "qwen3 answers" in seen(app))
        assert server.tried[-1].settings.providers["ollama"].model == "qwen3"

    server = Server(models=["gemma3", "qwen3:4b"])
    app, _config = make(server)
    drive(app, scenario)


def test_a_key_is_never_sent_to_another_server(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"deepseek", "enter", *"sk-of-deepseek")
        app.screen.query_one("#server").focus()
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: server.listed)
        await pilot.press("enter")
        await until(pilot, lambda: server.tried)
        assert server.keys == [None]

    server = Server()
    app, _config = make(server)
    drive(app, scenario)


@pytest.mark.long
def test_a_try_is_stopped_and_the_form_stays(make, drive) -> None:
    async def scenario(app, pilot) -> None:
        server.gate = asyncio.Event()
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "trying llama3.2" in seen(app))
        await pilot.press("escape")
        await until(pilot, lambda: "stopped" in seen(app))
        server.gate.set()
        await pilot.pause()
        assert "answers" not in seen(app)
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

    server = Server()
    app, _config = make(server)
    drive(app, scenario)


@pytest.mark.long
@pytest.mark.parametrize("fails", ["store", "folder"])
def test_what_fails_while_saving_leaves_everything_as_it_was(make, drive, monkeypatch, fails: str) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        await pilot.press(*"ollama", "enter", "enter")
        await until(pilot, lambda: "answers" in seen(app))
        before = app.bridge.orca
        if fails == "store":
            monkeypatch.setattr(app.bridge, "doors", Broken(app.bridge.doors))
        else:
            monkeypatch.setattr("orca_core.config.config_edit._replace", refuse)
        await pilot.press("enter")
        await until(pilot, lambda: message in words(app))
        assert app.bridge.orca is before
        assert not app.bridge.loaded.settings.provider
        assert not config.exists()
        await pilot.press("escape")
        await until(pilot, lambda: "demo · no model connected" in seen(app))

    class Broken:
        def __init__(self, doors) -> None:
            self.try_model, self.list_models = doors.try_model, doors.list_models

        async def open_orca(self, loaded: LoadedSettings) -> object:
            raise StoreBusy(path="orca.db")

    def refuse(path: Path, text: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    message = {"store": "another process holds the database", "folder": "can not be written"}[fails]
    app, config = make(Server())
    drive(app, scenario)


HOSTILE = "[/x] [@click=app.quit]hit[/] \u202e [bold \U000e0041"


@pytest.mark.long
@SIZES
def test_hostile_words_in_every_field_and_from_the_server_are_words(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        for name in ("server", "address", "key", "model"):
            app.screen.query_one(f"#{name}").focus()
            await pilot.pause()
            app.screen.query_one(f"#{name}", Input).value = f"https://x/{HOSTILE}"
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
            assert not {"\x1b", "\u202e", "\U000e0041"} & set(seen(app))
        app.screen.query_one("#server").focus()
        await pilot.press(*"ollama", "enter")
        await until(pilot, lambda: "[@click=app.quit]hit" in words(app))
        await pilot.press("enter")
        await until(pilot, lambda: "[/nosuch] no" in words(app))
        assert not {"\x1b", "\u202e", "\U000e0041"} & set(seen(app))

    refusal = ModelRejected(provider="p", detail="[/nosuch] no \x1b[2J\u202e")
    server = Server(models=[HOSTILE], errors=[refusal, refusal])
    app, _config = make(server)
    drive(app, scenario, size)


@pytest.mark.long
@SIZES
def test_in_chinese_the_form_fits(make, drive, size) -> None:
    async def scenario(app, pilot) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "连接模型" in seen(app) and "ollama" in seen(app))
        await pilot.press(*"deepseek", "enter", *"sk-1", "enter", "enter")
        await until(pilot, lambda: "✗" in seen(app))
        assert "esc 保持原样" in words(app)
        assert "Authentication Fails" in words(app)
        assert "试一试" in words(app)

    speak("zh")
    server = Server(errors=[REFUSED])
    app, _config = make(server)
    drive(app, scenario, size)


def with_the_package(app: OrcaApp, *, is_installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app on Orcas as they are opened outside of tests."""

    async def opened_for(loaded: LoadedSettings) -> Orca:
        return await open_orca(loaded, environ={}, will_talk=True)

    monkeypatch.setattr("orca_core.open.is_installed", lambda: is_installed)
    app.bridge.doors = replace(app.bridge.doors, open_orca=opened_for)


async def embedding_of(orca: Orca) -> str:
    return next(check.detail for check in (await orca.doctor.examine()).checks if check.name == "embedding")


@pytest.mark.long
def test_switching_embeds_everything_anew_and_is_written(make, drive, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(app, pilot) -> None:
        for number in range(70):
            await app.bridge.orca.memories.add(f"memory number {number}")
        await app.bridge.orca.worker.tidy()
        await opened(app, pilot)
        assert "find memories by meaning  installed · wants no network" in seen(app)
        await pilot.press(*"meaning", "enter")
        await until(pilot, lambda: "memories are found by meaning from now on" in seen(app))
        assert 'provider = "meaning"' in config.read_text(encoding="utf-8")
        await app.bridge.orca.worker.tidy()
        vectors = next(each for each in (await app.bridge.orca.doctor.examine()).checks if each.name == "vectors")
        assert (vectors.state, vectors.fields["have"]) == ("ok", 70)
        assert await embedding_of(app.bridge.orca) == MeaningEmbedder.model
        await until(pilot, lambda: "embedding " not in seen(app))
        await opened(app, pilot)
        assert "by meaning" not in seen(app)

    app, config = make(Server())
    with_the_package(app, is_installed=True, monkeypatch=monkeypatch)
    drive(app, scenario)


@pytest.mark.long
def test_what_is_not_installed_is_not_offered(make, drive, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(app, pilot) -> None:
        await opened(app, pilot)
        assert "by meaning" not in seen(app)

    app, _config = make(Server())
    with_the_package(app, is_installed=False, monkeypatch=monkeypatch)
    drive(app, scenario)


def with_all_that_the_command_does(app):
    """The door that the program gives the app."""
    doors = app.bridge.doors
    app.bridge.doors = replace(doors, diagnose=lambda loaded, **wanted: diagnose(loaded, {}, **wanted))
    return app


def mode(path) -> int:
    return path.stat().st_mode & 0o777


def test_it_looks_at_the_configuration_and_the_files_too(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, "/doctor")
        await until(pilot, lambda: "Doctor" in seen(app))
        assert "config" in seen(app)
        assert "files" in seen(app)
        assert "memory works in full" in seen(app)

    drive(with_all_that_the_command_does(make_app()), scenario)


@pytest.mark.long
def test_with_fix_it_mends_and_says_so(make_app, drive, tmp_path) -> None:
    async def scenario(app, pilot) -> None:
        database = tmp_path / "home" / "orca.db"
        database.chmod(0o644)
        await send(app, pilot, "/doctor --fix --dry-run")
        await until(pilot, lambda: "would mend" in seen(app))
        assert mode(database) == 0o644
        await pilot.press("escape")
        await send(app, pilot, "/doctor --fix")
        await until(pilot, lambda: "mended" in seen(app))
        assert mode(database) == 0o600
        assert "left to you" in seen(app)

    drive(with_all_that_the_command_does(make_app()), scenario)


@pytest.mark.long
@pytest.mark.parametrize("rest", ["--fast", "network", "--dry-run", "--network --dry-run"])
def test_what_it_does_not_take_it_says(make_app, drive, rest: str) -> None:
    async def scenario(app, pilot) -> None:
        await send(app, pilot, f"/doctor {rest}")
        assert "/doctor takes --network, --fix, and --dry-run beside --fix" in seen(app)
        assert len(app.screen_stack) == 1

    drive(make_app(), scenario)
