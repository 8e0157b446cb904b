"""What a reader does not ask because a clause can not hold it changes nothing: all asked, the reading is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orca_core.rules.clauses import frames, reading, subjects

DEVELOPMENT = Path(__file__).resolve().parents[2] / "data" / "trust" / "development"


def typed() -> list[str]:
    conversations = [each for name in ("honest", "poisoned") for each in json.loads(_read(name))]
    rounds = [number for each in conversations for number in each["rounds"]]
    each = [span["text"] for number in rounds for span in number["user"] if span["source"] == "typed"]
    return ["\n".join(each[start : start + 5]) for start in range(0, len(each), 10)]


def _read(name: str) -> str:
    return (DEVELOPMENT / f"{name}.json").read_text("utf-8")


def test_nothing_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = typed()
    skipping = [reading.read_clauses.__wrapped__(text) for text in texts]
    for module in (reading, frames, subjects):
        monkeypatch.setattr(module, "may_have", lambda wordings, clause: True)
    assert [reading.read_clauses.__wrapped__(text) for text in texts] == skipping
