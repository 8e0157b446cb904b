"""Which kinds of records can be known together."""

from __future__ import annotations

import pytest

from orca_core.model.records import MEMORY, SUMMARY, Kind, Kinds, Ref

NOTE = Kind("note", "n")


def test_a_reference_is_read_as_the_kind_that_wrote_it() -> None:
    kinds = Kinds((MEMORY, SUMMARY, NOTE))

    assert [kinds.ref(each) for each in (7, "m7", "s41", "n1")] == [
        Ref(MEMORY, 7), Ref(MEMORY, 7), Ref(SUMMARY, 41), Ref(NOTE, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other", [Kind("dish", "m"), Kind("memory", "d"), *(Kind("dish", each) for each in ("", "M", "m2", "1", "]", "食"))]
)
def test_kinds_that_could_be_taken_for_each_other_are_refused(other: Kind) -> None:
    with pytest.raises(ValueError, match="kind"):
        Kinds((MEMORY, SUMMARY, other))
