"""Bad files of every family: refused in one clean line, and the home as before. `benchmarks/bad_files.py` tries all."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from fakes.bad_archives import ARCHIVE_FAMILIES
from fakes.bad_exports import LYING_FAMILIES
from fakes.bad_files import TEXT_FAMILIES, of_families
from fakes.terminal import OrcaHome
from fakes.trying_bad_files import IMPORT, RESTORE, BadFileTrial

pytestmark = pytest.mark.long

SEED = 7
HUGE = ("bomb", "megabytes", "gigabytes", "without end", "of chance", "circles", "long chain", "many files")
"""Left to the benchmark: they take a second each."""


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> BadFileTrial:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "C")
        return BadFileTrial(tmp_path_factory.mktemp("bad"))


def is_quick(family: str) -> bool:
    return not any(each in family for each in HUGE)


def test_an_import_of_any_bad_file_is_one_line_and_changes_nothing(trial: BadFileTrial) -> None:
    wrongs = [
        wrong
        for bad in trial.imports(SEED, count=1)
        if is_quick(bad.family)
        for wrong in trial.wrongs(bad, *IMPORT, "--trust")
    ]

    assert wrongs == []


def test_a_restore_of_any_bad_file_is_one_line_and_changes_nothing(trial: BadFileTrial) -> None:
    wrongs = [wrong for bad in trial.restores(SEED, count=1) for wrong in trial.wrongs(bad, *RESTORE)]

    assert wrongs == []


def test_the_same_seed_makes_the_same_files_and_they_are_many(tmp_path: Path) -> None:
    small = {
        name: each for name, each in {**TEXT_FAMILIES, **LYING_FAMILIES, **ARCHIVE_FAMILIES}.items() if is_quick(name)
    }

    def made() -> list[bytes]:
        sums = []
        for bad in of_families(small, SEED):
            bad.put(tmp_path / "file")
            sums.append(sha256((tmp_path / "file").read_bytes()).digest())
        return sums

    assert made() == made()
    assert len(set(made())) >= 300


@pytest.mark.parametrize("statement", ["CREATE VIEW harm AS SELECT 1", "DROP TABLE tombstones", "DROP INDEX {index}"])
def test_only_a_database_of_orcas_own_shape_is_restored(home: OrcaHome, tmp_path: Path, statement: str) -> None:
    import apsw

    home.orca("memory", "add", "Has a cat")
    backup = Path(home.orca("backup", "--json").json["backup"]["path"])
    connection = apsw.Connection(str(backup))
    [index] = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%uid%'"
    ).fetchone() or ("",)
    connection.execute(statement.format(index=index)).fetchall()
    connection.close()

    ran = home.orca("restore", str(backup), "--yes")

    assert ran.status == 2
    assert "none of Orca's" in ran.stderr or "is missing" in ran.stderr
    assert len(list((home.path / "backups").iterdir())) == 1
