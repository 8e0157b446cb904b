"""`orca session rename | delete | export`, end to end on a real database."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from fakes.terminal import MadeOnce, OrcaHome

PASTED = "a log\nof two lines\n"


def tell(home: OrcaHome) -> None:
    assert home.orca("chat", "why is it red?", "--session", "a", stdin=PASTED).status == 0
    assert home.orca("chat", "and now?", "--session", "a").status == 0
    assert home.orca("chat", "a giraffe", "--session", "b").status == 0


@pytest.fixture
def told(made_once: MadeOnce) -> OrcaHome:
    return made_once(tell)


def titles(home: OrcaHome) -> dict[str, str]:
    return {each["id"]: each["title"] for each in home.orca("session", "list", "--json").json["sessions"]}


def test_chats_are_deleted_for_good_and_what_was_learnt_stays(told: OrcaHome) -> None:
    assert told.orca("memory", "add", "likes giraffes").status == 0
    refused = told.orca("session", "delete", "a")
    assert (refused.status, "--yes" in refused.stderr) == (2, True)
    gone = told.orca("session", "delete", "a", "b", "a", "--yes", "--json").json
    assert gone["changed"] == [{"id": "a", "status": "deleted"}, {"id": "b", "status": "deleted"}]
    assert (gone["operation"], gone["wiped"]) == (None, True)
    assert titles(told) == {}
    assert told.orca("search", "giraffe", "--json").json["messages"] == []
    assert b"why is it red" not in (told.path / "orca.db").read_bytes()
    assert told.orca("memory", "list", "--json").json["total"] == 1


def test_a_chat_is_exported_to_be_read(told: OrcaHome, tmp_path: Path) -> None:
    printed = told.orca("session", "export", "a").stdout
    assert printed.startswith("# why is it red?\n\n*")
    assert f"```text\n{PASTED}```\n" in printed
    assert printed.index("## 1 · ") < printed.index("## 2 · ") < printed.index("and now?")
    into = tmp_path / "chat.md"
    assert told.orca("session", "export", "a", "-o", str(into)).stdout == f"written: {into}\n"
    assert into.read_text("utf-8") == printed
    assert stat.S_IMODE(into.stat().st_mode) == 0o600


def test_nothing_is_written_over_unasked_and_no_link_is_followed(told: OrcaHome, tmp_path: Path) -> None:
    there, link = tmp_path / "there.md", tmp_path / "link.md"
    there.write_text("mine")
    link.symlink_to(there)
    for path in (there, link):
        assert told.orca("session", "export", "a", "-o", str(path)).status == 2
    assert told.orca("session", "export", "a", "-o", str(link), "--force").status == 2
    assert there.read_text() == "mine"
    assert told.orca("session", "export", "a", "-o", str(there), "--force").status == 0
    assert there.read_text("utf-8").startswith("# why")
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == ["link.md", "there.md"]


def test_several_chats_go_into_a_folder(told: OrcaHome, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    printed = told.orca("session", "export", "b", "a", "b", "-o", str(folder), "--json").json
    assert printed == {
        "files": [
            {"id": each, "file": str(folder / f"{each}.md"), "rounds": count} for each, count in (("b", 1), ("a", 2))
        ]
    }
    assert (folder / "a.md").read_text("utf-8") == told.orca("session", "export", "a").stdout
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    (folder / "b.md").unlink()
    refused = told.orca("session", "export", "--all", "-o", str(folder))
    assert (refused.status, [each.name for each in folder.iterdir()]) == (2, ["a.md"])
    assert told.orca("session", "export", "--all", "--format", "json", "-o", str(folder)).status == 0
    assert sorted(each.name for each in folder.iterdir()) == ["a.json", "a.md", "b.json"]


@pytest.mark.parametrize(
    "wrong",
    [
        ("a", "-o", ""),
        (),
        ("a", "--all"),
        ("a", "b"),
        ("--all",),
        ("a", "nosuch", "-o", "x"),
        ("--all", "-o", __file__),
    ],
)
def test_what_names_no_chats_or_no_folder_writes_nothing(
    told: OrcaHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert (told.orca("session", "export", *wrong).status, sorted(tmp_path.iterdir())) == (2, before)
