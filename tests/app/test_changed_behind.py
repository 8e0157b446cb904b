"""What another process does to the memories while the list has the focus."""

from __future__ import annotations

from fakes.app_driver import rows_of, seen, until

from orca_tui.app.bridge import ChangedBehind


def test_what_another_process_changes_is_shown_in_its_row_while_the_list_is_looked_at(make_app, drive) -> None:
    async def scenario(app, pilot) -> None:
        rows, memories = rows_of(app), app.bridge.engine.memories
        for text in ("用户用 neovim", "postgres 固定在 16", "用户住在杭州", "likes dark roast coffee"):
            await memories.add(text)
        rows.ask_again()
        await until(pilot, lambda: rows.count == 4)
        rows.focus()
        await pilot.press("j")
        before, ids = rows.current.id, rows.ids
        await memories.pin([before])
        await memories.archive(ids[2:3])
        await memories.delete(ids[3:4])
        app.main.post_message(ChangedBehind())
        await until(pilot, lambda: rows.current.pinned)

        assert (rows.cursor, rows.current.id, rows.ids) == (1, before, ids)
        assert "◌" in seen(app)

    drive(make_app(), scenario)
