"""What the doctor says of files and the disk: who else may open them, whether there is room."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from fakes.terminal import OrcaHome

Usage = namedtuple("Usage", "total used free")


def check(home: OrcaHome, name: str, **environ: str) -> dict[str, Any]:
    return next(each for each in home.orca("doctor", "--json", **environ).json["checks"] if each["name"] == name)


def test_a_home_that_orca_made_is_private(home: OrcaHome) -> None:
    home.orca("memory", "add", "User likes tea")

    assert check(home, "files")["state"] == "ok"
    assert check(home, "disk")["state"] == "ok"


def test_what_others_may_open_is_named_with_its_mode(home: OrcaHome) -> None:
    home.orca("memory", "add", "User likes tea")
    (home.path / "backups").mkdir(mode=0o755)
    (home.path / "backups" / "old.db").write_bytes(b"x")
    for path, mode in ((home.path, 0o755), (home.path / "orca.db", 0o644), (home.path / "backups" / "old.db", 0o604)):
        path.chmod(mode)

    found = check(home, "files")

    assert found["state"] == "warn"
    assert {each["text"].removeprefix(str(home.path)) for each in found["evidence"]} == {
        " (755)",
        "/orca.db (644)",
        "/backups (755)",
        "/backups/old.db (604)",
    }


def test_what_a_link_leads_to_is_not_orcas(home: OrcaHome, tmp_path: Path) -> None:
    home.orca("memory", "add", "User likes tea")
    (tmp_path / "mine.md").write_text("mine")
    (tmp_path / "mine.md").chmod(0o644)
    (home.path / "agents").mkdir(mode=0o700)
    (home.path / "agents" / "mine.md").symlink_to(tmp_path / "mine.md")

    assert check(home, "files")["state"] == "ok"


def test_a_home_that_is_the_users_own_folder_is_left_out(home: OrcaHome) -> None:
    home.orca("memory", "add", "User likes tea")
    (home.path / "letter.txt").write_text("mine")
    (home.path / "letter.txt").chmod(0o644)

    assert check(home, "files", HOME=str(home.path))["state"] == "ok"
    assert check(home, "files")["state"] == "warn"


@pytest.mark.parametrize(("free", "state"), [(10 * 1_048_576, "fail"), (60 * 1_048_576, "ok")])
def test_a_full_disk_is_said(home: OrcaHome, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    home.orca("memory", "add", "User likes tea")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(free, 0, free))

    found = check(home, "disk")
    assert found["state"] == state
    largest = f"{home.path / 'orca.db'} ("
    assert [each["text"].startswith(largest) for each in found["evidence"][:1]] == ([True] if state == "fail" else [])


def test_files_are_looked_at_where_the_configuration_can_not_be_read(home: OrcaHome) -> None:
    home.configure("memory = [[[\n")
    home.path.chmod(0o755)

    found = {each["name"]: each["state"] for each in home.orca("doctor", "--json").json["checks"]}

    assert found == {"config": "fail", "files": "warn", "disk": "ok"}
