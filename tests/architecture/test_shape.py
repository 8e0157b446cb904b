"""What the design promises of the code: sizes, what stands where, what a command does not load."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from fakes.sources import nodes, tree

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("orca_core", "orca_tui")
MAX_FILE_LINES, MAX_TEST_FILE_LINES, MAX_FUNCTION_LINES = 700, 700, 50
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def longer_than(most: int, paths: Iterable[Path]) -> dict[str, int]:
    return {name(path): lines for path in paths if (lines := path.read_text("utf-8").count("\n")) > most}


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    assert longer_than(MAX_FILE_LINES, SOURCES) == {}
    assert longer_than(MAX_TEST_FILE_LINES, (ROOT / "tests").rglob("*.py")) == {}


def test_no_function_is_longer_than_a_screen() -> None:
    too_long = [
        f"{name(path)}:{node.lineno} {node.name}"
        for path in SOURCES
        for node in functions(path)
        if length(node) > MAX_FUNCTION_LINES
    ]

    assert too_long == []


def test_every_module_says_what_lives_in_it() -> None:
    assert [name(path) for path in SOURCES if not ast.get_docstring(tree(path))] == []


def test_only_output_prints() -> None:
    printing = [
        name(path)
        for path in SOURCES
        if path.name != "output.py" and re.search(r"(?<![\w.\"'])print\(", path.read_text("utf-8"))
    ]

    assert printing == []


def test_rules_are_pure() -> None:
    forbidden = {"asyncio", "random", "secrets", "os", "pathlib", "time", "subprocess", "socket"}
    impure = []
    for path in (ROOT / "orca_core" / "rules").rglob("*.py"):
        for node in nodes(path):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            impure += [f"{name(path)}: {module}" for module in modules if module.partition(".")[0] in forbidden]
            if isinstance(node, ast.AsyncFunctionDef) or (
                isinstance(node, ast.Attribute) and node.attr in ("now", "utcnow")
            ):
                impure.append(f"{name(path)}:{node.lineno}")

    assert impure == []


def test_nothing_is_left_for_later() -> None:
    words = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError")

    assert [name(path) for path in SOURCES if words.search(path.read_text("utf-8"))] == []


def test_every_error_is_raised_somewhere() -> None:
    errors = tree(ROOT / "orca_core" / "model" / "errors.py")
    classes = {node.name for node in errors.body if isinstance(node, ast.ClassDef)} - {
        "OrcaError",
        "ModelError",
        "StoreRefused",
    }
    text = "\n".join(path.read_text("utf-8") for path in SOURCES if path.name != "errors.py")

    assert {kind for kind in classes if not re.search(rf"\b{kind}\(", text)} == set()


def test_no_module_keeps_state() -> None:
    mutable = []
    for path in SOURCES:
        for node in tree(path).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Name) and isinstance(node.value, ast.List | ast.Dict | ast.Set):
                if not target.id.strip("_").isupper() and target.id != "__all__":
                    mutable.append(f"{name(path)}:{node.lineno} {target.id}")

    assert mutable == []


def loaded_by(*command: str, home: Path) -> set[str]:
    """The top-level modules that a Python command loads."""
    script = "import sys, runpy\nsys.argv = sys.argv[1:]\n"
    script += (
        "try:\n    runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)\nexcept SystemExit:\n    pass\n"
    )
    script += "sys.stderr.write('\\nLOADED ' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    environ = {**os.environ, "ORCA_HOME": str(home), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script, *command], env=environ, capture_output=True, text=True, check=True
    )
    return set(done.stderr.rpartition("LOADED ")[2].split())


@pytest.mark.parametrize(
    "command", [("orca_tui", "--help"), ("orca_tui", "memory", "list"), ("orca_tui", "session", "list", "--json")]
)
def test_a_command_loads_only_what_it_needs(tmp_path: Path, command: tuple[str, ...]) -> None:
    loaded = loaded_by(*command, home=tmp_path)

    assert "orca_tui" in loaded
    assert loaded & {"textual", "httpx", "numpy", "tomlkit", "rapidfuzz", "sqlite_vec", "rich"} == set()


@pytest.mark.parametrize("command", [("--help",), ("memory", "list"), ("session", "list", "--json")])
def test_a_command_that_reads_no_text_reads_no_table_of_words(tmp_path: Path, command: tuple[str, ...]) -> None:
    script = (
        "import pathlib, runpy, sys\n"
        "read, read_text = [], pathlib.Path.read_text\n"
        "def noted(path, *args, **kwargs):\n    read.append(path)\n    return read_text(path, *args, **kwargs)\n"
        "pathlib.Path.read_text = noted\n"
        f"sys.argv = ['orca', *{command!r}]\n"
        "try:\n    runpy.run_module('orca_tui', run_name='__main__', alter_sys=True)\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write('READ ' + ' '.join(path.name for path in read if 'words' in path.parts and path.suffix == '.txt'))"
    )
    environ = {**os.environ, "ORCA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, text=True, check=True)

    assert done.stderr.rpartition("READ ")[1:] == ("READ ", "")


@pytest.mark.parametrize("command", [("memory", "list"), ("memory", "pin", "1")])
def test_a_command_on_memories_loads_no_turn_and_no_job(tmp_path: Path, command: tuple[str, ...]) -> None:
    subprocess.run(
        [sys.executable, "-m", "orca_tui", "memory", "add", "I like tea"],
        env={**os.environ, "ORCA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    script = (
        f"import runpy, sys\nsys.argv = ['orca', *{command!r}]\n"
        "try:\n    runpy.run_module('orca_tui', run_name='__main__', alter_sys=True)\nexcept SystemExit as ended:\n"
        "    assert not ended.code, ended\n"
        "sys.stderr.write('LOADED ' + ' '.join(sys.modules))"
    )
    environ = {**os.environ, "ORCA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, text=True, check=True)
    loaded = done.stderr.rpartition("LOADED ")[2].split()

    assert "orca_core.services.memories" in loaded
    kept_out = (
        "orca_core.services.chat",
        "orca_core.jobs.worker",
        "orca_core.pipelines",
        "orca_core.llm.openai_chat",
        "orca_core.llm.http",
        "orca_tui.app",
    )
    assert [each for each in loaded if each.startswith(kept_out)] == []


def test_help_loads_no_orca(tmp_path: Path) -> None:
    assert loaded_by("orca_tui", "--help", home=tmp_path) & {"apsw", "asyncio"} == set()


def test_the_first_frame_waits_for_nothing_that_is_not_in_it() -> None:
    """Dialogs, commands, what draws an answer and Orca are loaded behind it."""
    script = "import sys, orca_tui.program, orca_tui.app.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert "orca_tui.app.main" in loaded
    behind = ("widgets.dialogs", "commands", "work.work_body", "records.details", "chat.live_markdown")
    assert loaded & {f"orca_tui.app.{each}" for each in behind} == set()
    assert loaded & {"markdown_it", "pygments", "httpx", "apsw", "numpy", "orca_core.orca"} == set()
    assert loaded & {"click", "orca_tui.cli.root"} == set()


def test_the_readme_is_short_and_names_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")

    assert readme.count("\n") <= 120
    assert "bash scripts/check\n" in readme
    assert "scripts/check\n" in (ROOT / ".ci" / "run").read_text("utf-8")


def known_of_status(source: str) -> set[str]:
    """What a file knows of how a status comes about: rules that it names, and thresholds."""
    known = set(re.findall(r"\b(?:core_threshold|archive_threshold|unreferenced)\b", source))
    for node in ast.walk(ast.parse(source)):
        named: list[str] = []
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            named = [ast.unparse(node)]
        known |= {each for each in named if re.search(r"\bmemory\.(?:status|weights)\b", each)}
    return known


def test_status_and_forecast_are_told_by_the_core_alone() -> None:
    """A front end shows what it is given: it knows no threshold, no rule of weights and no step of them."""
    front_end = [path for path in SOURCES if path.is_relative_to(ROOT / "orca_tui")]

    assert {name(path): found for path in front_end if (found := known_of_status(path.read_text("utf-8")))} == {}


def test_a_status_is_derived_once() -> None:
    """Views derive it of what is shown now, operations of what a round did, in its transaction."""
    derived = {
        name(path)
        for path in SOURCES
        if "rules" not in path.parts
        and re.search(r"\bmemory_curation\.status_of\b|memory_curation import .*\bstatus_of\b", path.read_text("utf-8"))
    }

    assert derived == {"orca_core/services/shared/views.py", "orca_core/operations/round_writes.py"}


def test_operations_hold_no_sql() -> None:
    statement = re.compile(r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|json_each)\b")
    operations = [path for path in SOURCES if "operations" in path.parts]

    assert operations
    assert [name(path) for path in operations if statement.search(path.read_text("utf-8"))] == []


def test_no_module_of_the_app_needs_another_for_types_only() -> None:
    """Import-linter holds the rooms; a module that only names types of a room above would go round in a circle. Orca
    and its services may be named so, for they come behind the first frame."""
    for path in (ROOT / "orca_tui" / "app").rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                modules = [getattr(each, "module", "") for each in node.body]
                own = [each for each in modules if each.startswith(("orca_core.", "orca_tui."))]
                allowed = ("orca_core.orca", "orca_core.services.")
                assert [each for each in own if not each.startswith(allowed)] == [], name(path)


def test_the_app_computes_with_no_threshold_of_memory() -> None:
    """What the thresholds make of a memory, or of what waits, the core says in its views."""
    app = ROOT / "orca_tui" / "app"
    threshold = re.compile(r"settings\.(memory|memory_agent|embedding|rerank)\b")

    assert [name(path) for path in app.rglob("*.py") if threshold.search(path.read_text("utf-8"))] == []


def test_values_are_structs() -> None:
    """The standard library's data classes cost a start half a millisecond each; Textual's messages can be nothing else."""
    others = [
        name(path)
        for path in SOURCES
        if "dataclasses" in {node.module for node in nodes(path) if isinstance(node, ast.ImportFrom)}
        and any(
            "dataclass" in ast.unparse(mark) and "Message" not in map(ast.unparse, node.bases)
            for node in nodes(path)
            if isinstance(node, ast.ClassDef)
            for mark in node.decorator_list
        )
    ]

    assert others == []
