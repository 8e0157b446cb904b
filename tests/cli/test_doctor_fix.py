"""`orca doctor --fix`: mends what is safe, says what it did, and leaves the rest to a person."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
from fakes.model_server import DONE, Act, ModelServer, Request, chunk, stream
from fakes.terminal import MadeOnce, OrcaHome

from orca_core.model.recall import Level

CONFIG = 'provider = "near"\n[near]\nbase_url = "{url}"\nmodel = "tiny"\n'


def database(home: OrcaHome) -> apsw.Connection:
    return apsw.Connection(str(home.path / "orca.db"))


def break_it(home: OrcaHome) -> None:
    """Readable by others, said twice, its index out of step, with a secret."""
    home.write("User likes tea", "user likes tea.", "The wifi password is hunter2hunter")
    connection = database(home)
    connection.execute("INSERT INTO vectors (kind, id, model, vector) VALUES ('memory', 99, 'm', x'00003c00')")
    connection.execute("INSERT INTO long_term_text (long_term_text) VALUES ('delete-all')")
    connection.close()
    home.path.chmod(0o755)
    (home.path / "orca.db").chmod(0o644)


@pytest.fixture
def broken(made_once: MadeOnce) -> OrcaHome:
    return made_once(break_it)


def modes(home: OrcaHome) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in (home.path, home.path / "orca.db")]


def test_a_dry_run_says_what_would_be_mended_and_touches_nothing(broken: OrcaHome) -> None:
    ran = broken.orca("doctor", "--fix", "--dry-run", "--json")

    assert ran.status == 0
    told = [(each["name"], each["state"]) for each in ran.json["repairs"]]
    assert told == [("files", "would"), ("files", "would"), ("search index", "would"), ("duplicates", "would")]
    assert modes(broken) == [0o755, 0o644]
    assert {"files", "search index", "duplicates", "secrets"} <= set(ran.json["left"])
    assert broken.orca("memory", "list", "--json").json["total"] == 3


def test_it_mends_what_is_safe_and_leaves_the_rest(broken: OrcaHome) -> None:
    ran = broken.orca("doctor", "--fix", "--json")

    assert {each["state"] for each in ran.json["repairs"]} == {"done"}
    assert modes(broken) == [0o700, 0o600]
    states = {each["name"]: each["state"] for each in ran.json["checks"]}
    assert (states["files"], states["search index"], states["duplicates"]) == ("ok", "ok", "ok")
    assert {"secrets", "chat"} <= set(ran.json["left"])
    assert "wifi" in broken.orca("memory", "search", "wifi").stdout

    [merged] = [each for each in ran.json["repairs"] if each["name"] == "duplicates"]
    assert broken.orca("memory", "undo", str(merged["operation"])).status == 0
    assert broken.orca("memory", "list", "--json").json["total"] == 3

    again = broken.orca("doctor", "--fix", "--json").json
    assert again["repairs"] == []


@pytest.mark.parametrize(
    ("lang", "mended", "left"), [("C.UTF-8", "mended", "left to you: "), ("zh_CN.UTF-8", "已修好", "留给你：")]
)
def test_people_read_what_was_mended_and_what_is_left(broken: OrcaHome, lang: str, mended: str, left: str) -> None:
    ran = broken.orca("doctor", "--fix", LANG=lang)

    assert ran.stdout.startswith(mended)
    assert ran.stdout.splitlines()[-1].startswith(left)
    assert "hunter2" not in ran.stdout + ran.stderr


def test_files_are_mended_where_nothing_else_can_be(home: OrcaHome) -> None:
    home.configure("memory = [[[\n")
    home.path.chmod(0o755)
    (home.path / "config.toml").chmod(0o644)

    ran = home.orca("doctor", "--fix", "--json")

    assert ran.status == 1
    assert [(each["name"], each["state"]) for each in ran.json["repairs"]] == [("files", "done")] * 2
    assert home.path.stat().st_mode & 0o777 == 0o700


def test_a_damaged_database_is_left_as_it_is(broken: OrcaHome) -> None:
    (broken.path / "orca.db").write_bytes(b"this is no database, and never was one\n" * 100)
    for side in ("-wal", "-shm"):
        (broken.path / f"orca.db{side}").unlink(missing_ok=True)
    before = (broken.path / "orca.db").read_bytes()

    ran = broken.orca("doctor", "--fix", "--json")

    assert ran.status == 1
    assert {each["name"] for each in ran.json["repairs"]} == {"files"}
    assert "database" in ran.json["left"]
    assert (broken.path / "orca.db").read_bytes() == before


def test_what_a_link_leads_to_keeps_its_mode(broken: OrcaHome, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "mine").chmod(0o644)
    (broken.path / "link").symlink_to(tmp_path / "mine")

    broken.orca("doctor", "--fix")

    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o644


def test_a_dry_run_of_nothing_is_refused(home: OrcaHome) -> None:
    ran = home.orca("doctor", "--dry-run")

    assert (ran.status, ran.stdout) == (2, "")
    assert "--dry-run goes with --fix" in ran.stderr


def test_parked_runs_are_tried_again_only_where_the_agent_may_be_asked(home: OrcaHome) -> None:
    def serve(request: Request) -> Act:
        if request.path.endswith("/models"):
            return Act([json.dumps({"data": []}).encode()], 200, {"Content-Type": "application/json"})
        return stream(chunk("ok"), chunk(finish="stop"), DONE)

    with ModelServer() as server:
        server.will(serve)
        home.configure(CONFIG.format(url=server.base_url))
        assert home.orca("chat", "hello there", "--session", "s").status == 0
        connection = database(home)
        connection.execute(
            "INSERT INTO extraction_runs (scope, kind, session_id, rounds, state, tries, started_at, ended_at, error)"
            " VALUES ('me', 'extract', 's', '[1]', 'failed', 5, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'x')"
        )
        connection.close()
        asked = len(server.requests)

        left = home.orca("doctor", "--fix", "--json").json["repairs"]
        assert len(server.requests) == asked
        would = home.orca("doctor", "--fix", "--network", "--dry-run", "--json").json["repairs"]
        done = home.orca("doctor", "--fix", "--network", "--json").json["repairs"]
        again = home.orca("doctor", "--fix", "--network", "--json").json["repairs"]

    assert [[(each["name"], each["state"]) for each in some] for some in (left, would, done, again)] == [
        [("learning", "left")],
        [("learning", "would")],
        [("learning", "done")],
        [],
    ]


WORDS = "UPDATE long_term_text_data SET block = randomblob(40) WHERE id > 10"
SAID = "UPDATE message_text_data SET block = randomblob(40) WHERE id > 10"


def speak(home: OrcaHome) -> None:
    for number in range(12):
        assert home.orca("memory", "add", f"User likes tea number {number}").status == 0
    assert home.orca("chat", "what is my favourite tea?").status == 0


@pytest.fixture
def spoken(made_once: MadeOnce) -> OrcaHome:
    return made_once(speak)


@pytest.mark.long
@pytest.mark.parametrize(
    ("damage", "check", "asked"),
    [(WORDS, "search index", ("memory", "search", "tea")), (SAID, "messages", ("search", "favourite"))],
)
def test_a_damaged_index_is_no_damaged_database_and_is_made_anew(
    spoken: OrcaHome, damage: str, check: str, asked: tuple[str, ...]
) -> None:
    connection = database(spoken)
    connection.execute(damage)
    connection.close()

    refused = spoken.orca(*asked)
    assert (refused.status, "orca memory reindex" in refused.stderr) == (1, True)
    found = spoken.orca("doctor", "--json")
    checks = {each["name"]: each for each in found.json["checks"]}
    assert checks["database"]["state"] == "ok"
    assert (found.status, checks[check]["state"]) == (1, "fail")
    assert "orca memory reindex" in checks[check]["fix"]
    assert (found.json["level"] == Level.SHORT_TERM_ONLY) == (damage == WORDS)
    assert "move it away" not in found.stdout

    fixed = spoken.orca("doctor", "--fix", "--json")
    assert (fixed.status, [each["name"] for each in fixed.json["repairs"]]) == (0, [check])
    assert not {check, "long-term memory"} & set(fixed.json["left"])
    again = spoken.orca(*asked)
    assert (again.status, "tea" in again.stdout) == (0, True)


def test_messages_that_the_index_missed_are_indexed(spoken: OrcaHome) -> None:
    connection = database(spoken)
    connection.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
    connection.close()

    would = spoken.orca("doctor", "--fix", "--dry-run", "--json").json
    assert [(each["name"], each["state"]) for each in would["repairs"]] == [("messages", "would")]
    fixed = spoken.orca("doctor", "--fix", "--json").json
    assert [(each["name"], each["state"]) for each in fixed["repairs"]] == [("messages", "done")]
    assert "messages" not in fixed["left"]
    assert "favourite" in spoken.orca("search", "favourite").stdout
