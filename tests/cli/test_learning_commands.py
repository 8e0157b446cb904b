"""`orca extract` and the inbox, as a person types them, with the demo's memory agent."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from fakes.terminal import OrcaHome

from orca_core.model.events import Event, Extraction, References
from orca_tui.cli.chat import AfterTheTurn

TALK = ("我是后端工程师，主要写 Go", "我用 neovim 写代码", "你好", "docker 里 postgres 连不上怎么办？", "我住在杭州")


def test_the_first_five_rounds_teach_something_true(home: OrcaHome) -> None:
    for text in TALK:
        ran = home.orca("chat", text)
        assert ran.status == 0, ran.stderr

    assert "4 new" in ran.stderr or "3 new" in ran.stderr
    listed = home.orca("memory", "list", "--json").json
    assert "用户用 neovim 写代码" in {memory["content"] for memory in listed["memories"]}
    assert {memory["origin"]["kind"] for memory in listed["memories"]} == {"extraction"}


def test_json_tells_of_the_run_before_it_is_done(home: OrcaHome) -> None:
    for text in TALK[:4]:
        home.orca("chat", text)

    lines = [json.loads(line) for line in home.orca("chat", "--json", TALK[4]).stdout.splitlines()]

    assert [line["event"] for line in lines][-3:] == ["extraction", "extraction", "done"]
    running, done = lines[-3:-1]
    assert (running["state"], done["state"], done["rounds"]) == ("running", "done", [1, 2, 3, 4, 5])
    assert {"stored", "confirmed", "replaced", "candidates", "dropped", "error", "run"} <= done.keys()
    assert all("similar" in memory for memory in done["stored"])


def test_what_is_learnt_during_the_turn_is_told_behind_it() -> None:
    shown: list[Event] = []
    background = AfterTheTurn(shown.append)
    running, references, done = Extraction("running", 1), References((), (), ()), Extraction("done", 1)

    background.show(running)
    shown.append(references)
    background.turn_ended()
    background.show(done)

    assert shown == [references, running, done]


def test_extract_learns_now_and_shows_the_run(home: OrcaHome) -> None:
    home.orca("chat", TALK[1])

    ran = home.orca("extract")
    shown = home.orca("extract", "--show", "1", "--json").json

    assert ran.status == 0
    assert "用户用 neovim 写代码" in ran.stdout
    assert (shown["state"], shown["stored"], shown["parked"]) == ("done", [1], False)
    first = [message["role"] for message in shown["exchange"] if not message["in_verification"]]
    assert first == ["system", "user", "assistant"]
    assert "neovim" in home.orca("extract", "--show", "1").stdout


def test_extract_reads_what_acts_show_too(home: OrcaHome) -> None:
    home.orca("chat", "--session", "s", "怎么在 docker 里跑 postgres？")
    home.orca("action", "add", "LIKE", "--session", "s", "--round", "1")
    assert "1 to read" in home.orca("stats").stdout

    ran = home.orca("extract", "--json").json

    assert [run["event"] for run in ran["runs"]] == ["extraction", "episodes", "acts"]
    assert "to read" not in home.orca("stats").stdout


def test_what_the_verifier_was_asked_is_shown_apart(home: OrcaHome) -> None:
    home.orca("chat", "我们团队大概用 postgres")

    ran = home.orca("extract", LC_ALL="zh_CN.UTF-8")
    shown = home.orca("extract", "--show", "1")

    assert "核对：问了 1 条，否定 1 条" in ran.stdout
    assert "verifier: asked about 1, refused 1" in shown.stdout
    assert "verifier · assistant  demo" in shown.stdout
    assert home.orca("extract", "--show", "1", "--json").json["verification"] == {
        "asked": 1, "refused": 1, "unanswered": 0, "failure": None, "error": None,
    }  # fmt: skip


def test_extract_asks_the_verifier_again_and_the_list_of_the_inbox_does_not(home: OrcaHome) -> None:
    home.orca("chat", TALK[1])
    home.orca("extract")
    with closing(sqlite3.connect(home.path / "orca.db")) as rows, rows:
        rows.execute("UPDATE long_term_memories SET state = 'candidate', held_because = 'unread' WHERE id = 1")

    listed = home.orca("memory", "inbox", "--json").json
    again = home.orca("memory", "inbox", "--json").json
    ran = home.orca("extract")

    assert [each["held_because"] for each in listed["memories"]] == ["unread"]
    assert again == listed
    assert "用户用 neovim 写代码" in ran.stdout
    assert home.orca("memory", "inbox", "--json").json["memories"] == []


def test_extract_with_nothing_to_read_says_so(home: OrcaHome) -> None:
    ran = home.orca("extract")

    assert (ran.status, ran.stdout) == (0, "")
    assert "0 rounds wait" in ran.stderr


def test_extract_again_stores_nothing_new(home: OrcaHome) -> None:
    home.orca("chat", TALK[1])
    home.orca("extract")
    before = home.orca("memory", "list", "--json").stdout

    ran = home.orca("extract", "--again")

    assert "1 confirmed" in ran.stdout
    assert home.orca("memory", "list", "--json").stdout == before


def test_a_whole_run_is_taken_back_in_another_process(home: OrcaHome) -> None:
    home.orca("chat", TALK[1])
    home.orca("extract")

    unasked = home.orca("memory", "undo")
    assert (unasked.status, "orca memory undo 1" in unasked.stderr) == (2, True)
    assert home.orca("memory", "undo", "1").status == 0
    assert home.orca("memory", "list", "--json").json["total"] == 0
    assert home.orca("memory", "redo").status == 0
    assert home.orca("memory", "list", "--json").json["total"] == 1


def test_an_undo_offers_what_was_learnt_since(home: OrcaHome) -> None:
    home.orca("memory", "add", "用户养猫")
    home.orca("chat", TALK[1])
    home.orca("extract")

    ran = home.orca("memory", "undo")

    assert "took back [1]: added #1" in ran.stdout
    assert "since then Orca did this itself: learnt; orca memory undo 2 takes it back" in ran.stdout
    assert home.orca("memory", "list", "--json").json["total"] == 1


def test_wrong_uses_of_extract(home: OrcaHome) -> None:
    assert home.orca("extract", "--show", "7").status == 2
    assert home.orca("extract", "--again").status == 2
    assert home.orca("extract", "--again", "--retry").status == 2
    assert home.orca("extract", "--again", "--session", "nowhere").status == 2


def test_an_empty_inbox_says_so(home: OrcaHome) -> None:
    ran = home.orca("memory", "inbox")

    assert (ran.status, ran.stdout) == (0, "")
    assert home.orca("memory", "inbox", "--json").json == {
        "memories": [],
        "episodes": [],
        "knowledge": [],
        "guides": [],
        "total": 0,
    }


def test_a_candidate_is_accepted_by_hand(home: OrcaHome) -> None:
    home.orca("chat", "我的电话是 13912345678")
    home.orca("extract")

    inbox = home.orca("memory", "inbox")
    [candidate] = home.orca("memory", "inbox", "--json").json["memories"]
    assert candidate["held_because"] == "account_number"
    assert "looks like an account or telephone number" in inbox.stdout
    assert home.orca("memory", "accept", "1", "2", "--content", "x").status == 2
    edited = home.orca("memory", "accept", str(candidate["id"]), "--content", "用户在杭州住", "--tag", "")
    assert "accepted" in edited.stdout
    assert home.orca("memory", "show", str(candidate["id"]), "--json").json["content"] == "用户在杭州住"
    assert home.orca("memory", "undo").status == 0
    [again] = home.orca("memory", "inbox", "--json").json["memories"]
    assert again["content"] == candidate["content"]
    assert home.orca("memory", "accept", str(candidate["id"])).status == 0
    assert home.orca("memory", "list", "--json").json["total"] == 1
    assert home.orca("memory", "accept", str(candidate["id"])).status == 2


def test_reject_and_never_are_different_words(home: OrcaHome) -> None:
    home.orca("chat", "我的电话是 13912345678")
    home.orca("extract")

    assert "rejected" in home.orca("memory", "reject", "1").stdout
    assert "never again" in home.orca("memory", "never", "1").stdout
    [memory] = home.orca("memory", "list", "--status", "rejected", "--json").json["memories"]
    assert memory["held_because"] == "never"


def test_memories_are_merged(home: OrcaHome) -> None:
    home.orca("memory", "add", "用 vim")
    home.orca("memory", "add", "编辑器是 vim")

    assert home.orca("memory", "merge", "1", "2", "--content", "编辑器：vim").status == 0
    [memory] = home.orca("memory", "list", "--json").json["memories"]
    assert (memory["content"], memory["seen"]) == ("编辑器：vim", 2)
    assert home.orca("memory", "merge", "1", "1").status == 2


def test_pairs_in_doubt_are_listed(home: OrcaHome) -> None:
    home.orca("memory", "add", "用户对花生过敏", "--type", "fact")
    home.orca("chat", "我对花生不过敏")
    home.orca("extract")

    [pair] = home.orca("memory", "duplicates", "--json").json["pairs"]
    assert pair["why"] == "conflict"
    assert "these may contradict each other" in home.orca("memory", "duplicates").stdout
    assert home.orca("memory", "duplicates", "--keep", "1", "2").status == 0
    assert home.orca("memory", "duplicates", "--json").json == {"pairs": []}
    assert home.orca("memory", "duplicates", "--keep", "1", "9").status == 2


def test_stats_tell_what_learning_cost(home: OrcaHome) -> None:
    bare = home.orca("memory", "stats", "--json").json
    told = home.orca("memory", "stats", "--cost", "--json").json

    assert "cost" not in bare
    assert told["cost"] == {"today": {"tokens": 0, "limit": None, "rests_until": None}, "days": []}
    assert "learning today: 0 tokens" in home.orca("memory", "stats", "--cost").stdout


def test_episodes_of_a_chat_say_how_they_were_verified(home: OrcaHome) -> None:
    home.orca("chat", "nginx keeps failing with 502 since the deploy")
    home.orca("chat", "raised the keepalive timeout and reloaded nginx. it works now, thanks")

    ran = home.orca("extract")
    run = max(each["run"] for each in home.orca("activity", "--json").json["runs"])
    shown = home.orca("extract", "--show", str(run))

    assert "1 episode noted\n  verifier: asked about 3, refused 0" in ran.stdout
    assert "verifier: asked about 3, refused 0" in shown.stdout
    assert "verifier · assistant  demo" in shown.stdout
