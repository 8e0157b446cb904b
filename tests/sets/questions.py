"""What the sets of every kind share that a verifier is measured by: its exact questions, the answers of a model as a
person hands them over, and which answers a careless verifier gets wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from orca_core.model.learning import Subject
from orca_core.pipelines.verifier import instructions_of
from orca_core.rules.text.spelling import Language

Row = Mapping[str, Any]

SEEDS = range(5)
CARELESS_ONE_IN = 20
"""A careless verifier errs in one of so many answers."""


def errs(seed: int, *about: str) -> bool:
    """Whether a careless verifier errs here: by a stable hash, so that every run of a measure comes out the same."""
    told = "\n".join((str(seed), *about)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8]) % CARELESS_ONE_IN == 0


def question(number: int, set_name: str, name: str, subject: Subject, language: Language, material: str) -> Row:
    """The two messages that the verifier sends about one material of a set, with the shipped prompts."""
    system = instructions_of(subject, language, None)
    told = {"n": number, "set": set_name, "name": name, "part": subject.value}
    return {**told, "system": system, "user": material}


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def as_lines(rows: Iterable[Row]) -> str:
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in rows)


def texts_of(answers: Path) -> dict[int, str]:
    """What a model answered, by the numbers of the questions: {"n", "text"} a line."""
    return {int(row["n"]): str(row["text"]) for row in lines_of(answers)}
