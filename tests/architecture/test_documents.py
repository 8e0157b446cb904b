"""What the documents name is there: files and classes. Decisions are history, and may name what is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.sources import tree

ROOT = Path(__file__).parent.parent.parent
ROOMS = (ROOT, ROOT / "orca_core", ROOT / "orca_tui")
"""Where a path in a document may begin."""
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w./-]+\.py\b")
FOLDER = re.compile(r"[\w./-]+/")
CLASS = re.compile(r"[A-Z][a-z]+(?:[A-Z]\w*|[a-z]*)")
NOT_OURS = {"Annotated", "Content", "Literal"}
"""Textual's and Python's."""


def code_in(line: str) -> list[str]:
    """The pieces of a line that stand in backticks."""
    return CODE.findall(line)


def is_there(path: str, line: str) -> bool:
    """From the root or a package; a bare name in a folder that its line names."""
    folders = [code for code in code_in(line) if FOLDER.fullmatch(code)] if "/" not in path else []
    return any((room / folder / path).is_file() for room in ROOMS for folder in ("", *folders))


def lost_files(text: str) -> list[str]:
    """Files that the text names and that are not there."""
    return [
        path
        for line in text.splitlines()
        for code in code_in(line)
        for path in FILE.findall(code)
        if not is_there(path, line)
    ]


def names_in_sources() -> Iterator[str]:
    """Classes and module-level names of both packages."""
    for package in ("orca_core", "orca_tui"):
        for path in (ROOT / package).rglob("*.py"):
            for node in tree(path).body:
                if isinstance(node, ast.ClassDef):
                    yield node.name
                elif isinstance(node, ast.Assign):
                    yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def lost_classes(text: str, known: set[str]) -> list[str]:
    """Classes that the text names, alone or before a dot or a bracket, and that are not there."""
    named = [match[0] for code in CODE.findall(text) if (match := CLASS.match(code)) and is_a_name(code, match.end())]
    return [name for name in named if name not in known | NOT_OURS]


def is_a_name(code: str, end: int) -> bool:
    return code[end : end + 1] in ("", ".", "(", "[")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    assert lost_files(document.read_text("utf-8")) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_class_that_a_document_names_is_there(document: Path) -> None:
    assert lost_classes(document.read_text("utf-8"), set(names_in_sources())) == []
