"""A data class that many threads use at once before anybody has."""

from __future__ import annotations

import sys
import threading

from msgspec import Struct


def test_many_threads_may_use_it_first() -> None:
    wrong: list[object] = []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):

            class Point(Struct, frozen=True):
                x: int
                y: int = 2

            together = threading.Barrier(4)

            def use(own: type = Point, together: threading.Barrier = together) -> None:
                together.wait()
                try:
                    wrong.extend([] if own(1) == own(1) and hash(own(1)) == hash(own(1)) else ["not equal"])
                except Exception as error:  # noqa: BLE001  # whatever it is, it is wrong
                    wrong.append(error)

            threads = [threading.Thread(target=use) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)

    assert wrong == []
