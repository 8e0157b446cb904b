"""A list for machines shows a quote as a source only where it was typed."""

from __future__ import annotations

import apsw
from fakes.terminal import OrcaHome


def test_an_old_quote_that_was_never_typed_is_not_listed(home: OrcaHome) -> None:
    home.orca("chat", "记住：我用 neovim 写 Python")
    with apsw.Connection(str(home.path / "orca.db")) as connection:
        connection.execute(
            "UPDATE long_term_memories SET origin_kind = 'extraction', origin_quote = 'never typed', origin_rounds = '[1]',"
            " origin_session = (SELECT id FROM sessions)"
        )

    [memory] = home.orca("memory", "list", "--json").json["memories"]

    assert memory["origin"]["rounds"] == [1]
    assert memory["origin"]["quote"] is None
