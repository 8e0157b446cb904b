"""The examples in the help of a command: each can be typed as it stands."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from cli.test_json_everywhere import COMMANDS
from fakes.terminal import OrcaHome

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
)
CALLS = '{"calls": [{"tool": "web_search", "call_id": "c9", "output": "ok"}]}'
GROUPS = ("action", "task", "episode", "knowledge", "tool")
WAITS_FOR_A_PERSON = ("accept", "reject")
"""Refused where nothing waits, as here."""
EXAMPLES = [(name, each) for name, found in COMMANDS.items() for each in found.examples]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> OrcaHome:
    home = OrcaHome(tmp_path_factory.mktemp("worked") / "home")
    for line in WORKED:
        assert home.orca(*shlex.split(line)).status == 0, line
    assert home.orca("consolidate", "--target", "nginx").status == 0
    assert home.orca("tool", "write", "web_search").status == 0
    return home


@pytest.mark.parametrize("name", [name for name in COMMANDS if name.partition(" ")[0] in GROUPS])
def test_every_command_of_work_and_growth_shows_how_it_is_typed(name: str) -> None:
    examples = COMMANDS[name].examples

    assert examples
    assert all(name.replace("knowledge target", "episode target") in each for each in examples)


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[each for _name, each in EXAMPLES])
def test_an_example_is_carried_out_as_it_stands(
    worked: OrcaHome, home: OrcaHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, example: str
) -> None:
    shutil.copytree(worked.path, home.path)
    monkeypatch.chdir(tmp_path)
    for file in ("before.md", "after.md"):
        (tmp_path / file).write_text(file)
    (tmp_path / "calls.json").write_text(CALLS)
    line = example.rpartition(" | ")[2].partition(" > ")[0]
    stdin = CALLS if example.startswith("cat calls.json") else "what a pipe brings"
    asks = name.endswith("delete") and "--yes" not in line

    ran = home.orca(*shlex.split(line)[1:], stdin=stdin, LANG="C.UTF-8")

    if name.endswith(WAITS_FOR_A_PERSON):
        assert "waits" in ran.stderr or "candidate" in ran.stderr, ran
    elif name == "models" and "ollama" in line:
        assert ran.status == 0 or ran.stderr.startswith("orca: ollama: "), ran
    elif asks:
        assert "--yes" in ran.stderr, ran
    else:
        assert ran.status == 0, ran


def test_help_shows_them_in_both_languages(home: OrcaHome) -> None:
    for lang, heading in (("C", "Examples:"), ("zh_CN.UTF-8", "示例")):
        said = home.orca("action", "add", "--help", LANG=lang).stdout

        assert said.rstrip().partition(heading)[2].lstrip(":").strip().startswith("orca action add LIKE")
