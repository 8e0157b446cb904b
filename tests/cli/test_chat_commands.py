"""`orca chat`, one turn or line by line, and what is found of it: `why`, `context`, `search`."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import apsw
import pytest
from fakes.model_server import DONE, ModelServer, chunk, refuses, stream
from fakes.terminal import MadeOnce, OrcaHome

from orca_core.store.sqlite.engine import connection as sqlite_connection
from orca_core.store.sqlite.engine import opening


def spans_of(home: OrcaHome, session: str) -> str:
    return str(home.orca("session", "show", session, "--json").json["rounds"][-1]["user"])


def test_an_answer_comes_on_stdout_and_the_receipt_beside_it(home: OrcaHome) -> None:
    ran = home.orca("chat", "How do I list docker containers?")

    assert ran.status == 0
    assert ran.stdout.strip()
    assert "◇ nothing in: first round" in ran.stderr
    assert "◇" not in ran.stdout


def test_events_come_one_a_line_and_end_with_done(home: OrcaHome) -> None:
    events = home.orca("chat", "记住：我用 neovim 写 Python", "--json", "--session", "s1").events

    names = [event["event"] for event in events]
    assert names[-1] == "done"
    assert names.index("remembered") < names.index("injected") < names.index("delta") < names.index("reply")
    assert events[-1] == {"event": "done", "session_id": "s1", "round": 1}
    reply = events[names.index("reply")]
    assert "".join(event["text"] for event in events if event["event"] == "delta") == reply["text"]


def test_text_and_piped_text_are_question_and_material(home: OrcaHome) -> None:
    home.orca("chat", "explain this", "--session", "s1", stdin="line 1: boom\n")

    assert spans_of(home, "s1") == "explain this\n\nline 1: boom\n"


def test_a_chat_goes_on_in_the_latest_session_unless_it_is_new(home: OrcaHome) -> None:
    home.orca("chat", "first question here", "--session", "s1")

    second = home.orca("chat", "second question here", "--json").events[-1]
    other = home.orca("chat", "third question here", "--new", "--json").events[-1]

    assert (second["session_id"], second["round"]) == ("s1", 2)
    assert other["session_id"] != "s1"
    assert other["round"] == 1
    listed = home.orca("session", "list", "--json").json["sessions"]
    assert [session["rounds"] for session in listed] == [1, 2]


def test_an_error_is_an_event_too(home: OrcaHome) -> None:
    home.configure('provider = "dead"\n[dead]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\napi_key = "k"\n')

    ran = home.orca("chat", "anybody there?", "--json")

    assert ran.status == 1
    [error] = [event for event in ran.events if event["event"] == "error"]
    assert set(error) == {"event", "kind", "message", "hint"}
    assert ran.events[-1]["event"] == "done"


def test_a_session_or_round_that_does_not_exist_is_wrong_input(home: OrcaHome) -> None:
    home.orca("chat", "hello there, all of you", "--session", "s1")

    for arguments in (["session", "show", "none"], ["why", "9"], ["why", "1", "--session", "none"]):
        ran = home.orca(*arguments)
        assert (ran.status, ran.stdout) == (2, "")
        assert ran.stderr.count("\n") == 1


KEY = "very-own-key-5b0c9d17aa42"


def connected(home: OrcaHome, server: ModelServer) -> None:
    home.configure(f'provider = "mine"\n[mine]\nbase_url = "{server.base_url}"\nmodel = "m"\napi_key = "{KEY}"\n')


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


PROMPT = "you> "


def test_a_talk_answers_remembers_and_ends_with_ctrl_d(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)
        typist.type("记住：我用 neovim 写 Python\n")
        assert "remembered  #1" in typist.read_until(PROMPT)
        typist.type("/memory\n")
        assert "neovim" in typist.read_until(PROMPT)
        typist.type("/why\n")
        assert "round 1" in typist.read_until(PROMPT)
        typist.type("\x04")

        assert typist.end() == 0

    [session] = home.orca("session", "list", "--json").json["sessions"]
    assert session["rounds"] == 1


def test_slash_commands_change_memory_and_take_it_back(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)
        typist.type("/remember the staging server is called heron\n")
        assert "remembered  #1" in typist.read_until(PROMPT)
        typist.type("/forget staging server heron\n")
        typist.read_until("archive which?")
        typist.type("7\n")
        typist.read_until("archive which?")
        typist.type("1\n")
        assert "archived  #1" in typist.read_until(PROMPT)
        typist.type("/undo\n")
        assert ": archived #" in typist.read_until(PROMPT)
        typist.type("/redo\n")
        typist.read_until(PROMPT)
        typist.type("/frob\n")
        assert "no command /frob" in typist.read_until(PROMPT)
        typist.type("/remember\n")
        assert "a text is missing" in typist.read_until(PROMPT)
        typist.type("/help\n")
        assert "/forget TEXT" in typist.read_until(PROMPT)
        typist.type("/quit\n")

        assert typist.end() == 0

    assert home.orca("memory", "list", "--json", "--status", "archived").json["total"] == 1


def test_ctrl_c_at_the_prompt_drops_the_line_and_stays(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)
        typist.type("half a tho")
        typist.read_until("half a tho")
        typist.interrupt_until(PROMPT)
        typist.type("\x04")

        assert typist.end() == 0

    assert home.orca("session", "list", "--json").json["sessions"] == []


@pytest.mark.long
def test_sigterm_at_the_prompt_ends_with_143(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)

        assert typist.end(signal.SIGTERM) == 143


def test_typed_lines_are_kept_in_a_file_of_their_owner(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)
        typist.type("/session\n")
        typist.read_until(PROMPT)
        typist.type("\x04")
        typist.end()

    history = home.path / "chat_history"
    assert "/session" in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600


def test_a_delete_asks_and_no_is_no(home: OrcaHome) -> None:
    home.orca("memory", "add", "the staging server is called heron")

    with home.at_a_terminal("memory", "delete", "1") as typist:
        asked = typist.read_until("[y/N] ")
        assert "undo does not bring them back" in asked
        typist.type("\n")
        assert typist.end() == 1
    with home.at_a_terminal("memory", "delete", "1") as typist:
        typist.read_until("[y/N] ")
        typist.type("y\n")
        assert typist.end() == 0

    assert home.orca("memory", "list", "--json", "--status", "all").json["total"] == 0


def made(home: OrcaHome) -> Path:
    assert home.orca("memory", "add", "I use neovim").status == 0
    return home.path / "orca.db"


@pytest.mark.parametrize("how", ["emptied", "damaged", "locked", "no folder for it"])
def test_an_answer_comes_all_the_same(home: OrcaHome, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    path = made(home)
    holder = None
    if how == "emptied":
        path.write_bytes(b"")
    elif how == "damaged":
        content = path.read_bytes()
        path.write_bytes(content[:100] + b"\xff" * 8092 + content[8192:])
    elif how == "locked":
        monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_MS", 20)
        monkeypatch.setattr(opening, "BUSY_TIMEOUT_MS", 20)
        holder = apsw.Connection(str(path))
        holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").fetchall()
        holder.execute("CREATE TABLE held (x)")
    else:
        home = OrcaHome(Path("/dev/null/orca"))

    told = home.orca("chat", "hello there", "--json")
    said = home.orca("chat", "hello there")
    listed = home.orca("memory", "list")
    if holder is not None:
        holder.execute("ROLLBACK")
        holder.close()

    events = [each["event"] for each in told.events]
    [level] = [each for each in told.events if each["event"] == "level"]
    [error] = [each for each in told.events if each["event"] == "error"]
    assert (level["level"], error["kind"], events[-1]) == (4, "not_saved", "done")
    assert "reply" in events
    assert (told.status, said.status) == (1, 1)
    assert "demo" in said.stdout
    assert said.stderr.count("not saved: ") == 1
    assert (listed.status, listed.stdout) == (1, "")
    assert listed.stderr.startswith("orca: ")
    assert "broke" not in listed.stderr


def tell(home: OrcaHome) -> None:
    for session, text in (
        ("a", "my giraffe runs C++ in docker"),
        ("b", "长颈鹿的数据库 docker"),
        ("b", "set -x foo:bar"),
    ):
        assert home.orca("chat", text, "--session", session).status == 0


@pytest.fixture
def told(made_once: MadeOnce) -> OrcaHome:
    return made_once(tell)


def found(home: OrcaHome, *arguments: str) -> list[tuple[str, int]]:
    hits = home.orca("search", *arguments, "--json").json["messages"]
    return [(hit["session_id"], hit["round"]) for hit in hits if hit["role"] == "user"]


def test_a_hit_says_where_it_stands_and_marks_what_was_looked_for(told: OrcaHome) -> None:
    [hit] = told.orca("search", "giraffe", "c++", "--from", "user", "--json").json["messages"]
    assert (hit["session_id"], hit["round"], hit["role"], hit["title"]) == (
        "a",
        1,
        "user",
        "my giraffe runs C++ in docker",
    )
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["giraffe", "C++"]
    [line] = told.orca("search", "giraffe", "--from", "user").stdout.splitlines()
    assert re.fullmatch(r"a  1  \S+Z  user  my giraffe runs C\+\+ in docker  my giraffe runs C\+\+ in docker", line)


@pytest.mark.long
def test_a_task_is_worked_on_and_ended_in_a_talk(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        typist.read_until(PROMPT)
        typist.type("/done\n")
        assert "no task is in progress in this chat" in typist.read_until(PROMPT)
        typist.type("/task the proxy answers 502\n")
        assert "w1  the proxy answers 502" in typist.read_until(PROMPT)
        typist.type("/step read the log\n")
        assert "1  read the log" in typist.read_until(PROMPT)
        typist.type("/task\n")
        assert "read the log" in typist.read_until(PROMPT)
        typist.type("/done fail, nobody knows why\n")
        assert "it became episode e1" in typist.read_until(PROMPT)
        typist.type("/quit\n")

        assert typist.end() == 0

    [episode] = home.orca("episode", "list", "--json").json["episodes"]
    assert (episode["outcome"], episode["outcome_summary"]) == ("failed", "nobody knows why")
