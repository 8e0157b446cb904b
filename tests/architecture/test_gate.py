"""The gate ends where one of its steps fails, also one that was begun beside others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TOOLS = {
    "python": 'case "$*" in *check_wheel*) echo tried the wheel; exit "${WHEEL:-0}";; esac',
    "pytest": 'case "$*" in *--collect-only*) ;; *) echo ran the tests; exit "${TESTS:-0}";; esac',
    "mypy": 'exit "${TYPES:-0}"',
    "lint-imports": 'exit "${LAYERS:-0}"',
    "ruff": 'exit "${STYLE:-0}"',
}
"""What stands in the place of the tools that the gate calls."""


def gate(place: Path, *arguments: str, **fails: str) -> subprocess.CompletedProcess[str]:
    (place / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "check", place / "scripts")
    (place / "pyproject.toml").touch()
    tools = place / ".venv-check" / "bin"
    tools.mkdir(parents=True)
    for name, script in TOOLS.items():
        (tools / name).write_text(f"#!/usr/bin/env bash\n{script}\n", "utf-8")
        (tools / name).chmod(0o755)
    environ = {"PATH": os.environ["PATH"], "PYTHON": sys.executable, **fails}
    command = ["bash", str(place / "scripts" / "check"), *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("step", ["STYLE", "TYPES", "LAYERS", "WHEEL", "TESTS"])
def test_no_step_may_fail(tmp_path: Path, step: str) -> None:
    ended = gate(tmp_path, **{step: "3"})

    assert ended.returncode != 0
    assert ("ran the tests" in ended.stdout) is (step == "TESTS")


def test_the_wheel_is_told_of_before_the_tests_run(tmp_path: Path) -> None:
    ended = gate(tmp_path)

    assert ended.returncode == 0
    assert ended.stdout.index("tried the wheel") < ended.stdout.index("ran the tests")


def test_what_the_wheel_lacks_is_told(tmp_path: Path) -> None:
    assert "tried the wheel" in gate(tmp_path, WHEEL="3").stderr


def test_the_inner_loop_tries_no_wheel(tmp_path: Path) -> None:
    ended = gate(tmp_path, "--fast")

    assert ended.returncode == 0
    assert "tried the wheel" not in ended.stdout
