"""`orca eval`: how well questions find what answers them."""

from __future__ import annotations

from pathlib import Path

from fakes.model_server import ModelServer, refuses
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
    assert ran.stderr == f"orca: {tmp_path / 'corpus.jsonl'}: line 8: Object missing required field `conversation`\n"


def test_an_embedder_that_does_not_answer_ends_it_before_anything_is_measured(home: OrcaHome) -> None:
    with ModelServer() as server:
        server.will(refuses(401, {"error": {"message": "no such key"}}))
        home.configure(
            f'[box]\nbase_url = "{server.base_url}"\n[embedding]\nprovider = "box"\nmodel = "toy"\ndimensions = 8\n'
        )

        ran = home.orca("eval", "retrieval", str(SETS))

    assert (ran.status, ran.stdout) == (1, "")
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
