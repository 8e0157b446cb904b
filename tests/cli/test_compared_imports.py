"""What an import brings is compared with what is known, and the commands tell of it."""

from __future__ import annotations

import pytest
from fakes.terminal import OrcaHome

from orca_core.services import import_export


def imported(home: OrcaHome, *lines: str) -> None:
    given = "".join(f"{line}\n" for line in lines).encode()
    assert home.orca("memory", "import", "--trust", stdin=given).status == 0


def conflicts(home: OrcaHome) -> dict[str, object]:
    [found] = [each for each in home.orca("doctor", "--json").json["checks"] if each["name"] == "conflicts"]
    return found


def test_two_values_in_one_import_are_found(home: OrcaHome) -> None:
    imported(home, "The rent is 900 euros", "The rent is 950 euros")

    assert "orca memory merge" in home.orca("memory", "duplicates").stdout
    assert conflicts(home)["state"] == "warn"


def test_what_the_import_did_not_wait_for_is_told_and_done_later(
    home: OrcaHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(*_: object) -> object:
        for each in ():
            yield each

    with monkeypatch.context() as patched:
        patched.setattr(import_export, "compared", none)
        patched.setattr("orca_core.jobs.upkeep.compared", none)
        imported(home, "The rent is 900 euros", "The rent is 950 euros")
    assert "2 of those imported are still to be compared" in str(conflicts(home))

    home.orca("memory", "reindex")

    assert conflicts(home)["state"] == "warn"
