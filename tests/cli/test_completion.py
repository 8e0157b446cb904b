"""Completion in real shells: commands, options, names of records with their titles. Whatever a title or a database
holds, it is silent and harmless."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.terminal import PROJECT, OrcaHome

HOSTILE = 'User\'s "quoted": a, b; $(touch {0}) `touch {0}` %F{{red}} 喜欢\x1b]52;c;x\x07\u202e\ttab'
SHELLS = [
    pytest.param(shell, marks=pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed"))
    for shell in ("bash", "zsh", "fish")
]


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


def in_shell(home: OrcaHome, bin_folder: Path, shell: str, words: list[str]) -> list[tuple[str, str]]:
    """The candidates of a line in a real shell, with what is said of each."""
    script = bin_folder / f"completion.{shell}"
    script.write_text(home.orca("completion", shell).stdout, "utf-8")
    programs = {
        "bash": [
            "bash", "--norc", "-c",
            'source "$1"; shift; COMP_WORDS=(orca "$@"); COMP_CWORD=$#; _orca_completion orca;'
            " printf '%s\\n' \"${COMPREPLY[@]}\"",
            "bash", str(script), *words,
        ],
        "zsh": [
            "zsh", "-f", "-c",
            'autoload -Uz compinit; compinit -u -D; source "$1"; shift;'
            " compadd() { for i in {1..$#values}; do print -r -- \"$values[i]\"$'\\t'\"$titles[i]\"; done };"
            ' words=(orca "$@"); CURRENT=$(( $# + 1 )); _orca_completion',
            "zsh", str(script), *words,
        ],
        "fish": [
            "fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', str(script),
            "orca " + " ".join(words),
        ],
    }  # fmt: skip
    environ = home.whole_environ(HOME=str(bin_folder), PYTHONPATH=str(PROJECT))
    environ["PATH"] = f"{bin_folder}:{environ['PATH']}"
    done = subprocess.run(programs[shell], env=environ, capture_output=True, text=True, check=False, cwd=bin_folder)
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line]
    return [(word, said.partition("  -- ")[2] if shell == "zsh" else said) for word, _tab, said in _parted(lines)]


def _parted(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        yield line.partition("\t")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_restore_is_offered_the_backups(filled: OrcaHome, bin_folder: Path, shell: str) -> None:
    made = filled.orca("backup", "--json").json["backup"]["name"]

    found = in_shell(filled, bin_folder, shell, ["restore", ""])

    assert [word for word, _said in found] == [made]
    assert shell == "bash" or "MB" in found[0][1]


def test_a_restore_is_offered_files_where_no_backup_begins_so(filled: OrcaHome, tmp_path: Path) -> None:
    filled.orca("backup")
    process = filled.spawn(_ORCA_COMPLETE="zsh_complete", COMP_WORDS=f"orca\nrestore\n{tmp_path}/", COMP_CWORD="2")

    stdout, _stderr = process.communicate()

    assert stdout.decode().startswith("file\t")


@pytest.mark.parametrize("shell", SHELLS)
def test_no_title_shows_a_secret(filled: OrcaHome, bin_folder: Path, shell: str) -> None:
    secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e"
    assert filled.orca("memory", "add", f"My API key is {secret}").status == 0

    found = in_shell(filled, bin_folder, shell, ["memory", "show", "3"])

    assert [word for word, _said in found] == ["3"]
    assert secret not in found[0][1]
    assert shell == "bash" or "***" in found[0][1]


@pytest.mark.parametrize("shell", SHELLS)
def test_ids_come_with_their_titles(filled: OrcaHome, bin_folder: Path, shell: str) -> None:
    found = in_shell(filled, bin_folder, shell, ["memory", "show", ""])

    assert [word for word, _said in found] == ["2", "1"]
    if shell != "bash":  # which shows words alone
        assert found[1][1] == "User likes tea"
        assert found[0][1].startswith('User\'s "quoted": a, b; $(touch ')
    assert not {"\x1b", "\x07", "\u202e"} & set("".join(said for _word, said in found))
    assert not (bin_folder / "touched").exists()


@pytest.mark.parametrize("shell", SHELLS)
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
def test_words_are_completed(
    filled: OrcaHome, bin_folder: Path, shell: str, words: list[str], expected: list[str]
) -> None:
    assert sorted(word for word, _said in in_shell(filled, bin_folder, shell, words)) == sorted(expected)


@pytest.mark.parametrize("shell", SHELLS)
def test_it_is_silent_without_a_database_and_makes_none(home: OrcaHome, bin_folder: Path, shell: str) -> None:
    assert in_shell(home, bin_folder, shell, ["memory", "show", ""]) == []
    assert not home.path.exists()


@pytest.mark.parametrize("config", ["memory = [[[\n", 'database = "/nowhere/orca.db"\n'])
def test_it_is_silent_whatever_is_wrong(home: OrcaHome, config: str) -> None:
    home.configure(config)
    (home.path / "orca.db").write_bytes(b"no database\n" * 99)
    process = home.spawn(_ORCA_COMPLETE="bash_complete", COMP_WORDS="orca\nmemory\nshow\n", COMP_CWORD="3")

    stdout, stderr = process.communicate()

    assert (process.returncode, stdout, stderr) == (0, b"", b"")


def test_numbers_are_told_without_what_commands_need(filled: OrcaHome) -> None:
    program = (
        "import sys; from orca_tui.__main__ import main; main();"
        "heavy = {'click', 'asyncio', 'httpx', 'numpy', 'rich', 'orca_core.adapters', 'orca_core.engine', 'sqlite_vec'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )
    environ = filled.whole_environ(_ORCA_COMPLETE="zsh_complete", COMP_WORDS="orca\nmemory\nshow\n", COMP_CWORD="3")

    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)

    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "plain\t1\tUser likes tea"


def test_titles_are_told_in_any_locale(filled: OrcaHome) -> None:
    process = filled.spawn(
        _ORCA_COMPLETE="zsh_complete", COMP_WORDS="orca\nmemory\nshow\n", COMP_CWORD="3", LC_ALL="C", PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )  # fmt: skip

    stdout, stderr = process.communicate()

    assert (process.returncode, stderr) == (0, b"")
    assert "…".encode() in stdout


def test_another_profile_has_its_own(filled: OrcaHome) -> None:
    filled.orca("--profile", "work", "memory", "add", "User signs at noon")
    words = "orca\n--profile\nwork\nmemory\nshow\n"
    process = filled.spawn(_ORCA_COMPLETE="fish_complete", COMP_WORDS=words, COMP_CWORD="5")

    stdout, _stderr = process.communicate()

    assert stdout.decode() == "plain\t3\tUser signs at noon\n"
