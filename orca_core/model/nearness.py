"""How near two texts are, where a person is to judge by it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class NearBy(StrEnum):
    MEANING = "meaning"
    WORDS = "words"
    """No embedder that knows of meaning was at hand."""


class Nearness(Struct, frozen=True):
    """By meaning the cosine of both; by words the share of the words of what is looked at that the other holds."""

    similarity: float
    by: NearBy


class NearMemory(Struct, frozen=True):
    """A memory that is there already, beside what is looked at."""

    id: int
    content: str
    nearness: Nearness
