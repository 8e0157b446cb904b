"""`orca doctor`: what it finds and names, what it mends, whom it asks."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.commands import COMMANDS
from fakes.model_server import DONE, Act, ModelServer, Request, chunk, refuses, stream, vectors
from fakes.terminal import MadeOnce, OrcaHome, Ran

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
def disordered(made_once: MadeOnce) -> OrcaHome:
    return made_once(break_it)


def modes(home: OrcaHome) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in (home.path, home.path / "orca.db")]


def test_it_mends_what_is_safe_and_leaves_the_rest(disordered: OrcaHome) -> None:
    ran = disordered.orca("doctor", "--fix", "--json")

    assert {each["state"] for each in ran.json["repairs"]} == {"done"}
    assert modes(disordered) == [0o700, 0o600]
    states = {each["name"]: each["state"] for each in ran.json["checks"]}
    assert (states["files"], states["search index"], states["duplicates"]) == ("ok", "ok", "ok")
    assert {"secrets", "chat"} <= set(ran.json["left"])
    assert "wifi" in disordered.orca("memory", "search", "wifi").stdout

    [merged] = [each for each in ran.json["repairs"] if each["name"] == "duplicates"]
    assert disordered.orca("memory", "undo", str(merged["operation"])).status == 0
    assert disordered.orca("memory", "list", "--json").json["total"] == 3

    again = disordered.orca("doctor", "--fix", "--json").json
    assert again["repairs"] == []


def test_a_damaged_database_is_left_as_it_is(disordered: OrcaHome) -> None:
    (disordered.path / "orca.db").write_bytes(b"this is no database, and never was one\n" * 100)
    for side in ("-wal", "-shm"):
        (disordered.path / f"orca.db{side}").unlink(missing_ok=True)
    before = (disordered.path / "orca.db").read_bytes()

    ran = disordered.orca("doctor", "--fix", "--json")

    assert ran.status == 1
    assert {each["name"] for each in ran.json["repairs"]} == {"files"}
    assert "database" in ran.json["left"]
    assert (disordered.path / "orca.db").read_bytes() == before


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


JSON = {"Content-Type": "application/json"}
KEY = "sk-live-4f2b9c8e7d6a5b4c"
THREE_ENDPOINTS = """
provider = "near"
[near]
base_url = "{url}"
model = "tiny"
api_key = "{key}"
[embedding]
provider = "near"
model = "embeds"
dimensions = 4
[rerank]
provider = "near"
model = "ranks"
"""


def serve(request: Request) -> Act:
    """A whole server: models, answers, embeddings, an order."""
    if request.path.endswith("/models"):
        return Act([json.dumps({"data": [{"id": "tiny"}, {"id": "large"}]}).encode()], 200, JSON)
    if request.path.endswith("/embeddings"):
        return vectors(*([1.0, 0.0, 0.0, 0.0] for _ in request.body["input"]))
    if request.path.endswith("/rerank"):
        return Act([json.dumps({"results": [{"index": 0, "relevance_score": 0.9}]}).encode()], 200, JSON)
    return stream(chunk("pong"), chunk(finish="stop"), DONE)


def refuse(request: Request) -> Act:
    return refuses(401, {"error": {"message": f"invalid key {KEY}"}})


def states(ran: Ran) -> dict[str, str]:
    return {each["name"]: each["state"] for each in ran.json["checks"]}


def details(ran: Ran) -> dict[str, str]:
    return {each["name"]: each["detail"] for each in ran.json["checks"]}


@pytest.fixture
def configured(home: OrcaHome):
    with ModelServer() as server:
        home.configure(THREE_ENDPOINTS.format(url=server.base_url, key=KEY))
        yield server


def test_every_endpoint_is_asked_once_and_timed(home: OrcaHome, configured: ModelServer) -> None:
    configured.will(serve)

    ran = home.orca("doctor", "--network", "--json")

    assert ran.status == 0, ran
    assert {states(ran)[name] for name in ("chat", "memory agent", "embedding", "rerank")} == {"ok"}
    assert (states(ran)["verifier"], "could not be read" in details(ran)["verifier"]) == ("warn", True)
    told = details(ran)
    assert told["chat"].startswith("near, tiny: answers after ")
    assert told["chat"].endswith(" s, one of 2 models")
    assert "4 dimensions, as configured, after " in told["embedding"]
    assert "dialect" in told["rerank"]
    asked = [each.path.rpartition("/v1/")[2] for each in configured.requests]
    assert {each: asked.count(each) for each in asked} == {
        "models": 2,
        "chat/completions": 3,  # and the verifier, which is not understood
        "embeddings": 1,
        "rerank": 2,
    }
    assert "what to do" not in home.orca("doctor", "--network").stdout.partition("chat")[2].partition("learning")[0]


def test_a_refusal_fails_and_never_shows_the_key(home: OrcaHome, configured: ModelServer) -> None:
    configured.will(refuse)

    ran = home.orca("doctor", "--network", "--json")
    shown = home.orca("doctor", "--network")

    assert (ran.status, shown.status) == (1, 1)
    assert states(ran) | {"chat": "fail", "memory agent": "warn", "embedding": "warn", "rerank": "warn"} == states(ran)
    assert ran.json["level"] == 2
    for each in (ran, shown):
        assert KEY not in each.stdout + each.stderr
