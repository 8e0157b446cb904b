"""`orca memory export`: one document on stdout, or in a file that is private, whole, and in nobody's way."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from fakes.terminal import MadeOnce, OrcaHome

from orca_tui.cli.output import json_cleaned


def keep(home: OrcaHome) -> None:
    for text in ("I like green tea", "工作用 Neovim"):
        assert home.orca("memory", "add", text).status == 0
    home.orca("task", "start", "renew the certificate", "--session", "s")
    home.orca("task", "step", "asked the authority", "--task", "1")
    home.orca("task", "done", "success", "renewed", "--task", "1")


@pytest.fixture
def kept(made_once: MadeOnce) -> OrcaHome:
    return made_once(keep)


def test_all_of_it_is_one_document_on_stdout(kept: OrcaHome) -> None:
    ran = kept.orca("memory", "export")

    document = ran.json
    assert (ran.status, ran.stderr, document["orca_export"]) == (0, "", 1)
    assert [each["content"] for each in document["memories"]] == ["I like green tea", "工作用 Neovim"]
    [task], [step], [episode] = document["tasks"], document["steps"], document["episodes"]
    assert step["task"] == task["uid"] == episode["task"]
    assert [each["action"] for each in document["operations"]][:2] == ["add", "add"]
    assert "id" not in document["memories"][0]


def test_a_file_gets_it_and_is_private(kept: OrcaHome, tmp_path: Path) -> None:
    file = tmp_path / "out" / "m.json"
    file.parent.mkdir()

    ran = kept.orca("memory", "export", "-o", str(file), "--json")

    assert ran.json["counts"]["memories"] == 2
    assert json.loads(file.read_text("utf-8")) == kept.orca("memory", "export").json
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["m.json"]


def test_nothing_is_written_over_unless_told(kept: OrcaHome, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text("mine", "utf-8")

    refused = kept.orca("memory", "export", "-o", str(file))

    assert (refused.status, file.read_text("utf-8")) == (2, "mine")
    assert "is there already — --force writes over it" in refused.stderr
    assert kept.orca("memory", "export", "-o", str(file), "--force").status == 0
    assert json.loads(file.read_text("utf-8"))["orca_export"] == 1


@pytest.mark.parametrize("more", [(), ("--force",)])
def test_a_symbolic_link_is_never_followed(kept: OrcaHome, tmp_path: Path, more: tuple[str, ...]) -> None:
    target, link = tmp_path / "bashrc", tmp_path / "m.json"
    target.write_text("mine", "utf-8")
    link.symlink_to(target)

    refused = kept.orca("memory", "export", "-o", str(link), *more)

    assert refused.status == 2
    assert "symbolic link" in refused.stderr
    assert (target.read_text("utf-8"), link.is_symlink()) == ("mine", True)


@pytest.mark.parametrize("path", ["", "nosuch/m.json"])
def test_a_place_where_nothing_can_be_written_is_a_line(kept: OrcaHome, tmp_path: Path, path: str) -> None:
    refused = kept.orca("memory", "export", "-o", f"{tmp_path}/{path}", "--force")

    assert refused.status == 2
    assert refused.stderr.startswith("orca: ")
    assert refused.stderr.count("\n") == 1
    assert "Traceback" not in refused.stderr


def test_what_a_terminal_must_not_see_is_escaped() -> None:
    said = json.dumps("a\u202egpj\u009b2J\u200b\u001b]2;x 雪", ensure_ascii=False)

    piece = json_cleaned(said)

    assert piece == '"a\\u202egpj\\u009b2J\\u200b\\u001b]2;x 雪"'
    assert json.loads(piece) == json.loads(said)
    assert json_cleaned(piece, ascii_only=True).isascii()
