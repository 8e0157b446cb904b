"""The built-in embedder knows what letters know, and says the same on every machine."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from orca_core.llm.local_embedder import LocalEmbedder, embedded

UNRELATED = (
    "用户对花生过敏",
    "k8s 集群跑在阿里云上",
    "User is vegetarian",
    "The CSS grid breaks in Safari",
    "我女儿今年上小学一年级",
    "Postgres listens on port 5433",
    "每周三晚上打羽毛球",
    "Prefers short answers without emoji",
)


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("用户用 neovim 写 Python", "用户用 neovim 写 Python 代码", 0.8),
        ("用户喜欢喝美式咖啡，不加糖", "用户喜欢喝美式咖啡不加糖。", 0.8),
        ("用户住在上海浦东", "用户现在住在上海浦东新区", 0.6),
        ("User deploys to Fly.io", "User deploys on fly.io", 0.8),
        ("User prefers tabs over spaces", "The user prefers tabs over spaces", 0.8),
        ("ＦＵＬＬ width", "full width", 0.99),
    ],
)
def test_near_duplicates_are_near(one: str, other: str, least: float) -> None:
    assert float(embedded(one) @ embedded(other)) >= least


@pytest.mark.parametrize("text", ["", " ", "🙂", "\x00", "的", "a" * 100_000, "\ud800"])
def test_every_text_has_a_vector_of_unit_length(text: str) -> None:
    [vector] = asyncio.run(LocalEmbedder().embed([text]))

    assert len(vector) == 1024
    assert float(np.linalg.norm(np.asarray(vector))) == pytest.approx(1.0, abs=1e-5)


def test_sign_bits_alone_tell_near_from_far() -> None:
    asked = embedded("用户用 neovim 写 Python") > 0
    near = embedded("用户用 neovim 写 Python 代码") > 0
    others = [embedded(text) > 0 for text in UNRELATED]

    assert (asked == near).mean() > 0.65
    assert max((asked == other).mean() for other in others) < 0.6
