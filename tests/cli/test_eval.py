"""`orca eval`: how well questions find what answers them, and turns under other settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.model_server import ModelServer, answer, embeds, refuses
from fakes.patience import PATIENCE_S
from fakes.terminal import OrcaHome

SETS = Path(__file__).parent.parent / "data" / "retrieval"


def test_the_table_has_a_row_for_each_set_language_and_category(home: OrcaHome) -> None:
    ran = home.orca("eval", "retrieval", str(SETS))

    rows = [line.split() for line in ran.stdout.splitlines()]
    assert rows[0][-2:] == ["p95", "ms"]
    assert [row[:2] for row in rows[1:] if row[0] in ("garden", "huayuan")] == [
        ["garden", "dated"],
        ["garden", "single"],
        ["garden", "all"],
        ["huayuan", "combined"],
        ["huayuan", "simple"],
        ["huayuan", "all"],
    ]
    assert [row[0] for row in rows[-3:]] == ["en", "zh", "all"]


def test_what_is_wrong_in_a_file_is_one_line(home: OrcaHome, tmp_path: Path) -> None:
    corpus = (SETS / "garden" / "corpus.jsonl").read_text("utf-8")
    (tmp_path / "corpus.jsonl").write_text(corpus + '{"id": "x"}\n', "utf-8")
    (tmp_path / "queries.jsonl").write_text("", "utf-8")

    ran = home.orca("eval", "retrieval", str(tmp_path))

    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr == f"orca: {tmp_path / 'corpus.jsonl'}: line 8: conversation has to be a text\n"


def test_another_embedder_is_measured_beside_the_configured_one(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(embeds(dimensions=8))
        home.configure(f'[box]\nbase_url = "{server.base_url}"\n[embedding]\nquery_timeout = "{PATIENCE_S}s"\n')
        configured = (home.path / "config.toml").read_bytes()

        ran = home.orca("eval", "retrieval", str(SETS), "--compare", "box/toy@8", "--json")

    assert ran.status == 0
    assert ran.json["embedder"] == "local"
    [(name, compared)] = ran.json["compared"].items()
    assert name == "box/toy@8"
    assert (compared["queries"], compared["by_words_alone"]) == (7, 0)
    assert compared["gained"] >= 0 <= compared["lost"]
    assert {request.body["model"] for request in server.requests} == {"toy"}
    assert (home.path / "config.toml").read_bytes() == configured


def test_an_embedder_that_does_not_answer_ends_it_before_anything_is_measured(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(refuses(401, {"error": {"message": "no such key"}}))
        home.configure(f'[box]\nbase_url = "{server.base_url}"\n')

        ran = home.orca("eval", "retrieval", str(SETS), "--compare", "box/toy@8")

    assert (ran.status, ran.stdout) == (1, "")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("word", ["nobody", "nobody/model@9", "/x", "@"])
def test_an_embedder_that_nobody_knows_is_one_line(home: OrcaHome, word: str) -> None:
    ran = home.orca("eval", "retrieval", str(SETS), "--compare", word)

    assert ran.status == 2
    assert "there is no provider" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_ones_own_memories_are_asked_for_by_the_words_of_their_rounds(home: OrcaHome) -> None:
    home.orca("chat", "--new", "By the way I use neovim for Python. How do I mock a clock in tests?")
    home.orca("chat", "--session", "tea", "我住在成都。周末去哪里爬山好？")
    home.orca("memory", "add", "I prefer tea")
    home.orca("extract")
    before = home.orca("memory", "list", "--json", "--status", "all").json

    ran = home.orca("eval", "retrieval", "--json")

    assert ran.status == 0
    assert set(ran.json["by_category"]) == {"round", "without_quote"}
    assert ran.json["by_category"]["round"]["queries"] == ran.json["queries"] == 2
    assert set(ran.json["by_language"]) == {"en", "zh"}
    assert ran.json["left_out"] == {"by_hand": 1}
    assert home.orca("memory", "list", "--json", "--status", "all").json == before
    shown = home.orca("eval", "retrieval", LANGUAGE="", LC_ALL="zh_CN.UTF-8")
    assert "去掉引文的原话" in shown.stdout


def test_a_database_that_is_none_is_left_as_it_is(home: OrcaHome) -> None:
    home.configure("")
    foreign = home.path / "orca.db"
    foreign.write_bytes(b"not a database, " * 100)

    ran = home.orca("eval", "retrieval")

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert foreign.read_bytes() == b"not a database, " * 100


@pytest.fixture
def talked(home: OrcaHome) -> OrcaHome:
    """Some turns that brought memories, answered by a model that uses none of them."""
    with ModelServer() as server:
        server.will(answer("Look at the log first."))
        home.configure(
            f'provider = "box"\n[box]\nbase_url = "{server.base_url}"\nmodel = "m"\n[memory_agent]\nenabled = false\n'
        )
        home.orca("memory", "add", "Our postgres database listens on port 5433")
        home.orca("chat", "hello there, how are you today?", "--session", "s")
        for _ in range(2):
            home.orca("chat", "Why does postgres refuse the connection on its port?", "--session", "s")
    return home


def test_turns_and_weights_under_other_settings_are_told(talked: OrcaHome) -> None:
    before = talked.orca("memory", "list", "--json").json

    ran = talked.orca("eval", "rules", "--set", "memory.inject.long_term_trigger=never", "--json")

    assert ran.status == 0
    assert (ran.json["turns"], ran.json["replayed"], ran.json["not_reproduced"]) == (3, 3, 0)
    assert [change["round"] for change in ran.json["changes"]] == [2, 3]
    assert all(change["lost"] and not change["gained"] for change in ran.json["changes"])
    assert {weight["after"] for weight in ran.json["weights"]} == {1.0}
    assert all(weight["before"] < 1.0 for weight in ran.json["weights"])
    assert ran.json["after"]["tokens"] < ran.json["before"]["tokens"]
    assert talked.orca("memory", "list", "--json").json == before


def test_the_tables_are_for_people(talked: OrcaHome) -> None:
    ran = talked.orca(
        "eval", "rules", "--set", "memory.weights.unreferenced=-0.5", "--set", "memory.inject.short_term_count=0"
    )

    assert ran.status == 0
    assert ran.stdout.startswith("replayed: 3 of 3 turns; 1 would have got something else\n")
    assert "would not have come" in ran.stdout
    assert "archived  Our postgres database listens on port 5433" in ran.stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("memory.max_history=3", "no receipt tells what this would change"),
        ("memory.inject.short_term_count", "no receipt tells what this would change"),
        ("memory.inject.short_term_count=many", "memory.inject.short_term_count"),
        ("memory.inject.long_term_trigger=sometimes", "memory.inject.long_term_trigger"),
        ("memory.long_term.archive_threshold=7.0", "do not rise"),
    ],
)
def test_a_setting_that_can_not_be_replayed_is_one_line(home: OrcaHome, change: str, said: str) -> None:
    ran = home.orca("eval", "rules", "--set", change)

    assert (ran.status, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
