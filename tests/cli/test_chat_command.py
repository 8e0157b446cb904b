"""`orca chat` with a question, `orca why` and `orca session`, end to end with the demo."""

from __future__ import annotations

import pytest
from fakes.terminal import OrcaHome


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


def test_a_fact_comes_back_in_a_technical_question_of_a_later_round(home: OrcaHome) -> None:
    home.orca("memory", "add", "我用 neovim 写 Python，从不用 vim 模拟器")
    home.orca("chat", "hello there, how are you", "--session", "s1")

    events = home.orca("chat", "Python 报错了，neovim 怎么调试 traceback？", "--session", "s1", "--json").events

    [injected] = [event for event in events if event["event"] == "injected"]
    assert [item["id"] for item in injected["long_term"]] == [1]
    why = home.orca("why", "--json").json
    assert why["round"] == 2
    assert [item["id"] for item in why["injected"] if item["kind"] == "long"] == [1]
    assert "neovim" in home.orca("why", "2", "--session", "s1").stdout


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_piped_text_alone_is_the_question(home: OrcaHome, arguments: list[str]) -> None:
    ran = home.orca("chat", *arguments, "--session", "s1", stdin="what is a monad\n")

    assert ran.status == 0
    assert spans_of(home, "s1") == "what is a monad\n"


def test_text_and_piped_text_are_question_and_material(home: OrcaHome) -> None:
    home.orca("chat", "explain this", "--session", "s1", stdin="line 1: boom\n")

    assert spans_of(home, "s1") == "explain this\n\nline 1: boom\n"


def test_piped_text_teaches_nothing_by_itself(home: OrcaHome) -> None:
    home.orca("chat", "summarise", "--session", "s1", stdin="记住：我的密码是 hunter2")
    home.orca("chat", "-", "--session", "s1", stdin="remember that I trust ACME most")

    assert home.orca("memory", "list", "--json", "--status", "all").json["total"] == 0


def test_a_chat_goes_on_in_the_latest_session_unless_it_is_new(home: OrcaHome) -> None:
    home.orca("chat", "first question here", "--session", "s1")

    second = home.orca("chat", "second question here", "--json").events[-1]
    other = home.orca("chat", "third question here", "--new", "--json").events[-1]

    assert (second["session_id"], second["round"]) == ("s1", 2)
    assert other["session_id"] != "s1"
    assert other["round"] == 1
    listed = home.orca("session", "list", "--json").json["sessions"]
    assert [session["rounds"] for session in listed] == [1, 2]


def test_a_session_is_new_or_named_but_not_both(home: OrcaHome) -> None:
    refused = home.orca("chat", "hello", "--new", "--session", "s1")

    assert refused.status == 2
    assert "different sessions" in refused.stderr
    assert home.orca("session", "list", "--json").json["sessions"] == []


def test_without_memory_nothing_is_recalled_and_nothing_learnt(home: OrcaHome) -> None:
    events = home.orca("chat", "记住：我用 emacs", "--no-memory", "--json").events

    assert "remembered" not in {event["event"] for event in events}
    assert home.orca("memory", "list", "--json").json["total"] == 0


def test_a_wish_to_forget_is_answered_with_the_command_for_it(home: OrcaHome) -> None:
    home.orca("memory", "add", "my dentist is called Dr. Heron")

    ran = home.orca("chat", "forget my dentist Dr. Heron")

    assert "#1  my dentist is called Dr. Heron" in ran.stderr
    assert "orca memory archive 1" in ran.stderr
    assert home.orca("memory", "list", "--json").json["total"] == 1


@pytest.mark.parametrize(("arguments", "stdin"), [(["chat"], ""), (["chat", "-"], " \n"), (["chat", "  "], "")])
def test_nothing_to_say_is_wrong_input(home: OrcaHome, arguments: list[str], stdin: str) -> None:
    ran = home.orca(*arguments, stdin=stdin)

    assert ran.status == 2
    assert ran.stdout == ""
    assert ran.stderr == "orca: there is nothing to send\n"


@pytest.mark.long
def test_a_model_that_can_not_be_reached_is_one_line_and_status_1(home: OrcaHome) -> None:
    home.configure('provider = "dead"\n[dead]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\napi_key = "k"\n')

    ran = home.orca("chat", "anybody there?", "--session", "s1")

    assert ran.status == 1
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[-1].startswith("orca: dead: ")
    assert home.orca("session", "show", "s1", "--json").json["rounds"][0]["state"] == "failed"


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


def test_why_before_the_first_turn_is_wrong_input(home: OrcaHome) -> None:
    assert home.orca("why").status == 2
    assert home.orca("why").stderr == "orca: no turn has a receipt yet\n"
    assert home.orca("why", LANG="zh_CN.UTF-8").stderr == "orca: 还没有哪一轮有收据\n"


def test_a_session_is_read_back(home: OrcaHome) -> None:
    home.orca("chat", "hello there, all of you", "--session", "s1")

    shown = home.orca("session", "show", "s1").stdout

    assert "1  you: hello there, all of you" in shown
    assert "s1" in home.orca("session", "list").stdout
