"""What is left of what was deleted: keyed hashes, from which nothing can be read."""

from __future__ import annotations

from pathlib import Path

import apsw
from fakes.deleting import count, opened, say
from fakes.records import header, later, remember
from fakes.teaching import an_episode

from orca_core.model.records import EPISODE, timestamp


async def test_it_can_not_be_read(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    await say(stores, "the quokka chat", "do you like quokkas?")
    [memory_id] = await remember(stores, "User likes quokkas")
    episode = await stores.records[EPISODE].add(an_episode("the quokka ran away"), header("add"))
    await stores.memories.delete([memory_id], header("delete"))
    await stores.records[EPISODE].delete([episode.id], header("delete"))
    await stores.sessions.delete("the quokka chat", header("delete"))
    await stores.housekeeping.aclose()

    # a memory and an episode: what each says, its words in one order, in its own and sorted, and each by itself; a
    # session as a whole
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM tombstones") == 9
    assert b"quokka" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file()).lower()


async def test_deleting_twice_keeps_the_later_time(tmp_path: Path) -> None:
    stores = await opened(tmp_path)
    for minutes in (0, 5):
        [memory_id] = await remember(stores, "User likes quokkas")
        await stores.memories.delete([memory_id], header("delete", later(minutes)))
    await stores.housekeeping.aclose()

    connection = apsw.Connection(str(tmp_path / "orca.db"))
    times = [at for (at,) in connection.execute("SELECT at FROM tombstones ORDER BY at")]
    assert times == [
        timestamp(later(0)),
        *[timestamp(later(5))] * 4,
    ]  # the first memory; the second, and what both said
    assert count(tmp_path / "orca.db", "SELECT count(*) FROM tombstones") == 5
