"""Numbers of 16 bits, as rows hold them, are read exactly."""

from __future__ import annotations

import numpy as np

from orca_core.store.sqlite.index import vector_index


def test_every_finite_number_is_read_as_it_is() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view("<f2")
    finite = every[np.isfinite(every)]

    [read] = vector_index.from_blobs([finite.tobytes()], len(finite))

    assert read.dtype == np.float32
    assert np.array_equal(read, finite.astype(np.float32))
    assert np.array_equal(np.signbit(read), np.signbit(finite))
