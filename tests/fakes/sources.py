"""Python sources as trees, read once however many tests look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """What a file says; nobody changes it."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file's tree."""
    return tuple(ast.walk(tree(path)))
