"""Deleted means gone: no byte of a text or of its vector is left in the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.records import EVOLVE, begin, header, receipt, record, remember

from orca_core.model.records import memory_ref
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.index import vector_index
from orca_core.store.sqlite.store import open_stores


def places(folder: Path, needle: bytes) -> int:
    return sum(each.read_bytes().count(needle) for each in folder.iterdir() if each.is_file())


@pytest.mark.parametrize("secret", ["我的银行密码是长颈鹿四十二", "my passphrase is giraffe-quartz-forty-two"])
async def test_no_byte_of_a_deleted_memory_is_left(tmp_path: Path, secret: str) -> None:
    stores = await open_stores(tmp_path / "orca.db", scope="me", must_exist=False)
    vector = vector_index.unit([float(number % 7) - 2.9 for number in range(64)])
    await remember(stores, *(f"other memory {number}" for number in range(40)))
    [memory_id] = await remember(stores, secret)
    await stores.memories.change(
        [memory_id], header("edit"), memory_curation.each(lambda memory: {"content": secret + " indeed"})
    )
    await stores.memories.change([memory_id], header("edit"), memory_curation.each(lambda memory: {"content": secret}))
    await stores.vectors.put("m", [(memory_ref(memory_id), secret, vector)])
    assert await stores.vectors.refresh_index("m")
    await stores.vectors.cache("m", {secret: vector})
    started = await begin(stores)
    kept = receipt(content=secret, block=f'[{{"text": "{secret}"}}]', ref=str(memory_id))
    await stores.dialogues.finish_round(record(started, receipt=kept), EVOLVE)
    forms = (
        secret.encode(),
        vector_index.to_blob(vector),
        vector_index.to_exact(vector),
        vector_index.sign_code(vector),
    )
    assert all(places(tmp_path, form) > 0 for form in forms)

    deletion = await stores.memories.delete([memory_id], header("delete"))

    assert deletion.finished
    assert [places(tmp_path, form) for form in forms] == [0, 0, 0, 0]
    assert places(tmp_path, b"giraff") == 0


async def test_a_reader_in_the_way_is_said_and_finished_later(tmp_path: Path) -> None:
    import apsw

    path = tmp_path / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    await stores.housekeeping._scope._database.raw(lambda c: c.set_busy_timeout(50))
    [memory_id] = await remember(stores, "a secret giraffe")
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM long_term_memories").fetchall()

    deletion = await stores.memories.delete([memory_id], header("delete"))
    assert not deletion.finished
    reader.execute("ROLLBACK")
    reader.close()

    assert await stores.housekeeping.idle()
    assert places(tmp_path, b"secret giraffe") == 0
