"""The examples in the help of a command: each can be typed as it stands."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from fakes.commands import COMMANDS
from fakes.foreign_files import conversation, message, packed
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
    chats = [conversation([message("user", "I live in Rome.")], "Moving")]
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
    elif line in NEEDS_A_TERMINAL or name == "config prompts edit":
        assert (ran.status, "terminal" in ran.stderr) == (2, True), ran
    elif asks:
        assert "--yes" in ran.stderr, ran
    else:
        assert ran.status == 0, ran
