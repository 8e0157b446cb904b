"""Whether a text is technical by its vector: turns without a technical word, everyday turns with one."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files
from pathlib import Path

import pytest

from orca_core.embeddings.local import LocalEmbedder
from orca_core.embeddings.meaning import DIMENSIONS, MeaningEmbedder
from orca_core.rules.asking.technical_head import THRESHOLD, seems_technical, technical_probability

SENTENCES = Path(__file__).parents[3] / "benchmarks" / "data" / "technical_head"

TECHNICAL = (
    "the upload hangs at ninety percent and then starts again",
    "why do two customers see the same invoice number",
    "what would you look at first when the start page takes ten seconds",
    "导出报表一点就转圈，半天没反应",
    "夜里跑的那个任务又没成功，怎么排查",
    "線上的登入一直失敗，怎麼查",
)
EVERYDAY = (
    "my neighbour's python is longer than my sofa",
    "how do I get the kernels off a cob of corn",
    "what should I cook for a friend who does not eat gluten",
    "the branch above our roof looks rotten",
    "孩子三天没拉肚子了要去医院吗",
    "阳台的花盆里种什么好养",
    "週末想跟朋友去爬山，要帶什麼",
    "ok thanks",
    "接着说",
    "summarise the text above",
)


def probability(text: str) -> float:
    [vector] = asyncio.run(MeaningEmbedder().embed([text]))
    found = technical_probability(vector, MeaningEmbedder.model)
    assert found is not None
    return found


@pytest.mark.long
@pytest.mark.parametrize("text", TECHNICAL)
def test_a_technical_turn_without_technical_words_is_seen(text: str) -> None:
    assert text not in "\n".join(path.read_text("utf-8") for path in SENTENCES.glob("*.txt"))
    assert probability(text) >= THRESHOLD


@pytest.mark.parametrize("text", EVERYDAY)
def test_an_everyday_turn_with_technical_words_is_not(text: str) -> None:
    assert text not in "\n".join(path.read_text("utf-8") for path in SENTENCES.glob("*.txt"))
    assert probability(text) < THRESHOLD


def test_vectors_of_another_model_have_no_head() -> None:
    [vector] = asyncio.run(LocalEmbedder().embed(["docker compose 报错"]))

    assert technical_probability(vector, LocalEmbedder.model) is None
    assert not seems_technical(vector, LocalEmbedder.model)
    assert technical_probability(vector, MeaningEmbedder.model) is None  # not as many numbers as it says


def test_any_sequence_of_numbers_is_a_vector() -> None:
    [vector] = asyncio.run(MeaningEmbedder().embed(["the unit tests fail on the build server"]))

    assert technical_probability([float(each) for each in vector], MeaningEmbedder.model) == pytest.approx(
        technical_probability(vector, MeaningEmbedder.model)
    )
    assert seems_technical(vector, MeaningEmbedder.model)


def test_the_weights_are_few_kilobytes_of_the_embedders_model() -> None:
    written = files("orca_core.rules.asking").joinpath("technical_head.json").read_text("utf-8")

    assert len(written) < 5000
    assert MeaningEmbedder.model in written
    assert technical_probability([0.0] * DIMENSIONS, MeaningEmbedder.model) is not None


def test_each_sentence_stands_once() -> None:
    sentences = [line for path in SENTENCES.glob("*.txt") for line in path.read_text("utf-8").splitlines()]

    assert len(sentences) > 700
    assert len({re.sub(r"\W", "", sentence.lower()) for sentence in sentences}) == len(sentences)
