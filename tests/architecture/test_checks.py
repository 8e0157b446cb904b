"""No check is switched off without a reason beside it, no exception swallowed, and every test asserts something."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from fakes.sources import nodes, tree

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("orca_core", "orca_tui")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

OFF = re.compile(r"#\s*(?:ruff: )?(?:noqa|type: ignore|pragma: no)(?P<behind>[^#\n]*)(?P<reason>#[^\n]*)?")
SKIPS = {"skip", "skipif", "xfail", "importorskip"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def without_reason(text: str) -> list[str]:
    """The checks that a text switches off, named by their rules, without saying why."""
    found = [(match[0], match["behind"], match["reason"] or "") for match in OFF.finditer(text)]
    return [whole for whole, behind, reason in found if not re.search(r"[\[:]", behind) or len(reason) < len("# as is")]


def test_a_check_that_is_switched_off_says_why() -> None:
    found = {str(path.relative_to(ROOT)): off for path in SOURCES if (off := without_reason(path.read_text("utf-8")))}

    assert found == {}


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether it takes whatever comes, and neither raises nor looks at it."""
    caught = "" if handler.type is None else ast.unparse(handler.type)
    if caught not in ("", "Exception", "BaseException"):
        return False
    told = {node.id for each in handler.body for node in ast.walk(each) if isinstance(node, ast.Name)}
    return handler.name not in told and not any(isinstance(each, ast.Raise) for each in handler.body)


def test_no_exception_of_any_kind_is_swallowed() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    ]

    assert found == []


def called(function: ast.AST) -> set[str]:
    """The names of what it calls."""
    functions = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in functions}


def checks(function: ast.AST) -> bool:
    """Whether it checks something itself."""
    return any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(function)) or bool(
        called(function) & {"raises", "warns"}
    )


def functions(path: Path) -> Iterator[Function]:
    return (node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def helpers_that_check() -> set[str]:
    """Helpers and fixtures of the tests that check something, or call one that does."""
    calls: dict[str, set[str]] = defaultdict(set)
    good: set[str] = set()
    for path in TESTS:
        for function in functions(path):
            if not function.name.startswith("test_"):
                calls[function.name] |= called(function)
                good |= {function.name} if checks(function) else set()
    while more := {name for name, names in calls.items() if name not in good and names & good}:
        good |= more
    return good


def test_every_test_asserts_something() -> None:
    good = helpers_that_check()
    idle = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for path in TESTS
        for function in functions(path)
        if function.name.startswith("test_") and not checks(function)
        if not good & {*called(function), *(each.arg for each in function.args.args)}
    ]

    assert idle == []


def test_no_test_is_skipped_without_a_reason() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in TESTS
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in SKIPS
        if ast.unparse(call.func).startswith("pytest.")
        and not (call.func.attr == "skip" and call.args)
        and not any(each.arg == "reason" for each in call.keywords)
    ]

    assert found == []
