"""What front ends hold stays narrow: Protocols of a few methods, on values of the domain alone."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from fakes.sources import nodes, tree

from orca_core import api

ROOT = Path(__file__).parent.parent.parent
MAX_METHODS = 8
MODULES = sorted((ROOT / "orca_core" / "api").glob("*.py"))
PROTOCOLS = {
    name: port for name, port in vars(api).items() if inspect.isclass(port) and port.__module__.startswith(api.__name__)
}
HOLDER = "Orca"


@pytest.mark.parametrize("name", sorted(PROTOCOLS.keys() - {HOLDER}))
def test_a_room_of_the_api_has_few_methods(name: str) -> None:
    own = [each for each in vars(PROTOCOLS[name]) if not each.startswith("_")]

    assert len(own) <= MAX_METHODS


def test_every_room_is_reached_from_the_one_holder() -> None:
    """A Protocol that nobody is given is a promise that nobody keeps."""
    source = tree(ROOT / "orca_core" / "api" / "__init__.py")
    holder = next(node for node in source.body if isinstance(node, ast.ClassDef) and node.name == HOLDER)
    held = {
        ast.unparse(node.returns) for node in ast.walk(holder) if isinstance(node, ast.FunctionDef) and node.returns
    }
    held |= {each for name in held & PROTOCOLS.keys() for each in _given_by(PROTOCOLS[name])}
    parts = {base.__name__ for name in held & PROTOCOLS.keys() for base in PROTOCOLS[name].__mro__}

    assert PROTOCOLS.keys() - {HOLDER} - parts == set()


def test_every_protocol_of_the_api_is_imported_from_its_door() -> None:
    """Front ends write `from orca_core.api import …`, whatever file a Protocol stands in."""
    defined = {node.name for path in MODULES for node in nodes(path) if isinstance(node, ast.ClassDef)}

    assert len(defined) > 10
    assert defined == PROTOCOLS.keys()
    assert defined <= set(api.__all__)


def _given_by(port: type) -> set[str]:
    """The rooms that a bundle holds."""
    return {what.fget.__annotations__["return"] for what in vars(port).values() if isinstance(what, property)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_api_speaks_of_the_domain_alone(path: Path) -> None:
    source = tree(path)
    core = {str(node.module) for node in source.body if isinstance(node, ast.ImportFrom)}
    core = {module for module in core if module.startswith("orca_core")}

    assert {module for module in core if not module.startswith(("orca_core.domain.", "orca_core.api."))} == set()
