"""A kind of record is known by what describes it: nothing decides by its name or its letter."""

from __future__ import annotations

import ast
from pathlib import Path

from fakes.sources import nodes

CORE = Path(__file__).parent.parent.parent / "orca_core"
DESCRIPTIONS = {"model/record_types.py"}
"""Where kinds are found by name and letter."""
LETTERS_AND_NAMES = {"long", "short", "memory", "summary", "m", "s"}


def compared(path: Path) -> list[ast.expr]:
    """Everything that a comparison or a pattern of this module looks at."""
    found: list[ast.expr] = []
    for node in nodes(path):
        if isinstance(node, ast.Compare):
            found += [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            found.append(node.value)
    return found


def is_name_or_letter_of_a_kind(node: ast.expr) -> bool:
    """`kind.letter`, `ref.kind.name`, and so on."""
    if not isinstance(node, ast.Attribute):
        return False
    owner = node.value
    is_kind = (isinstance(owner, ast.Attribute) and owner.attr == "kind") or (
        isinstance(owner, ast.Name) and "kind" in owner.id
    )
    return node.attr == "letter" or (node.attr == "name" and is_kind)


def test_nothing_decides_by_the_name_or_the_letter_of_a_kind() -> None:
    modules = {str(path.relative_to(CORE)): compared(path) for path in CORE.rglob("*.py")}
    deciding = {
        name: [ast.unparse(node) for node in nodes if is_name_or_letter_of_a_kind(node)]
        for name, nodes in modules.items()
        if name not in DESCRIPTIONS
    }
    assert len(modules) > 100
    assert {name: found for name, found in deciding.items() if found} == {}


def test_no_kind_is_told_by_a_word() -> None:
    """`item.kind == "short"` and its like: a comparison with a word beside something called a kind."""
    found = []
    for path in CORE.rglob("*.py"):
        for node in nodes(path):
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            words = [side for side in sides if isinstance(side, ast.Constant) and side.value in LETTERS_AND_NAMES]
            kinds = [
                side for side in sides if isinstance(side, ast.Attribute | ast.Name) and "kind" in ast.unparse(side)
            ]
            if words and kinds:
                found.append(f"{path.relative_to(CORE)}:{node.lineno}")
    assert found == []
