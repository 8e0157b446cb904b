"""`orca eval retrieval DIR`, end to end on two small sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.terminal import OrcaHome

SETS = Path(__file__).parent.parent / "data" / "retrieval"
SHARES = ["recall@1", "recall@5", "recall@10", "hit@5", "mrr@10", "ndcg@10"]
FIGURES = {"queries", *SHARES, "p50_ms", "p95_ms"}


def test_a_set_is_measured_and_its_figures_are_one_document(home: OrcaHome) -> None:
    ran = home.orca("eval", "retrieval", str(SETS / "garden"), "--json")

    assert ran.status == 0
    assert {"by_language", "by_category"} | FIGURES <= set(ran.json)
    assert ran.json["queries"] == 4
    assert set(ran.json["by_category"]) == {"single", "dated"}
    assert set(ran.json["by_language"]) == {"en"}
    assert all(set(each) == FIGURES for each in ran.json["by_category"].values())
    assert ran.json["recall@5"] == 1.0  # each question shares words with its answer, and with few others
    assert ran.json["left_out"] == 1
    assert "1 adversarial question is left out" in ran.stderr
    assert "1/1 garden garden: 7 documents, 4 questions" in ran.stderr


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
