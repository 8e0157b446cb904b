"""Help, in both languages, and what the commands are called."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from fakes.commands import GROUPS
from fakes.terminal import OrcaHome

from orca_tui.cli.commands import Group, paragraphs
from orca_tui.cli.root import orca


@pytest.mark.parametrize("group", [orca, *GROUPS.values()], ids=lambda group: group.name)
def test_a_group_says_of_each_command_what_the_command_says_of_itself(group: Group) -> None:
    context = click.Context(group)

    for name, place in group.places.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert place is None or place[1] == paragraphs(command.help)[0]


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_speaks_english(home: OrcaHome, flag: str) -> None:
    ran = home.orca("memory", flag)

    assert ran.status == 0
    assert "Usage: orca memory" in ran.stdout
    assert "archive     Archive memories: they are kept, and not used\n" in ran.stdout


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
        (["memory", "show", "seven"], "'seven' is not a valid integer"),
        (["chat", "--modle", "x"], "No such option '--modle'"),
        (["why", "0"], "0 is not in the range"),
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


def test_the_version_is_one_line(home: OrcaHome) -> None:
    ran = home.orca("--version")

    assert ran.status == 0
    assert ran.stdout.startswith("orca ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_calls_orca(home: OrcaHome, shell: str) -> None:
    ran = home.orca("completion", shell)

    assert ran.status == 0
    assert f"_ORCA_COMPLETE={shell}_complete" in ran.stdout


def test_help_loads_neither_engine_nor_event_loop(home: OrcaHome) -> None:
    program = (
        "import sys; from orca_tui.program import run; run(['--help'])\n"
        "heavy = {'orca_core.open', 'orca_core.orca', 'asyncio', 'apsw', 'httpx', 'numpy', 'rich'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )

    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert process.stderr == ""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        (["memory", "why", "e2"], "orca episode why e2"),
        (["memory", "show", "K2"], "orca knowledge show k2"),
        (["memory", "history", "g1"], "orca tool history g1"),
        (["memory", "pin", "3", "e2"], "orca episode pin e2"),
        (["memory", "delete", "w5", "--yes"], "orca task delete w5"),
        (["memory", "history", "a4"], "orca action show a4"),
        (["why", "e1"], "orca episode why e1"),
    ],
)
def test_a_record_of_another_kind_is_refused_with_its_own_command(
    home: OrcaHome, arguments: list[str], instead: str
) -> None:
    ran = home.orca(*arguments)

    assert ran.status == 2
    assert f"{instead} is for this" in ran.stderr
    assert ran.stderr.count("\n") == 1
    error = home.orca(*arguments, "--json").json["error"]
    assert (error["kind"], error["hint"]) == ("invalid", f"{instead} is for this")


def test_a_memory_is_a_number_or_its_letter_and_number(home: OrcaHome) -> None:
    assert home.orca("memory", "add", "tea is green").status == 0

    assert home.orca("memory", "show", "m1").stdout == home.orca("memory", "show", "1").stdout
