"""Three failures in a row, then a pause, then one try."""

from __future__ import annotations

from orca_core.rules.retrieval.evidence import Circuit, after_failure, after_success, is_closed


def failed(times: int, now: float = 100.0) -> Circuit:
    circuit = Circuit()
    for _ in range(times):
        circuit = after_failure(circuit, now)
    return circuit


def test_two_failures_change_nothing() -> None:
    assert is_closed(failed(2), 100.0)


def test_three_in_a_row_open_it_for_a_while() -> None:
    assert not is_closed(failed(3), 100.0)
    assert not is_closed(failed(3), 159.9)
    assert is_closed(failed(3), 160.0)


def test_a_failed_new_try_opens_it_for_another_while() -> None:
    again = after_failure(failed(3), 160.0)

    assert not is_closed(again, 200.0)
    assert is_closed(again, 220.0)


def test_a_success_closes_it_and_forgets() -> None:
    assert after_success(failed(3)) == Circuit()
    assert is_closed(after_failure(after_success(failed(2)), 100.0), 100.0)
