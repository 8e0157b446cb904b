"""The talk line by line, at a real terminal."""

from __future__ import annotations

import signal

import pytest
from fakes.terminal import OrcaHome

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


@pytest.mark.long
def test_a_path_is_a_question_and_no_command(home: OrcaHome) -> None:
    with home.at_a_terminal("chat", "--session", "s1") as typist:
        typist.read_until(PROMPT)
        typist.type("/etc/hosts looks odd, why?\n")
        typist.read_until(PROMPT)
        typist.type("/new\n")
        typist.read_until(PROMPT)
        typist.type("/session\n")
        assert "new session" in typist.read_until(PROMPT)
        typist.type("\x04")
        typist.end()

    assert home.orca("session", "show", "s1", "--json").json["rounds"][0]["user"] == "/etc/hosts looks odd, why?"


@pytest.mark.long
def test_a_talk_says_which_session_it_goes_on_in(home: OrcaHome) -> None:
    home.orca("chat", "about docker", "--session", "s1")
    with home.at_a_terminal("chat") as typist:
        assert "going on in: s1  about docker  (rounds: 1)" in typist.read_until(PROMPT)
        typist.type("/new\n")
        assert "begins a new session" in typist.read_until(PROMPT)
        typist.type("\x04")
        typist.end()
    with home.at_a_terminal("chat", "--new") as typist:
        assert "begins a new session" in typist.read_until(PROMPT)
        typist.type("\x04")
        typist.end()


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


@pytest.mark.long
def test_a_talk_goes_on_where_its_lines_can_not_be_kept(home: OrcaHome) -> None:
    (home.path / "chat_history").mkdir(parents=True)

    with home.at_a_terminal("chat") as typist:
        assert "not kept for the next talk" in typist.read_until(PROMPT)
        typist.type("\x04")

        assert typist.end() == 0


def test_a_talk_in_chinese(home: OrcaHome) -> None:
    with home.at_a_terminal("chat", LANG="zh_CN.UTF-8", PYTHONUTF8="1") as typist:
        typist.read_until("你> ")
        typist.type("\x04")

        assert typist.end() == 0


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


@pytest.mark.long
def test_an_edit_without_options_opens_the_editor(home: OrcaHome) -> None:
    home.orca("memory", "add", "the staging server is called heron")

    with home.at_a_terminal("memory", "edit", "1", VISUAL="", EDITOR="sed -i s/heron/egret/") as typist:
        assert typist.end() == 0

    assert home.orca("memory", "show", "1", "--json").json["content"] == "the staging server is called egret"


@pytest.mark.long
def test_a_talk_says_once_what_waits_to_be_reviewed(home: OrcaHome) -> None:
    with home.at_a_terminal("chat") as typist:
        assert "to review" not in typist.read_until(PROMPT)
        typist.type("我的电话是 13912345678\n")
        typist.read_until(PROMPT)
        typist.type("\x04")
        typist.end()

    with home.at_a_terminal("chat") as typist:
        assert "1 to review; orca memory inbox shows them" in typist.read_until(PROMPT)
        typist.type("今天天气不错\n")
        assert "to review" not in typist.read_until(PROMPT)
        typist.type("\x04")
        assert typist.end() == 0
