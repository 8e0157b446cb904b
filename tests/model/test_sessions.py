"""What may name a session."""

from __future__ import annotations

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import MAX_SESSION_ID_CHARS, checked_session_id


@pytest.mark.parametrize(
    "name", ["s1", "20261121-153422-k3f9x", "会话一", "my chat", "a.b_c:d", "x" * MAX_SESSION_ID_CHARS]
)
def test_a_name_is_taken_as_it_is(name: str) -> None:
    assert checked_session_id(name) == name


@pytest.mark.parametrize(
    "name",
    ["", " ", " s1", "s1\n", "../x", "a/b", "a\\b", ".", "..", "a\x1b[2J", "a\x00", "a\u202eb", "\ud800", "x" * (MAX_SESSION_ID_CHARS + 1)],
)  # fmt: skip
def test_what_is_a_path_or_can_not_be_seen_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        checked_session_id(name)

    assert str(caught.value).isprintable()
