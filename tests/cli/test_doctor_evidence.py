"""Each finding of the doctor names a few in which it was found, and the command that mends it, ready to be typed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.commands import COMMANDS
from fakes.terminal import OrcaHome

SAID = (
    "The wifi password is hunter2hunter",
    "The demo is tomorrow",
    "User likes tea",
    "user likes tea.",
    "The rent is 900 euros",
    "The rent is 950 euros",
)
LEARNT = """
    INSERT INTO extraction_runs (scope, kind, session_id, rounds, state, tries, started_at, ended_at, error)
    VALUES ('me', 'extract', 'a trip', '[1]', 'failed', 5, '2026-11-20T12:00:00Z', '2026-11-20T12:00:01Z', 'no answer'),
           ('me', 'consolidate', '', '[]', 'failed', 5, '2026-11-20T12:00:00Z', '2026-11-20T12:00:01Z', 'no answer')
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> OrcaHome:
    home = OrcaHome(tmp_path_factory.mktemp("broken") / "a home")
    home.orca("memory", "clean")  # so that the daily cleaning merges nothing
    home.write(*SAID)
    assert home.orca("chat", "hello there", "--session", "a trip").status == 0
    with apsw.Connection(str(home.path / "orca.db")) as database:
        database.execute("INSERT INTO vectors (kind, id, model, vector) VALUES ('memory', 99, 'm', x'00003c00')")
        database.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
        database.execute("DELETE FROM unindexed_messages")
        database.execute(LEARNT)
    (home.path / "agents").mkdir(mode=0o700)
    (home.path / "agents" / "memory_extractor.md").write_text("no places to fill in")
    (home.path / "agents" / "memory_extractor.md").chmod(0o600)
    for number in range(7):
        (home.path / f"note {number}").write_text("mine")
        (home.path / f"note {number}").chmod(0o644)
    return home


def evidence(home: OrcaHome) -> dict[str, list[dict[str, Any]]]:
    checks = home.orca("doctor", "--json").json["checks"]
    return {each["name"]: each["evidence"] for each in checks if each["state"] != "ok"}


def test_every_command_that_is_named_can_be_typed(broken: OrcaHome) -> None:
    found = evidence(broken)
    lines = {name: [each["command"] for each in some if each["command"]] for name, some in found.items()}

    for line in (each for some in lines.values() for each in some):
        words = shlex.split(line)
        if words[0] == "chmod":
            assert (words[1], Path(words[2]).exists()) == ("600", True)
        else:
            _parse(words)
    assert lines["secrets"] == ["orca memory delete 1"]
    assert lines["days"] == ["orca memory edit 2"]
    assert lines["duplicates"] == ["orca memory merge 3 4"]
    assert lines["conflicts"] == ["orca memory archive 5"]
    assert lines["learning"] == ["orca extract --show 2", "orca extract --show 1"]
    assert lines["reading of work"] == ["orca extract --show 2"]
    assert lines["messages"] == ["orca session show 'a trip'"]
    assert lines["prompts"] == ["orca config prompts show memory_extractor"]


def _parse(words: list[str]) -> None:
    """Raises click.UsageError for what the command does not take."""
    assert words[0] == "orca"
    length = next(each for each in (2, 3, 4) if " ".join(words[1:each]) in COMMANDS)
    COMMANDS[" ".join(words[1:length])].make_context("orca", words[length:])


def test_a_few_are_named_and_the_rest_is_counted(broken: OrcaHome) -> None:
    checks = broken.orca("doctor", "--json").json["checks"]
    [files] = [each for each in checks if each["name"] == "files"]

    assert (len(files["evidence"]), files["more"]) == (5, 2)
    assert "and 2 more" in broken.orca("doctor").stdout


def test_what_is_amiss_of_an_index_is_named(broken: OrcaHome) -> None:
    [gone] = evidence(broken)["search index"]

    assert (gone["id"], gone["what"]) == (99, "gone, but its vector is there")
    assert "已不存在，向量却还在" in broken.orca("doctor", LANG="zh_CN.UTF-8").stdout


def test_an_endpoint_without_a_key_is_named_with_the_file_it_belongs_in(home: OrcaHome) -> None:
    home.configure('provider = "deepseek"\n')
    checks = home.orca("doctor", "--json").json["checks"]
    [lacking] = [each for each in checks if each["name"] == "config" and each["state"] == "warn"]

    assert lacking["detail"] == "deepseek has no key; it is used for: chat, memory agent"
    assert f"{home.path / 'config.toml'}, as api_key in [deepseek]" in lacking["fix"]
    checks = home.orca("doctor", "--json", DEEPSEEK_API_KEY="k").json["checks"]
    assert [each["state"] for each in checks if each["name"] == "config"] == ["ok"]
