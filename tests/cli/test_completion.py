"""Completion: commands, options, names of records with their titles. Whatever a title or a database holds, it is silent
and harmless. The scripts are Click's; bash stands for the shells that run them."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.terminal import PROJECT, OrcaHome

HOSTILE = 'User\'s "quoted": a, b; $(touch {0}) `touch {0}` %F{{red}} 喜欢\x1b]52;c;x\x07\u202e\ttab'


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """`orca` as a shell finds it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "orca"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orca_tui "$@"\n')
    script.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def once_filled(tmp_path_factory: pytest.TempPathFactory) -> OrcaHome:
    home = OrcaHome(tmp_path_factory.mktemp("filled") / "home")
    for text in ("User likes tea", HOSTILE.format("touched")):
        assert home.orca("memory", "add", text, "--tag", "work").status == 0
    assert home.orca("task", "start", "mend the proxy", "--session", "s").status == 0
    assert home.orca("chat", "hello nginx", "--session", "s-1").status == 0
    assert home.orca("chat", "hello", "--session", "$(touch x) 'y'").status == 0
    return home


@pytest.fixture
def filled(once_filled: OrcaHome, home: OrcaHome) -> OrcaHome:
    shutil.copytree(once_filled.path, home.path)
    return home


def in_bash(home: OrcaHome, bin_folder: Path, words: list[str]) -> list[str]:
    """The candidates of a line in a real shell."""
    script = bin_folder / "completion.bash"
    script.write_text(home.orca("completion", "bash").stdout, "utf-8")
    program = (
        'source "$1"; shift; COMP_WORDS=(orca "$@"); COMP_CWORD=$#; _orca_completion orca;'
        " printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    environ = home.whole_environ(HOME=str(bin_folder), PYTHONPATH=str(PROJECT))
    environ["PATH"] = f"{bin_folder}:{environ['PATH']}"
    command = ["bash", "--norc", "-c", program, "bash", str(script), *words]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, cwd=bin_folder)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def told(home: OrcaHome, shell: str, *words: str, **environ: str) -> str:
    """What Orca tells the script of a shell."""
    typed = shlex.join(["orca", *words[:-1]]) + f" {words[-1]}"
    where = words[-1] if shell == "fish" else str(len(words))
    process = home.spawn(_ORCA_COMPLETE=f"{shell}_complete", COMP_WORDS=typed, COMP_CWORD=where, **environ)
    stdout, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, b"")
    return stdout.decode()


def test_a_restore_is_offered_the_backups(filled: OrcaHome, bin_folder: Path) -> None:
    made = filled.orca("backup", "--json").json["backup"]["name"]

    assert in_bash(filled, bin_folder, ["restore", ""]) == [made]
    assert "MB" in told(filled, "zsh", "restore", "")


def test_a_restore_is_offered_files_where_no_backup_begins_so(filled: OrcaHome, tmp_path: Path) -> None:
    filled.orca("backup")

    assert told(filled, "zsh", "restore", f"{tmp_path}/").startswith("file\n")


def test_no_title_shows_a_secret(filled: OrcaHome) -> None:
    secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e"
    assert filled.orca("memory", "add", f"My API key is {secret}").status == 0

    said = told(filled, "zsh", "memory", "show", "3")

    assert said.splitlines()[:2] == ["plain", "3"]
    assert secret not in said
    assert "***" in said


def test_ids_come_with_their_titles(filled: OrcaHome, bin_folder: Path) -> None:
    assert in_bash(filled, bin_folder, ["memory", "show", ""]) == ["2", "1"]
    assert not (bin_folder / "touched").exists()
    lines = told(filled, "zsh", "memory", "show", "").splitlines()
    assert lines[3:6] == ["plain", "1", "User likes tea"]
    assert lines[2].startswith('User\'s "quoted": a， b; $(touch ')
    assert told(filled, "fish", "memory", "show", "").splitlines()[1] == "plain,1\tUser likes tea"
    assert not {"\x1b", "\x07", "\u202e"} & set("".join(lines))


def test_a_command_is_offered_what_it_can_change(filled: OrcaHome) -> None:
    filled.orca("memory", "archive", "1")
    offered = {name: told(filled, "bash", "memory", name, "") for name in ("pin", "archive", "restore", "delete")}
    assert offered == {
        "pin": "plain,2\n",
        "archive": "plain,2\n",
        "restore": "plain,1\n",
        "delete": "plain,2\nplain,1\n",
    }


def test_what_is_named_is_not_offered_where_one_may_be_named(filled: OrcaHome) -> None:
    assert told(filled, "bash", "memory", "show", "1", "").strip() == ""
    assert "plain,1" in told(filled, "bash", "memory", "pin", "1", "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["memory", "show", "m"], ["m2", "m1"]),
        (["task", "show", ""], ["w1"]),
        (["task", "step", "looked", "--task", ""], ["w1"]),
        (["session", "show", ""], ["s-1"]),
        (["memory", "re"], ["reject", "redo", "reindex", "restore"]),
        (["memory", "list", "--stat"], ["--status"]),
        (["completion", "z"], ["zsh"]),
        (["memory", "show", "9"], []),
        (["memory", "list", "--type", "p"], ["preference", "project"]),
        (["memory", "list", "--status", "a"], ["all", "active", "archived"]),
        (["memory", "add", "x", "--type", "ev"], ["event"]),
        (["task", "list", "--status", "f"], ["failed"]),
        (["models", "--provider", "deep"], ["deepseek"]),
        (["config", "prompts", "show", "memory_e"], ["memory_extractor"]),
        (["memory", "list", "--tag", "w"], ["work"]),
        (["--profile", "m"], ["me"]),
        (["memory", "list", "--profile", ""], ["me"]),
    ],
)
def test_words_are_completed(filled: OrcaHome, bin_folder: Path, words: list[str], expected: list[str]) -> None:
    assert sorted(in_bash(filled, bin_folder, words)) == sorted(expected)


def test_it_is_silent_without_a_database_and_makes_none(home: OrcaHome, bin_folder: Path) -> None:
    assert in_bash(home, bin_folder, ["memory", "show", ""]) == []
    assert not home.path.exists()


@pytest.mark.parametrize("config", ["memory = [[[\n", 'database = "/nowhere/orca.db"\n'])
def test_it_is_silent_whatever_is_wrong(home: OrcaHome, config: str) -> None:
    home.configure(config)
    (home.path / "orca.db").write_bytes(b"no database\n" * 99)

    assert told(home, "bash", "memory", "show", "").strip() == ""


def test_records_are_told_without_an_engine(filled: OrcaHome) -> None:
    program = (
        "import sys; from orca_tui.program import run; run([]);"
        "heavy = {'asyncio', 'httpx', 'numpy', 'rich', 'orca_core.open', 'orca_core.orca', 'sqlite_vec'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )
    environ = filled.whole_environ(_ORCA_COMPLETE="bash_complete", COMP_WORDS="orca session show ", COMP_CWORD="3")

    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)

    assert done.stderr == ""
    assert done.stdout == "plain,s-1\n"


def test_titles_are_told_in_any_locale(filled: OrcaHome) -> None:
    said = told(filled, "zsh", "memory", "show", "", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert "…" in said


def test_another_profile_has_its_own(filled: OrcaHome) -> None:
    filled.orca("--profile", "work", "memory", "add", "User signs at noon")

    assert told(filled, "fish", "--profile", "work", "memory", "show", "") == "plain,3\tUser signs at noon\n"
