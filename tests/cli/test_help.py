"""Help, examples, completion, and arguments that no one would give on purpose."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.commands import COMMANDS
from fakes.foreign_files import conversation, message, packed
from fakes.terminal import PROJECT, OrcaHome


def test_help_speaks_chinese_with_clicks_own_words(home: OrcaHome) -> None:
    process = home.spawn("chat", "--help", LANG="zh_CN.UTF-8", PYTHONUTF8="1")
    stdout, _stderr = process.communicate()

    assert process.returncode == 0
    for word in ("用法", "选项", "显示本说明", "逐行聊天", "每行输出一个 JSON 事件"):
        assert word in stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["memory", "frobnicate"], "No such command 'frobnicate'"),
        (["memory", "pin"], "Missing argument 'ID...'"),
        (["memory", "show", "seven"], "'seven' names no memory"),
        (["chat", "--modle", "x"], "No such option '--modle'"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(home: OrcaHome, arguments: list[str], complaint: str) -> None:
    ran = home.orca(*arguments)

    assert ran.status == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("orca: ")
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_without_a_terminal_orca_says_so(home: OrcaHome) -> None:
    ran = home.orca()

    assert ran.status == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("orca: there is no terminal to chat in — ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_calls_orca(home: OrcaHome, shell: str) -> None:
    ran = home.orca("completion", shell)

    assert ran.status == 0
    assert f"_ORCA_COMPLETE={shell}_complete" in ran.stdout


def test_help_loads_neither_orca_nor_event_loop(home: OrcaHome) -> None:
    program = (
        "import sys; from orca_tui.program import run; run(['--help'])\n"
        "heavy = {'orca_core.open', 'orca_core.orca', 'asyncio', 'apsw', 'httpx', 'numpy', 'rich'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )

    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert process.stderr == ""
    assert process.returncode == 0


def test_a_memory_is_a_number_or_its_letter_and_number(home: OrcaHome) -> None:
    assert home.orca("memory", "add", "tea is green").status == 0

    assert home.orca("memory", "show", "m1").stdout == home.orca("memory", "show", "1").stdout


WORKED = (
    "task start 'nginx answers 502' --target nginx --session s",
    "task step 'raised the timeout' --task 1",
    "task done success 'works now' --task 1",
    "task start 'nginx answers 504' --target nginx --session s",
    "task done failed 'disk full' --task 2",
    "task start 'renew the certificate' --target nginx --session s",
    "task step 'asked for one' --task 3",
    "memory add 'I use neovim'",
    "action add LIKE --session s --round 2",
    "action add COLLECT_SESSION --session t",
    "tool record --tool web_search --input nginx --output '3 results' --session t --call c0",
    "memory add 'User works in Oslo'",
    "chat 'hello there' --session s",
)
CALLS = '{"calls": [{"tool": "web_search", "call_id": "c9", "output": "ok"}]}'
STDIN = {"cat calls.json": CALLS}
WAITS_FOR_A_PERSON = ("accept", "reject")
"""Refused where nothing waits, as here."""
NEEDS_A_TERMINAL = ("orca demo", "orca memory edit 1")
"""Refused without one, as here; and what opens an editor."""
BEFORE = {"memory redo": "memory undo"}
"""What makes an example one of something."""
ALL = {name: found.examples for name, found in COMMANDS.items()}
EXAMPLES = [(name, each) for name, examples in ALL.items() for each in examples]
MOST = 5
EXPORTED = "memories.json"
USB = "/media/usb"


def backed_up(home: OrcaHome, usb: Path) -> None:
    """With the backups that examples name."""
    assert home.orca("backup", "-o", str(usb / "orca.db")).status == 0
    assert home.orca("backup").status == 0
    [backup] = (home.path / "backups").iterdir()
    backup.rename(backup.with_name("orca-2026-11-20-120007Z.db"))


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> OrcaHome:
    home = OrcaHome(tmp_path_factory.mktemp("worked") / "home")
    for line in WORKED:
        assert home.orca(*shlex.split(line)).status == 0, line
    assert home.orca("consolidate", "--target", "nginx").status == 0
    assert home.orca("tool", "write", "web_search").status == 0
    (home.path / EXPORTED).write_text(home.orca("memory", "export").stdout)
    return home


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_how_it_is_typed(name: str) -> None:
    examples = ALL[name]

    assert 1 <= len(examples) <= MOST
    assert len(set(examples)) == len(examples)
    called = name.replace("knowledge target", "episode target").removesuffix(" list")
    assert any(f"orca {called}" in each for each in examples)


@pytest.mark.long
@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[each for _name, each in EXAMPLES])
def test_an_example_is_carried_out_as_it_stands(
    worked: OrcaHome, home: OrcaHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, example: str
) -> None:
    shutil.copytree(worked.path, home.path)
    (home.path / EXPORTED).rename(tmp_path / EXPORTED)
    monkeypatch.chdir(tmp_path)
    for file in ("before.md", "after.md"):
        (tmp_path / file).write_text(file)
    (tmp_path / "calls.json").write_text(CALLS)
    chats = [conversation([message("assistant", "Lives in Rome", recipient="bio")], "Moving")]
    (tmp_path / "chatgpt-export.zip").write_bytes(packed({"conversations.json": chats}))
    line = example.rpartition(" | ")[2].partition(" > ")[0]
    stdin = STDIN.get(example.partition(" | ")[0], "what a pipe brings")
    if example.startswith("ssh laptop"):
        stdin = (tmp_path / EXPORTED).read_text()
    if f"-o {EXPORTED}" in line:
        (tmp_path / EXPORTED).unlink()
    if name == "restore":
        backed_up(home, tmp_path)
        line = line.replace(USB, str(tmp_path))
    if name in BEFORE:
        assert home.orca(*BEFORE[name].split()).status == 0

    asks = (name.endswith("delete") or line.startswith(f"orca restore {tmp_path}")) and "--yes" not in line

    ran = home.orca(*shlex.split(line)[1:], stdin=stdin, LANG="C.UTF-8")

    if name.endswith(WAITS_FOR_A_PERSON):
        assert "waits" in ran.stderr or "candidate" in ran.stderr + ran.stdout, ran
    elif name == "models" and "ollama" in line:
        assert ran.status == 0 or ran.stderr.startswith("orca: ollama: "), ran
    elif line in NEEDS_A_TERMINAL:
        assert (ran.status, "terminal" in ran.stderr) == (2, True), ran
    elif asks:
        assert "--yes" in ran.stderr, ran
    else:
        assert ran.status == 0, ran


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


def test_no_title_shows_a_secret(filled: OrcaHome) -> None:
    secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e"
    assert filled.orca("memory", "add", f"My API key is {secret}").status == 0

    said = told(filled, "zsh", "memory", "show", "3")

    assert said.splitlines()[:2] == ["plain", "3"]
    assert secret not in said
    assert "***" in said


def test_a_command_is_offered_what_it_can_change(filled: OrcaHome) -> None:
    filled.orca("memory", "archive", "1")
    offered = {name: told(filled, "bash", "memory", name, "") for name in ("pin", "archive", "restore", "delete")}
    assert offered == {
        "pin": "plain,2\n",
        "archive": "plain,2\n",
        "restore": "plain,1\n",
        "delete": "plain,2\nplain,1\n",
    }


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


def test_records_are_told_without_an_orca(filled: OrcaHome) -> None:
    program = (
        "import sys; from orca_tui.program import run; run([]);"
        "heavy = {'asyncio', 'httpx', 'numpy', 'rich', 'orca_core.open', 'orca_core.orca', 'sqlite_vec'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )
    environ = filled.whole_environ(_ORCA_COMPLETE="bash_complete", COMP_WORDS="orca session show ", COMP_CWORD="3")

    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)

    assert done.stderr == ""
    assert done.stdout == "plain,s-1\n"
