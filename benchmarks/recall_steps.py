"""What is each step of a search worth? Each one is taken out, and all questions are asked again.

DIR holds sets as `orca eval retrieval` reads them; nothing of them is kept here. Prints recall@5, hit@5 and nDCG@10 of
each set and of all (the mean over the languages), through the floor that a search uses, as a table of Markdown.

    python benchmarks/recall_steps.py DIR [--embedding local] [--only WORD …]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.config.config_file import read_settings
from orca_core.evaluation.ranking_scores import RetrievalReport
from orca_core.evaluation.retrieval import evaluate_retrieval
from orca_core.rules.retrieval import match_evidence, relevance_floors, score_fusion
from orca_core.rules.retrieval.match_evidence import EmbedderWorth, MatchEvidence
from orca_core.rules.retrieval.score_fusion import Candidates, Relevance
from orca_core.rules.text import search_terms
from orca_core.services.shared import search
from orca_core.store.sqlite import store

RANK_OFFSET = 60
RANK_SCALE = 200
"""Of the sum of ranks, as it is commonly set; scaled to what the sum of scores comes to."""
OLD_TOKENS = 24


class Change(Struct, frozen=True):
    """Something of a module, another value for it."""

    of: Any
    name: str
    value: Any


def rarest(important: Mapping[str, float], frequencies: Mapping[str, int]) -> list[str]:
    known = [token for token in important if frequencies.get(token)]
    return sorted(known, key=lambda token: (frequencies[token], token))[:OLD_TOKENS]


def by_ranks(found: Mapping[int, MatchEvidence], _: EmbedderWorth) -> dict[int, Relevance]:
    """What is fused where an arm says only who is first."""
    by_words = sorted((key for key in found if found[key].words > 0), key=lambda key: -found[key].words)
    by_vectors = sorted(found, key=lambda key: -(found[key].cosine or 0.0))
    text = {key: RANK_SCALE / (RANK_OFFSET + place) for place, key in enumerate(by_words, 1)}
    vector = {key: RANK_SCALE / (RANK_OFFSET + place) for place, key in enumerate(by_vectors, 1)}
    return {key: Relevance(vector=vector[key], text=text.get(key, 0.0)) for key in found}


async def no_vector(*_: object, **__: object) -> None:
    return None


def only_what_was_found(
    self: search.Gatherer, kind: Any, ids: Any, known: Mapping[int, float] | None = None
) -> Candidates:
    words = self._snapshot.words.words_of(kind, sorted(ids))
    return Candidates(words, {number: cosine for number, cosine in (known or {}).items() if number in words})


def worth(trust: float) -> Change:
    def embedding(_: float = 0.0, noise: float = match_evidence.DEFAULT_NOISE) -> EmbedderWorth:
        return EmbedderWorth(trust, noise)

    return Change(search, "EmbedderWorth", embedding)


def searched(**fields: float) -> Change:
    return Change(
        search, "FLOORS", replace(relevance_floors.FLOORS, searched=replace(relevance_floors.FLOORS.searched, **fields))
    )


STEPS: Mapping[str, Sequence[Change]] = {
    "all steps": (),
    "dates are not among the words": [Change(store, "index_terms", lambda text, *_: search_terms.index_terms(text))],
    "the 24 rarest words are looked up": [Change(search, "most_telling_words", rarest)],
    "12 words are looked up": [Change(match_evidence, "MAX_TOKENS", 12)],
    "statements count as much as questions": [Change(search_terms, "STATEMENT_WEIGHT", 1.0)],
    "forms of words count whole": [Change(match_evidence, "ORDERING_FORM_POWER", 1.0)],
    "forms of words do not count": [Change(match_evidence, "ORDERING_FORM_POWER", 0.0)],
    "each arm nominates 20": [Change(search, "NOMINATED", 20)],
    "each arm nominates 100": [Change(search, "NOMINATED", 100)],
    "cosines are not filled in": [Change(search.Gatherer, "_filled", only_what_was_found)],
    "vectors nominate, too, whatever they are worth": [Change(search, "NOMINATES_FROM_TRUST", 0.0)],
    "no vectors": [Change(search.MemorySearch, "_vector", no_vector)],
    "vectors count half as much as words": [worth(0.5)],
    "vectors count as much as words": [worth(1.0)],
    "ranks are summed, not scores": [
        Change(score_fusion, "relevances", by_ranks),
        Change(score_fusion, "above_average", lambda *_: {}),
    ],
    "no neighbours": [Change(score_fusion, "with_neighbours", lambda own, *_: dict(own))],
    "neighbours lend half": [
        Change(score_fusion, name, getattr(score_fusion, name) / 2) for name in ("BEFORE", "AFTER", "BEFORE_THAT")
    ],
    "weight and recency do not count": [
        Change(score_fusion, "WEIGHT_SHARE", 0.0),
        Change(score_fusion, "RECENCY_SHARE", 0.0),
    ],
    "no floor": [Change(search, "is_relevant", lambda *_: True)],
    "a floor of a share of the words (0.10)": [searched(standing=0.0, nearness=float("inf"))],
    "a floor of a share of the words (0.28)": [searched(standing=0.0, nearness=float("inf"), share=0.28)],
    "a floor of 0.4 of the best": [searched(standing=0.4)],
    "a floor of 0.5 of the best": [searched(standing=0.5)],
}


@contextmanager
def changed(changes: Sequence[Change]) -> Iterator[None]:
    before = [getattr(each.of, each.name) for each in changes]
    try:
        for each in changes:
            setattr(each.of, each.name, each.value)
        yield
    finally:
        for each, value in zip(changes, before, strict=True):
            setattr(each.of, each.name, value)


async def measured(home: Path, folder: Path) -> RetrievalReport:
    report: RetrievalReport | None = None
    async for step in evaluate_retrieval(read_settings({"ORCA_HOME": str(home)}), {}, folder):
        if isinstance(step, RetrievalReport):
            report = step
    assert report is not None
    return report


def line(name: str, result: RetrievalReport) -> str:
    whole = result.whole.scores
    recalls = [each.whole.scores.recall_at_5 for each in result.sets.values()]
    cells = [f"{100 * value:.1f}" for value in (*recalls, whole.recall_at_5, whole.hit_at_5, whole.ndcg_at_10)]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--embedding", default="local", help="local, or meaning where it is installed")
    parser.add_argument("--only", nargs="*", default=[], help="steps whose name holds one of these words")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "config.toml").write_text(f'[embedding]\nprovider = "{arguments.embedding}"\n', encoding="utf-8")
        first = True
        for step, changes in STEPS.items():
            if arguments.only and not any(word in step for word in arguments.only):
                continue
            with changed(changes):
                result = asyncio.run(measured(home, arguments.folder))
            if first:
                sets = " | ".join(result.sets)
                print(f"| {arguments.embedding} | {sets} | all R@5 | hit@5 | nDCG@10 |")
                print("|" + " --- |" * (len(result.sets) + 4))
                first = False
            print(line(step, result), flush=True)


if __name__ == "__main__":
    main()
