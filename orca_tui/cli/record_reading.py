"""Lists of records of work, as commands print them: the same for episodes and for knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _
from typing import Any

from msgspec import Struct

from orca_core.model.episodes import WorkQuery
from orca_core.serialize.work import work_found_json, work_list_json
from orca_tui.cli.output import Output
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.stopped import warn_of_half_done
from orca_tui.words.health_words import level_note
from orca_tui.words.memory_words import reason_phrase


class Listed(Struct, frozen=True):
    """Records of one kind as lists have them: their name in JSON, where the engine has them, the JSON of a view, and
    the lines of several."""

    name: str
    records: Callable[[OpenOrca], Any]
    json: Callable[[Any], Any]
    table: Callable[[Output, Sequence[Any]], None]

    def page(self, runtime: Runtime, query: WorkQuery, as_json: bool, nothing: str) -> None:
        with runtime.orca() as orca:
            warn_of_half_done(runtime, orca)
            records = self.records(orca)
            page = orca.run(records.page(query))
            views = orca.run(records.views(page.records))
        if as_json:
            runtime.output.json(work_list_json(self.name, [self.json(view) for view in views], page.total))
            return
        self.table(runtime.output, views)
        if not page.total:
            runtime.output.note(nothing)
        elif len(views) < page.total:
            runtime.output.note(_("{shown} of {total}").format(shown=len(views), total=page.total))

    def found(self, runtime: Runtime, query: str, limit: int, as_json: bool, nothing: str) -> None:
        with runtime.orca() as orca:
            records = self.records(orca)
            found = orca.run(records.search(query, limit))
            views = orca.run(records.views([hit.record for hit in found.hits]))
            if note := level_note(found.level, found.cause):
                runtime.output.warn(note)
        if as_json:
            by_id = {view.record.id: view for view in views}
            runtime.output.json(work_found_json(self.name, found, lambda each: self.json(by_id[each.id])))
            return
        self.table(runtime.output, views)
        if not views:
            runtime.output.note(nothing)
        for rule in found.rules:
            runtime.output.note(reason_phrase(rule))
