"""What the tests promise of themselves: the clock of a busy machine decides none of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from fakes.sources import nodes
from hypothesis import settings

ROOT = Path(__file__).parent.parent.parent


WATCHES = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time_ns", "process_time", "thread_time"}
SCREENED = {
    ROOT / "tests" / "fakes" / name
    for name in ("growth.py", "model_server.py", "patience.py", "stillness.py", "terminal.py")
}
"""Where all waiting and measuring is done, and where alone a clock is read."""
PATIENT_S, FOR_EVER_S = 30.0, 600.0


def calls(path: Path) -> Iterator[tuple[ast.Call, str, str]]:
    """Every call, with what it is called on and by which name."""
    for node in nodes(path):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)):
                yield node, ast.unparse(value), name
            case ast.Call(func=ast.Name(id=name)):
                yield node, "", name


def seconds(node: ast.expr | None) -> float | None:
    return float(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None


def looks_at_the_clock(call: ast.Call, owner: str, name: str) -> bool:
    """A reading of the machine's clock, a pause of so many seconds, or patience that a busy machine outlasts."""
    first = seconds(call.args[0] if call.args else None)
    patience = seconds(next((each.value for each in call.keywords if each.arg == "timeout"), None))
    match owner, name:
        case ("time", _) if name in {*WATCHES, "sleep", "time"}:
            return True
        case ("asyncio", "sleep"):
            return first is None or 0 < first < FOR_EVER_S
        case (_, "pause"):
            return bool(call.args or call.keywords)
        case ("asyncio", "timeout" | "wait_for"):
            return (seconds(call.args[-1]) or PATIENT_S) < PATIENT_S
    return patience is not None and patience < PATIENT_S


def test_no_test_looks_at_the_clock() -> None:
    looking = [
        f"{path.relative_to(ROOT)}:{call.lineno} {ast.unparse(call)[:80]}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path not in SCREENED
        for call, owner, name in calls(path)
        if looks_at_the_clock(call, owner, name)
    ]

    # Wait for what must come with `fakes.patience.until` (in the app: `fakes.app_driver.until`), measure with
    # `fakes.growth`, move a `StillClock`, pause the pilot without seconds, and be patient for PATIENCE_S, which ends early.
    assert looking == []


def test_the_gates_try_the_same_examples_whenever_they_run() -> None:
    for profile in map(settings.get_profile, ("short", "long")):
        assert profile.derandomize
        assert profile.deadline is None
    assert settings.get_profile("desk").deadline is None
    gate = (ROOT / "scripts" / "check").read_text("utf-8")
    assert gate.count("run_tests .") + gate.count("run_tests $") == gate.count("--hypothesis-profile=") == 3
    with_a_deadline = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in (ROOT / "tests").rglob("*.py")
        for call, _owner, name in calls(path)
        if name == "settings" and any(each.arg == "deadline" and seconds(each.value) for each in call.keywords)
    ]
    assert with_a_deadline == []
