"""Why a round ended so, as it is told later: in the language of the reader, and without a key."""

from __future__ import annotations

from fakes.model_server import DONE, DROP, ModelServer, chunk, refuses, stream
from fakes.terminal import OrcaHome

KEY = "very-own-key-5b0c9d17aa42"


def connected(home: OrcaHome, server: ModelServer) -> None:
    home.configure(f'provider = "mine"\n[mine]\nbase_url = "{server.base_url}"\nmodel = "m"\napi_key = "{KEY}"\n')


def test_an_answer_that_the_server_cut_is_no_stop(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(stream(chunk("half an answer"), DROP))
        connected(home, server)
        assert home.orca("chat", "which port?", "--session", "s1").status == 1

    [said] = home.orca("session", "show", "s1", "--json").json["rounds"]
    assert (said["state"], said["assistant"]) == ("interrupted", "half an answer")
    assert said["cause"]["kind"] == "model_unavailable"
    shown = home.orca("session", "show", "s1").stdout
    assert said["cause"]["message"] in shown
    assert "(stopped)" not in shown
    assert "mine：" in home.orca("session", "show", "s1", LANG="zh_CN.UTF-8").stdout


def test_a_key_that_the_server_says_back_is_kept_nowhere(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(refuses(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}))
        connected(home, server)
        assert home.orca("chat", "which port?", "--session", "s1").status == 1

    [said] = home.orca("session", "show", "s1", "--json").json["rounds"]
    assert said["state"] == "failed"
    assert "key was not accepted" in said["cause"]["message"]
    files = [path for path in home.path.rglob("*") if path.is_file() and path.name != "config.toml"]
    assert files
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []


def test_a_pipe_is_given_the_answer_alone_where_thoughts_came_first(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(stream(chunk("Which port did they "), chunk("name?\n</think>\n\nIt is 5432.", finish="stop"), DONE))
        connected(home, server)

        ran = home.orca("chat", "which port?", "--session", "s1")

    assert ran.stdout == "It is 5432.\n"
    assert "thinking" not in ran.stderr
