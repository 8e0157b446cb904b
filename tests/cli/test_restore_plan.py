"""What `orca restore` says it would change, before it does."""

from __future__ import annotations

from pathlib import Path

from fakes.terminal import OrcaHome


def add(home: OrcaHome, *texts: str) -> None:
    for text in texts:
        assert home.orca("memory", "add", text).status == 0


def backed_up(home: OrcaHome) -> str:
    return str(home.orca("backup", "--json").json["backup"]["name"])


def test_a_dry_run_names_what_goes_comes_back_and_is_as_before(home: OrcaHome) -> None:
    add(home, "I live in Berlin", "I drink tea", "I like cats")
    backup = backed_up(home)
    home.orca("memory", "edit", "1", "--content", "I live in \x1b[31mParis")
    home.orca("memory", "pin", "1")
    home.orca("memory", "delete", "2", "--yes")
    add(home, *(f"I own boat number {number}" for number in range(5)))

    shown = home.orca("restore", backup, "--dry-run").stdout
    told = home.orca("restore", backup, "--dry-run", "--json").json

    assert "now 7 memories, then 2 memories" in shown
    assert "goes  #8  I own boat number 4\n" in shown
    assert "and 2 more" in shown
    assert "is as before  #1  I live in [31mParis \N{RIGHTWARDS ARROW} I live in Berlin  (text, pinned)" in shown
    assert "changed since, and as before with this: 1 memory" in shown
    assert "comes back" not in shown
    assert told["kinds"]["memories"] == {"now": 7, "then": 2, "lost": 5, "back": 0, "changed": 1}
    records = told["records"]["memories"]
    assert [each["id"] for each in records["lost"]] == ["8", "7", "6", "5", "4"]
    assert records["back"] == []
    [changed] = records["changed"]
    assert (changed["id"], changed["then"], changed["fields"]) == ("1", "I live in Berlin", ["content", "pinned"])


def test_what_an_undo_of_a_restore_would_bring_back_is_named(home: OrcaHome) -> None:
    assert home.orca("memory", "list").status == 0
    backup = backed_up(home)
    add(home, "I live in Berlin")
    ran = home.orca("restore", backup, "--yes", "--json")
    kept = Path(ran.json["kept"]).name

    shown = home.orca("restore", kept, "--dry-run").stdout

    assert "now 0 memories, then 1 memory" in shown
    assert "comes back  #1  I live in Berlin" in shown
