"""How many lines of the store hold SQL, file by file: what is left of it that another engine could share.

python benchmarks/store_lines.py [FOLDER ...]

A line counts where it says something: no blank, no comment, no docstring, no import. It holds SQL where the function or
the constant that it stands in does: one that names a statement or carries one out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATEMENT = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|BEGIN|COMMIT|ROLLBACK|FROM|WHERE)\b")
CARRIED_OUT = {"execute", "executemany"}


def units(tree: ast.AST) -> Iterator[ast.AST]:
    """Functions, and what stands beside them in a module or a class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from units(node)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def holds_sql(unit: ast.AST) -> bool:
    for node in ast.walk(unit):
        if isinstance(node, ast.Attribute) and node.attr in CARRIED_OUT:
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.search(node.value):
            return True
    return False


def lines_of(unit: ast.AST, text: list[str]) -> set[int]:
    """The numbers of a unit's lines that say something."""
    said: set[int] = set()
    for node in ast.walk(unit):
        if isinstance(node, ast.stmt) and not is_docstring(node):
            said.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for node in ast.walk(unit):
        if is_docstring(node):
            said -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # type: ignore[attr-defined]
    return {number for number in said if text[number - 1].strip() and not text[number - 1].strip().startswith("#")}


def count(path: Path) -> tuple[int, int]:
    """(lines with SQL, lines without) of a file."""
    source = path.read_text("utf-8")
    text = source.splitlines()
    with_sql, without = 0, 0
    for unit in units(ast.parse(source)):
        if is_docstring(unit):
            continue
        lines = len(lines_of(unit, text))
        if holds_sql(unit):
            with_sql += lines
        else:
            without += lines
    return with_sql, without


def main() -> None:
    folders = [Path(each).resolve() for each in sys.argv[1:]]
    folders = folders or [ROOT / "orca_core" / name for name in ("store", "operations")]
    for folder in (each for each in folders if each.is_dir()):
        counted = {path: count(path) for path in sorted(folder.rglob("*.py"))}
        print(f"{folder.name:44} {'SQL':>6} {'none':>6}")
        for path, (with_sql, without) in counted.items():
            if with_sql or without:
                print(f"  {path.relative_to(folder)!s:42} {with_sql:6} {without:6}")
        whole, none = sum(each[0] for each in counted.values()), sum(each[1] for each in counted.values())
        print(f"  {'together':42} {whole:6} {none:6}   {none / max(1, whole + none):.0%} without SQL")


if __name__ == "__main__":
    main()
