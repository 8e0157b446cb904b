"""Embedders as a person names them to compare: `local`, `meaning`, or PROVIDER/MODEL@DIMENSIONS and its beginnings."""

from __future__ import annotations

import re
from typing import Any

from orca_core.settings import EMBEDDERS_WITHOUT_A_SERVER, EmbeddingSettings

_NAMED = re.compile(r"(?P<provider>[^/@]+)(?:/(?P<model>[^@]+))?(?:@(?P<dimensions>\d+))?")


Changes = dict[str | tuple[str, ...], Any]


def changes_for(word: str) -> Changes:
    """The changes of the configuration that choose an embedder; what is not named stays as it is configured."""
    found = _NAMED.fullmatch(word)
    if found is None:
        return {"embedding.provider": word}
    changes: Changes = {"embedding.provider": found["provider"]}
    if found["model"]:
        changes["embedding.model"] = found["model"]
    if found["dimensions"]:
        changes["embedding.dimensions"] = int(found["dimensions"])
    return changes


def name_of(embedding: EmbeddingSettings) -> str:
    """The embedder's name in a report, which `changes_for` reads."""
    if embedding.provider in EMBEDDERS_WITHOUT_A_SERVER:
        return embedding.provider
    return f"{embedding.provider}/{embedding.model}@{embedding.dimensions}"
