"""Every method of every port of a store is run through every engine: `tests/contract` has a test for each."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from orca_core.domain import stores
from orca_core.domain.stores import snapshot


def methods_of(port: type) -> list[str]:
    return [name for name, what in vars(port).items() if inspect.isfunction(what) and not name.startswith("_")]


ROOT = Path(__file__).parent.parent
CONTRACT = "\n".join(
    path.read_text("utf-8") for path in [*(ROOT / "contract").glob("*.py"), ROOT / "fakes" / "records.py"]
)
MANY = {"records": stores.RecordStore}
"""Ports of which there is one a kind: `stores.records[KIND]`."""
OF_A_LOOK = {"words": snapshot.Words, "vectors": snapshot.Vectors, "cues": snapshot.Cues, "around": snapshot.Snapshot}
"""Ports that a look is given. Their methods await nothing; `fakes.asking` asks each by itself."""
PORTS = MANY | {
    field.name: getattr(stores, str(field.type))
    for field in fields(stores.Stores)
    if field.name not in ("failure", *MANY)
}
METHODS = [
    (name, method)
    for name, port in PORTS.items()
    for method, what in vars(port).items()
    if inspect.iscoroutinefunction(what)
]
LOOKS = [(name, method) for name, port in OF_A_LOOK.items() for method in methods_of(port)]
MAX_METHODS = 8


def protocols() -> set[str]:
    """Every Protocol that stands in `domain/stores`."""
    return {
        name
        for name in stores.__all__
        if inspect.isclass(port := getattr(stores, name)) and getattr(port, "_is_protocol", False)
    }


@pytest.mark.parametrize(("port", "method"), METHODS)
def test_a_contract_test_calls_every_method_of_every_port(port: str, method: str) -> None:
    assert re.search(rf"\.{port}(\[\w+\])?\.{method}\(", CONTRACT)


@pytest.mark.parametrize(("port", "method"), LOOKS)
def test_a_contract_test_calls_every_method_of_every_port_of_a_look(port: str, method: str) -> None:
    asks = {"words": "asked", "vectors": "asked", "cues": "asked_cues", "around": "asked_around"}[port]
    assert re.search(rf"\b{asks}\([\w.]+\)\.{method}\(", CONTRACT)


def test_every_port_of_a_store_is_in_its_stores() -> None:
    assert {port.__name__ for port in PORTS.values()} | {"OpenedDatabase", "Snapshot"} == protocols()


def test_no_port_is_a_corridor() -> None:
    counted = {port: sum(name == port for name, _method in [*METHODS, *LOOKS]) for port in [*PORTS, *OF_A_LOOK]}

    assert {port: count for port, count in counted.items() if not 1 <= count <= MAX_METHODS} == {}


def test_no_contract_test_names_an_engine() -> None:
    """What holds of one engine only stands in `tests/storage`."""
    naming = {
        path.name: found
        for path in (ROOT / "contract").glob("test_*.py")
        if (found := re.findall(r"apsw|storage\.sqlite|fcntl", path.read_text("utf-8")))
    }

    assert naming == {}
