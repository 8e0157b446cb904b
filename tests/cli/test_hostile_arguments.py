"""Arguments, variables and streams that no one would give on purpose."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from fakes.terminal import PATIENCE_S, OrcaHome


@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", "hello", "--session", "../../x"),
        ("chat", "hello", "--session", "a\x1b]0;x\x07"),
        ("session", "show", "../x"),
        ("extract", "--session", "a\nb"),
        ("why", "--session", ".."),
    ],
)
def test_a_name_that_can_name_no_session_is_wrong_use(home: OrcaHome, arguments: tuple[str, ...]) -> None:
    ran = home.orca(*arguments)

    assert (ran.status, ran.stdout) == (2, "")
    assert "can't name a session" in ran.stderr
    assert not (home.path / "orca.db").exists()


@pytest.mark.parametrize("name", ["\x1fdeleted/me", "a\nb", "a\x1b[2J"])
def test_a_name_that_no_profile_can_have_is_wrong_use(home: OrcaHome, name: str) -> None:
    ran = home.orca("memory", "add", "I use neovim", "--profile", name)

    assert (ran.status, ran.stdout) == (2, "")
    assert "can't name a profile" in ran.stderr
    assert not (home.path / "orca.db").exists()


@pytest.mark.parametrize("name", ["a b", "\"' OR 1", "中文 名字", "👩\u200d💻", "NEAR(", "x" * 3000])
def test_any_other_name_finds_its_own_memories(home: OrcaHome, name: str) -> None:
    home.orca("memory", "add", "I use neovim", "--profile", name)
    home.orca("memory", "add", "I use emacs")

    found = home.orca("memory", "search", "neovim", "--json", "--profile", name)

    assert [memory["content"] for memory in found.json["memories"]] == ["I use neovim"]


@pytest.mark.parametrize("options", [(), ("--again",), ("--retry",)])
def test_a_session_that_does_not_exist_can_not_be_learnt_from(home: OrcaHome, options: tuple[str, ...]) -> None:
    home.orca("chat", "hello there")

    ran = home.orca("extract", "--session", "nosuch", *options)

    assert (ran.status, ran.stdout) == (2, "")
    assert "no session nosuch" in ran.stderr


@pytest.mark.parametrize("command", [("memory", "list"), ("chat", "hi"), ("config", "path")])
@pytest.mark.parametrize("variable", ["ORCA_HOME", "HOME"])
def test_a_home_whose_bytes_are_not_utf_8_is_a_sentence(
    home: OrcaHome, tmp_path: Path, command: tuple[str, ...], variable: str
) -> None:
    environ = {name: value.encode() for name, value in home.whole_environ().items() if name != "ORCA_HOME"}
    environ[variable.encode().decode()] = os.fsencode(tmp_path) + b"/caf\xe9"

    ran = subprocess.run(
        home.command(command),
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert ran.returncode == 2
    assert b"names no folder that can be used" in ran.stderr
    assert b"broke" not in ran.stderr


def test_the_doctor_says_it_too(home: OrcaHome) -> None:
    ran = home.orca("doctor", ORCA_HOME="~nosuchuser/x")

    assert ran.status == 1
    assert "names no folder that can be used" in ran.stdout


def test_a_proxy_that_is_none_is_said_where_the_answer_would_be(home: OrcaHome) -> None:
    home.configure('provider = "far"\n[far]\nbase_url = "https://example.org/v1"\nmodel = "m"\napi_key = "k"\n')

    ran = home.orca("chat", "hello", HTTP_PROXY="::::")

    assert ran.status == 1
    assert "check the proxy" in ran.stderr
    assert "broke" not in ran.stderr
