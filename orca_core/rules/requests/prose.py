"""A message as small patterns read it: the writer's own words, letter for letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from orca_core import words
from orca_core.rules.text import sentences
from orca_core.rules.text.scripts import simplified

MASK = sentences.MASK


def own_words(text: str) -> str:
    """The text in one script and width, with a mask for each letter that is quoted or code: places in it stay."""
    return sentences.all_masked(simplified(text.translate(_narrow())))


def without_opening(clause: str) -> str:
    """A clause of one's own words without what only opens it: "btw, ", "请问"."""
    return _opening().sub("", clause) or clause


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        rf"^\W*(?:(?:{words.choices('recall.opening')})(?:[\s,，:：!！]+|(?<=[\u4e00-\u9fff])))*", re.IGNORECASE
    )


@cache
def _narrow() -> Mapping[int, str]:
    """Letters and figures of full width, and the apostrophe that is set for one."""
    wide = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
    return {each: chr(each - 0xFEE0) for each in wide} | {0x2019: "'", 0x3000: " "}
