"""Train what tells technical turns from everyday ones by their vectors: a linear head on the embedder of meaning.

The sentences stand in benchmarks/data/technical_head, a turn a line. A quarter of them, drawn by a seed, is held out
before anything is trained; how strongly the weights are held small is chosen by cross-validation on the rest. Prints
the figures of both parts, the held-out turns that it gets wrong with `--show`, and writes the weights into the package
with `--write`. Wants the extra: pip install "orca-chat[meaning]"

    python scripts/train_technical_head.py [--show] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from orca_core.embeddings.meaning import DIMENSIONS, MeaningEmbedder
from orca_core.rules.asking.technical_head import THRESHOLD

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = ROOT / "benchmarks" / "data" / "technical_head"
HEAD = ROOT / "orca_core" / "rules" / "asking" / "technical_head.json"

SPLIT_SEED = 20
HELD_OUT = 0.25
FOLDS = 5
STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3)
"""How strongly weights are held small; the best of them by cross-validation counts."""
STEPS = 12
EVERYDAY_AIM = 0.02
"""So many everyday turns may seem technical by cross-validation: 3 of 100 is the bound, and others' turns may be
harder. Chosen by hand."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Turns:
    """Texts, their vectors, whether each is technical, and its language."""

    texts: list[str]
    vectors: Array
    technical: Array
    languages: list[str]

    def of(self, places: NDArray[np.int64]) -> Turns:
        return Turns(
            [self.texts[at] for at in places],
            self.vectors[places],
            self.technical[places],
            [self.languages[at] for at in places],
        )


def read_turns() -> Turns:
    texts: list[str] = []
    technical: list[float] = []
    languages: list[str] = []
    for path in sorted(SENTENCES.glob("*.txt")):
        kind, language, _ = path.name.split(".")
        lines = path.read_text(encoding="utf-8").splitlines()
        texts += lines
        technical += [float(kind == "technical")] * len(lines)
        languages += [language] * len(lines)
    vectors = asyncio.run(MeaningEmbedder().embed(texts))
    return Turns(texts, np.array([list(each) for each in vectors]), np.array(technical), languages)


def trained(turns: Turns, strength: float) -> Array:
    """Weights and, last, the bias: logistic regression, both kinds counting the same, by Newton's method."""
    inputs = np.hstack([turns.vectors, np.ones((len(turns.texts), 1))])
    share = turns.technical.mean()
    counts = np.where(turns.technical == 1, 0.5 / share, 0.5 / (1 - share))
    ridge = np.diag([strength] * DIMENSIONS + [0.0])
    head = np.zeros(DIMENSIONS + 1)
    for _ in range(STEPS):
        guessed = 1 / (1 + np.exp(-inputs @ head))
        slope = inputs.T @ (counts * (guessed - turns.technical)) + ridge @ head
        curve = (inputs * (counts * guessed * (1 - guessed))[:, None]).T @ inputs + ridge
        head -= np.linalg.solve(curve, slope)
    return head


def probabilities(turns: Turns, head: Array) -> Array:
    result: Array = 1 / (1 + np.exp(-(turns.vectors @ head[:-1] + head[-1])))
    return result


def cross_validated(turns: Turns, strength: float) -> Array:
    """Each turn's probability by a head that has not seen it."""
    folds = np.random.default_rng(SPLIT_SEED).permutation(len(turns.texts)) % FOLDS
    result = np.zeros(len(turns.texts))
    for fold in range(FOLDS):
        others, own = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        result[own] = probabilities(turns.of(own), trained(turns.of(others), strength))
    return result


def loss(turns: Turns, guessed: Array) -> float:
    return float(-np.mean(np.log(np.where(turns.technical == 1, guessed, 1 - guessed))))


def threshold_for(turns: Turns, guessed: Array) -> float:
    """The lowest threshold under which no more everyday turns seem technical than is aimed at."""
    everyday = np.sort(guessed[turns.technical == 0])[::-1]
    return float(everyday[int(EVERYDAY_AIM * len(everyday))])


def report(name: str, turns: Turns, guessed: Array) -> None:
    says = guessed >= THRESHOLD
    for language in (*sorted(set(turns.languages)), "all"):
        here = np.array([language in (each, "all") for each in turns.languages])
        technical, everyday = here & (turns.technical == 1), here & (turns.technical == 0)
        found, disturbed = int(says[technical].sum()), int(says[everyday].sum())
        print(
            f"{name:16} {language:4} technical {found:3} of {technical.sum():3} ({found / technical.sum():.1%})"
            f"   everyday {disturbed:3} of {everyday.sum():3} ({disturbed / everyday.sum():.1%})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="show the held-out turns that it gets wrong")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()

    turns = read_turns()
    order = np.random.default_rng(SPLIT_SEED).permutation(len(turns.texts))
    cut = int(HELD_OUT * len(order))
    held_out, seen = turns.of(order[:cut]), turns.of(order[cut:])
    by_strength = {strength: cross_validated(seen, strength) for strength in STRENGTHS}
    strength = min(by_strength, key=lambda each: loss(seen, by_strength[each]))
    print(f"strength {strength:g}, threshold {THRESHOLD:g} (by cross-validation: the aim is kept from ", end="")
    print(f"{threshold_for(seen, by_strength[strength]):.3f})")
    report("cross-validation", seen, by_strength[strength])
    head = np.round(trained(seen, strength), 3)
    guessed = probabilities(held_out, head)
    report("held out", held_out, guessed)
    if options.show:
        for text, is_technical, each in zip(held_out.texts, held_out.technical, guessed, strict=True):
            if (each >= THRESHOLD) != bool(is_technical):
                print(f"  {'technical' if is_technical else 'everyday':9} {each:.2f}  {text}")
    if options.write:
        parts = {"model": MeaningEmbedder.model, "bias": float(head[-1]), "weights": head[:-1].tolist()}
        HEAD.write_text(json.dumps(parts, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{HEAD.relative_to(ROOT)}: {HEAD.stat().st_size} bytes")


if __name__ == "__main__":
    main()
