"""Which words of a command line name records, told without loading the commands; held together with the commands."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from fakes.commands import COMMANDS
from hypothesis import given
from hypothesis import strategies as st

from orca_core.storage.sqlite.upkeep.titles import TABLES
from orca_tui.cli import id_words
from orca_tui.cli.id_words import IDS, ONE_NAME, OPTIONS, OPTIONS_OF, Line, is_safe, sought, typed_line
from orca_tui.cli.record_ids import BareNumber, CandidateId, RecordId
from orca_tui.cli.streams import AnyText, SessionId

NAMES_A_RECORD = (RecordId, CandidateId, SessionId)
NAMES_ANOTHER = {
    "memory merge": "takes numbers without a type of their own",
    "memory undo": "an operation",
    "memory redo": "an operation",
    "tool show": "a tool",
    "tool write": "a tool",
    "tool delete": "a tool",
}


def arguments(name: str) -> list[click.Argument]:
    return [each for each in COMMANDS[name].params if isinstance(each, click.Argument)]


def names_a_record(param: click.Parameter) -> bool:
    is_round = isinstance(param.type, BareNumber) and param.type.what == "round"
    return isinstance(param.type, NAMES_A_RECORD) or (isinstance(param.type, BareNumber) and not is_round)


def test_every_command_that_takes_a_record_is_completed() -> None:
    taking = {name for name in COMMANDS if any(map(names_a_record, arguments(name)))}

    assert taking | NAMES_ANOTHER.keys() == IDS.keys()
    assert {*IDS.values(), *OPTIONS.values(), *OPTIONS_OF.values()} <= TABLES.keys()


@pytest.mark.parametrize("name", sorted(IDS))
def test_several_are_completed_where_several_may_stand(name: str) -> None:
    takes_several = any(each.nargs == -1 for each in arguments(name))
    several = sought(Line([*name.split(), "1"], ""))

    assert (several is not None) is takes_several
    assert (name in ONE_NAME) is not takes_several


def test_options_that_name_a_record_are_known() -> None:
    kinds = {"session": SessionId, "open task": RecordId, "tag": AnyText, "operation": click.types.IntParamType}
    for option, what in OPTIONS.items():
        having = [param for command in COMMANDS.values() for param in command.params if option in param.opts]
        assert having
        assert all(isinstance(param.type, kinds[what]) for param in having)
    for name in OPTIONS_OF:
        command, option = name.rsplit(" ", 1)
        assert any(option in param.opts for param in COMMANDS[command].params)


def test_flags_take_no_value_anywhere() -> None:
    for command in COMMANDS.values():
        for param in command.params:
            if isinstance(param, click.Option) and id_words.FLAGS & set(param.opts):
                assert param.is_flag


@pytest.mark.parametrize(
    ("typed", "what", "beginning"),
    [
        (["memory", "show", ""], "memory", ""),
        (["memory", "show", "1"], "memory", "1"),
        (["memory", "pin", "1", "2", ""], "live memory", ""),
        (["memory", "delete", "--yes", "1", ""], "memory", ""),
        (["--profile", "work", "episode", "show", "e"], "episode", "e"),
        (["task", "step", "looked", "--task", "w"], "open task", "w"),
        (["why", "--session", ""], "session", ""),
        (["extract", "--show", ""], "run", ""),
        (["memory", "accept", ""], "candidate", ""),
        (["memory", "list", "--tag", "w"], "tag", "w"),
        (["memory", "inbox", "--operation", ""], "operation", ""),
        (["--profile", "w"], "profile", "w"),
        (["memory", "list", "--profile", ""], "profile", ""),
    ],
)
def test_what_a_word_names(typed: list[str], what: str, beginning: str) -> None:
    found = sought(Line(typed[:-1], typed[-1]))

    assert found is not None
    assert (found.what, found.beginning) == (what, beginning)


@pytest.mark.parametrize(
    "typed",
    [
        [""],
        ["memory", ""],
        ["memory", "list", ""],
        ["memory", "show", "--"],
        ["memory", "edit", "1", ""],
        ["memory", "edit", "1", "--content", ""],
        ["memory", "edit", "--content", "x", ""],
        ["memory", "undo", "3", ""],
        ["--config", ""],
        ["chat", "memory", "show", ""],
        ["episode", "target", "list", ""],
    ],
)
def test_all_else_is_left_to_click(typed: list[str]) -> None:
    assert sought(Line(typed[:-1], typed[-1])) is None


def test_the_configuration_and_the_profile_are_those_of_the_line() -> None:
    found = sought(Line(["--config=a b.toml", "memory", "--profile", "work", "show"], ""))

    assert found is not None
    assert (found.config, found.profile) == (Path("a b.toml"), "work")


@pytest.mark.parametrize(
    ("words", "place", "line"),
    [
        ("orca\nmemory\nshow\n", "3", Line(["memory", "show"], "")),
        ("orca\n--profile\n'my work'\nmem", "3", Line(["--profile", "my work"], "mem")),
        ("orca\n--profile\n'my wo", "2", Line(["--profile"], "my wo")),
        ("orca\nmemory", "x", Line(["memory"], "")),
        ("", "", Line([], "")),
        ("orca", "9", Line([], "")),
    ],
)
def test_words_are_read_as_the_program_gets_them(words: str, place: str, line: Line) -> None:
    read = typed_line({"COMP_WORDS": words, "COMP_CWORD": place})

    assert (list(read.words), read.beginning) == (list(line.words), line.beginning)


@given(st.text(), st.text())
def test_any_line_is_read(words: str, place: str) -> None:
    line = typed_line({"COMP_WORDS": words, "COMP_CWORD": place})

    assert sought(line) is None or line.words


@pytest.mark.parametrize("name", ["7", "e3", "s-2026.11", "工作", "a@b", "a:b"])
def test_a_safe_name_is_offered(name: str) -> None:
    assert is_safe(name)


@given(st.text(), st.sampled_from("'\"`$;&|<>(){}[]*?~!#\\ \t\n"), st.text())
def test_no_name_that_a_shell_reads_is_offered(before: str, sign: str, after: str) -> None:
    assert not is_safe(before + sign + after)
