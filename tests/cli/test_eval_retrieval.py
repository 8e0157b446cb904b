"""`orca eval retrieval DIR`, end to end on two small sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.model_server import ModelServer, embeds, refuses
from fakes.patience import PATIENCE_S
from fakes.terminal import OrcaHome

SETS = Path(__file__).parent.parent / "data" / "retrieval"
SHARES = ["recall@1", "recall@5", "recall@10", "hit@5", "mrr@10", "ndcg@10"]


def test_sets_side_by_side_count_by_language(home: OrcaHome) -> None:
    document = home.orca("eval", "retrieval", str(SETS), "--json").json

    english, chinese = document["sets"]["garden"], document["sets"]["huayuan"]
    assert {name: document["by_language"]["en"][name] for name in SHARES} == {name: english[name] for name in SHARES}
    for name in SHARES:
        assert document[name] == pytest.approx((english[name] + chinese[name]) / 2, abs=1e-6)
    assert document["queries"] == 7


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


def test_nothing_is_stored_in_the_home(home: OrcaHome) -> None:
    home.orca("eval", "retrieval", str(SETS / "huayuan"))

    assert not (home.path / "orca.db").exists()


def test_what_is_wrong_in_a_file_is_one_line(home: OrcaHome, tmp_path: Path) -> None:
    corpus = (SETS / "garden" / "corpus.jsonl").read_text("utf-8")
    (tmp_path / "corpus.jsonl").write_text(corpus + '{"id": "x"}\n', "utf-8")
    (tmp_path / "queries.jsonl").write_text("", "utf-8")

    ran = home.orca("eval", "retrieval", str(tmp_path))

    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr == f"orca: {tmp_path / 'corpus.jsonl'}: line 8: conversation has to be a text\n"


@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl"])
def test_a_folder_that_is_no_set_says_what_one_is(home: OrcaHome, tmp_path: Path, missing: str) -> None:
    for name in {"corpus.jsonl", "queries.jsonl"} - {missing}:
        (tmp_path / name).write_text((SETS / "garden" / name).read_text("utf-8"), "utf-8")

    ran = home.orca("eval", "retrieval", str(tmp_path))

    assert ran.status == 2
    assert missing in ran.stderr
    assert ran.stderr.count("\n") == 1


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


def test_an_embedder_is_not_compared_with_itself(home: OrcaHome) -> None:
    ran = home.orca("eval", "retrieval", str(SETS), "--compare", "local")

    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr == "orca: local is measured anyway: compare it with another one\n"


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


def test_without_memories_there_is_nothing_to_ask(home: OrcaHome) -> None:
    ran = home.orca("eval", "retrieval")

    assert (ran.status, ran.stdout) == (0, "")
    assert "There is nothing to ask." in ran.stderr
    assert not (home.path / "orca.db").exists()


@pytest.mark.parametrize(
    ("name", "said"), [("corpus.jsonl", "no UTF-8 text"), ("queries.jsonl", "no question is asked here")]
)
def test_a_file_that_holds_nothing_to_read_is_one_line(home: OrcaHome, tmp_path: Path, name: str, said: str) -> None:
    for each in ("corpus.jsonl", "queries.jsonl"):
        (tmp_path / each).write_bytes((SETS / "garden" / each).read_bytes())
    (tmp_path / name).write_bytes(b"\xff\xfe\n" if name == "corpus.jsonl" else b"\n")

    ran = home.orca("eval", "retrieval", str(tmp_path))

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert said in ran.stderr


def test_a_database_that_is_none_is_left_as_it_is(home: OrcaHome) -> None:
    home.configure("")
    foreign = home.path / "orca.db"
    foreign.write_bytes(b"not a database, " * 100)

    ran = home.orca("eval", "retrieval")

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert foreign.read_bytes() == b"not a database, " * 100
