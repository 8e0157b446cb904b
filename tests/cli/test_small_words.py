"""What commands say beside their results: where something came from, what was left out, how to go on."""

from __future__ import annotations

from fakes.terminal import OrcaHome

LINES = b"# Travel\n- 2024-05-01: I like trains\n- I am a nurse in Berlin\n"


def test_an_imported_memory_says_in_full_where_it_came_from(home: OrcaHome) -> None:
    assert home.orca("memory", "import", "--trust", stdin=LINES).status == 0

    shown = home.orca("memory", "show", "1").stdout

    assert "from: a list" in shown
    assert "Travel" in shown


def test_a_line_without_a_day_is_given_none_in_the_inbox(home: OrcaHome) -> None:
    assert home.orca("memory", "import", stdin=LINES).status == 0

    dated, undated = [line for line in home.orca("memory", "inbox").stdout.splitlines() if "a list" in line]

    assert dated.rstrip().endswith("2024-05-01")
    assert undated.rstrip().endswith("Travel")


def test_an_operation_that_there_is_not_is_refused(home: OrcaHome) -> None:
    home.orca("memory", "add", "I like trains")

    for decision in ("accept", "reject"):
        ran = home.orca("memory", decision, "--operation", "99", "--yes")
        assert (ran.status, "no operation 99" in ran.stderr) == (2, True), ran


def test_a_title_that_was_cut_says_so(home: OrcaHome) -> None:
    assert home.orca("chat", "--session", "s", stdin="hello\n").status in (0, 1)

    short = home.orca("session", "rename", "s", "trains")
    long = home.orca("session", "rename", "s", "trains " * 700)

    assert (short.status, "left out" in short.stderr) == (0, False), short
    assert (long.status, "too long for a title" in long.stderr) == (0, True), long


def test_the_help_of_search_tells_how_a_hit_is_opened(home: OrcaHome) -> None:
    assert "orca --session ID --round N" in " ".join(home.orca("search", "--help").stdout.split())


def test_a_dry_run_says_why_an_entry_waits_though_it_is_trusted(home: OrcaHome) -> None:
    given = b"- I like trains\n- My API key is sk-live-abcdefghijklmnop1234567890\n"

    shown = home.orca("memory", "import", "--trust", "--dry-run", stdin=given).stdout.splitlines()
    told = home.orca("memory", "import", "--trust", "--dry-run", "--json", stdin=given).json["changed"]

    assert [each["held_because"] for each in told] == [None, "secret"]
    assert shown[0].rstrip().endswith("I like trains")
    assert next(line for line in shown if "My API key" in line).rstrip().endswith(")")
