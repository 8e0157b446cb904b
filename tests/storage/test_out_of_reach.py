"""Stores that stand in for a database that can not be opened."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from orca_core.domain import stores
from orca_core.domain.errors import NotFound, OrcaError, StoreOutOfReach
from orca_core.domain.memories import MEMORIES
from orca_core.domain.recall import TokenStatistics
from orca_core.domain.stores import Snapshot, Stores
from orca_core.flows.shared.candidates import Gatherer, Query
from orca_core.rules.recalling.finding.measuring import Measured
from orca_core.rules.text.terms import query_terms
from orca_core.storage.out_of_reach import READS, stores_out_of_reach

NO_PORTS = ("failure", "records")
PORTS = {name: getattr(stores, port) for name, port in Stores.__annotations__.items() if name not in NO_PORTS}
METHODS = [
    (name, method)
    for name, port in PORTS.items()
    for method, what in vars(port).items()
    if inspect.iscoroutinefunction(what)
]


def test_every_read_that_is_answered_belongs_to_a_port() -> None:
    assert set(READS) <= {method for _name, method in METHODS}


def test_a_look_finds_nothing() -> None:
    gathered = Query("nginx", query_terms("nginx"), TokenStatistics(0, {}))

    def look(snapshot: Snapshot) -> tuple[Measured, list[object], bool]:
        return Gatherer(snapshot, gathered).around(with_waiting=True), snapshot.get(MEMORIES, [1]), snapshot.is_partial

    search = stores_out_of_reach(StoreOutOfReach(path="/x/orca.db", detail="gone")).search
    assert asyncio.run(search.at_once(look)) == (Measured(), [], False)


@pytest.mark.parametrize(("name", "method"), [each for each in METHODS if each[1] != "at_once"])
def test_every_method_of_every_port_gives_nothing_or_says_why(name: str, method: str) -> None:
    failure = StoreOutOfReach(path="/x/orca.db", detail="gone")
    port = getattr(stores_out_of_reach(failure), name)
    wanted = [each for each in inspect.signature(getattr(PORTS[name], method)).parameters if each != "self"]

    async def ask() -> object:
        return await getattr(port, method)(*([["1"]] * len(wanted)))

    try:
        given = asyncio.run(ask())
    except OrcaError as error:
        assert error is failure or isinstance(error, NotFound)
    else:
        assert method in READS
        assert not given or given in (True, ("", 0), (0, 0)) or not getattr(given, "total", 0)
