"""Commands by kind: `RecordCommands` holds what is special about the records of one kind, and makes of it the commands
that all kinds have: list, search, show, edit, pin … delete, history, why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from orca_core.model.episodes import WorkQuery
from orca_core.model.errors import NotFound
from orca_core.model.operations import RecordsChanged
from orca_core.model.record_types import (
    ACTION,
    EPISODE,
    GUIDE,
    KNOWLEDGE,
    MEMORY,
    SUPPORT,
    TASK,
    Editable,
    Kind,
    RecordType,
    Ref,
)
from orca_core.serialize.memory_json import appearances_json, view_json
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_core.serialize.values import Json
from orca_core.serialize.work import (
    action_json,
    episode_json,
    knowledge_json,
    left_json,
    task_json,
    tool_json,
    work_found_json,
    work_history_json,
    work_list_json,
)
from orca_tui.cli.commands import Group, Option
from orca_tui.cli.delete_command import DeleteCommand, proof_option, takes_deletion_options, yes_option
from orca_tui.cli.memory_tables import change_line
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import ANY_TEXT, SESSION_ID, STATES, TYPES, RecordId, records, words
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import N_
from orca_tui.words.health_words import level_note
from orca_tui.words.history_words import half_done_line
from orca_tui.words.memory_words import appearance_parts, no_appearance, reason_phrase
from orca_tui.words.work_words import left_lines

if TYPE_CHECKING:
    from orca_core.orca import Orca

FOUND_BY_DEFAULT = 10
DONE_WORDS = {
    "pin": N_("pinned"),
    "unpin": N_("unpinned"),
    "archive": N_("archived"),
    "restore": N_("restored"),
    "accept": N_("accepted"),
    "reject": N_("rejected"),
}
"""By what is done to records: what is said of each."""


def status_option(*further: str) -> Option:
    """Which records are listed, by how they stand."""
    said = ", ".join(("active", *further, "archived", "candidate", "rejected"))
    return Option(
        ["--status"],
        default="live",
        metavar="STATUS",
        shell_complete=words(*STATES, *further),
        help=f"live, all, or {said}.",
    )


def text_option(name: str, help: str, *, metavar: str = "TEXT", **more: Any) -> Option:
    """A text of a record, such as `--summary TEXT`."""
    return Option([name], type=ANY_TEXT, metavar=metavar, help=help, **more)


def texts_option(name: str, variable: str, help: str, *, metavar: str = "TEXT", **more: Any) -> Option:
    """Several texts of a record, the option given once for each."""
    return Option([name, variable], multiple=True, type=ANY_TEXT, metavar=metavar, help=help, **more)


def tags_option(help: str) -> Option:
    """Tags; the help says what for."""
    return texts_option("--tag", "tags", help, metavar="TAG", shell_complete=records("tag"))


def session_option(help: str) -> Option:
    """A session; the help says what for."""
    return Option(["--session", "session_id"], type=SESSION_ID, metavar="ID", help=help)


def type_option(help: str) -> Option:
    """The type of a memory; the help says what for."""
    return Option(["--type", "type_word"], metavar="TYPE", shell_complete=words(*TYPES), help=help)


def sort_option(sorts: type[StrEnum], default: str = "new") -> Option:
    """The order of a list."""
    return Option(["--sort"], type=click.Choice([each.value for each in sorts]), default=default, help="The order.")


ONLY_TAGS = tags_option("Only with this tag; may be given again.")
ALL_TAGS = tags_option("The tags, all of them; '' for none.")
NEW_TAGS = tags_option("A tag; may be given again.")
PINNED = Option(["--pinned", "pinned_only"], is_flag=True, help="Only pinned ones.")
OFFSET = Option(["--offset"], type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")


def limit_option(least: int = 0, default: int | None = None, name: str = "--limit", help: str = "") -> Option:
    """How many are shown, or are sought."""
    said = help or "At most so many."
    return Option([name, "limit"], type=click.IntRange(min=least), default=default, metavar="N", help=said)


def edit_option(about: Editable, *, is_only: bool) -> Option:
    """The option that writes a field; it is needed where no other is there."""
    return Option(
        [f"--{about.option or about.name.replace('_', '-')}", about.name],
        type=ANY_TEXT,
        metavar=about.metavar,
        help=about.help,
        multiple=about.is_list,
        required=is_only,
        shell_complete=records("tag") if about.are_tags else None,
    )


def given_list(given: Sequence[str]) -> list[str] | None:
    """What an option that may be given again stands for: None where it was not given, nothing where it is empty."""
    return [each for each in given if each] if given else None


def print_operations(
    runtime: Runtime,
    opened: OpenOrca,
    operations: Sequence[int | None],
    refs: Sequence[Ref],
    lines: Sequence[str],
    **more: Any,
) -> None:
    """Say what the operations of one command changed (None where one changed nothing), with the records or with a line
    of each, and how it is taken back; `more` is for JSON."""
    if runtime.as_json:
        changed = opened.run(records_json(opened.orca, refs))
        runtime.output.json(outcome_json(operations, changed, **more))
        return
    for line in lines:
        runtime.output.record(line)
    made = [each for each in operations if each is not None]
    if not made:
        runtime.output.note(_("nothing to change"))
    for operation in made:
        runtime.output.note(_("orca memory undo {operation} takes it back").format(operation=operation))


class RecordCommands(Struct, frozen=True):
    """Records of one kind as commands know them: the group of the commands, the type, the service that has the records,
    a line of each; of those that are listed and shown the name of their list in JSON, the JSON and the columns of one
    as it is listed, and the texts of some in full."""

    group: Group
    type: RecordType[Any]
    service: Callable[[OpenOrca], Any]
    line: Callable[[Any], str]
    plural: str = ""
    to_json: Callable[[Any], Json] = dict
    columns: Sequence[TableColumn] = ()
    texts: Callable[[Runtime, OpenOrca, Sequence[int]], Sequence[str]] = lambda _runtime, _opened, _ids: ()

    def list(
        self,
        help: str,
        *filters: click.Parameter,
        find: Callable[..., Awaitable[tuple[Sequence[Any], int]]],
        nothing: str,
        examples: Sequence[str],
        limit: int | None = None,
        note: Callable[[OpenOrca], str] | None = None,
    ) -> None:
        """`list`: `find` is given the filters by their names, those that were given, and returns what is listed and how
        many there are in all; `note` is said below it."""

        def run(runtime: Runtime, **given: Any) -> None:
            wanted = {name: value for name, value in given.items() if value is not None}
            with runtime.open_orca() as opened:
                warn_of_half_done(runtime, opened)
                rows, total = opened.run(find(opened, **wanted))
                below = note(opened) if note is not None and not runtime.as_json else ""
            if runtime.as_json:
                runtime.output.json(work_list_json(self.plural, [self.to_json(row) for row in rows], total))
            else:
                runtime.output.page(self.columns, rows, total, _(nothing))
            if below:
                runtime.output.note(below)

        self._add("list", run, help, (*filters, limit_option(default=limit), OFFSET), examples)

    def search(self, help: str, *, nothing: str, examples: Sequence[str]) -> None:
        """`search QUERY`."""

        def run(runtime: Runtime, query: str, limit: int) -> None:
            with runtime.open_orca() as opened:
                service = self.service(opened)
                found = opened.run(service.search(query, limit))
                views = opened.run(service.views([hit.record for hit in found.hits]))
                if note := level_note(found.level, found.cause):
                    runtime.output.warn(note)
            if runtime.as_json:
                by_id = {view.record.id: view for view in views}
                runtime.output.json(work_found_json(self.plural, found, lambda each: self.to_json(by_id[each.id])))
                return
            runtime.output.page(self.columns, views, len(views), _(nothing))
            for rule in found.rules:
                runtime.output.note(reason_phrase(rule))

        query = click.Argument(["query"], type=ANY_TEXT)
        self._add("search", run, help, (query, limit_option(1, FOUND_BY_DEFAULT)), examples)

    def show(self, help: str, *, examples: Sequence[str]) -> None:
        """`show ID...`."""

        def run(runtime: Runtime, ids: tuple[int, ...]) -> None:
            with runtime.open_orca() as opened:
                self.show_some(runtime, opened, _distinct(ids))

        self._add("show", run, help, (self._ids,), examples)

    def show_some(self, runtime: Runtime, opened: OpenOrca, ids: Sequence[int]) -> None:
        """Records in full; in JSON one as it is, several as a list."""
        if not runtime.as_json:
            runtime.output.line("\n\n".join(self.texts(runtime, opened, ids)))
            return
        members = opened.run(_READERS[self.type.kind](opened.orca, ids))
        runtime.output.json(members[0] if len(members) == 1 else work_list_json(self.plural, members, len(members)))

    def edit(self, help: str, *, examples: Sequence[str]) -> None:
        """`edit ID`, with an option for each field that a person writes."""

        def run(runtime: Runtime, record_id: int, **given: Any) -> None:
            fields = {name: given_list(value) if isinstance(value, tuple) else value for name, value in given.items()}
            with runtime.open_orca() as opened:
                changed = opened.run(self.service(opened).edit(record_id, **fields))
                self.report(runtime, opened, changed, _("changed"))

        written = self.type.editable.values()
        options = [edit_option(each, is_only=len(written) == 1) for each in written]
        self._add("edit", run, help, (self._id, *options), examples)

    def acts(self, helps: Mapping[str, str], examples: Mapping[str, Sequence[str]] | None = None) -> None:
        """`pin ID...` and its like, by the name of each, which is the service's, too."""
        for name, said in helps.items():
            self._act(name, said, (examples or {}).get(name, ()))

    def _act(self, name: str, help: str, examples: Sequence[str]) -> None:
        def run(runtime: Runtime, ids: tuple[int, ...]) -> None:
            with runtime.open_orca() as opened:
                changed = opened.run(getattr(self.service(opened), name)(_distinct(ids)))
                self.report(runtime, opened, changed, _(DONE_WORDS[name]))

        self._add(name, run, help, (self._ids,), examples)

    def delete(self, help: str, examples: Sequence[str] = ()) -> None:
        """`delete ID... [--yes] [--proof]`."""

        @yes_option
        @proof_option
        @takes_deletion_options
        def run(runtime: Runtime, *, ids: tuple[int, ...], deletion: DeleteCommand) -> None:
            wanted = _distinct(ids)
            with runtime.open_orca() as opened:
                lines = [self.line(each) for each in opened.run(self.service(opened).get(wanted))]
                deletion.ask(lines)
                deletion.look(opened, self.type.kind, wanted)
                deleted = opened.run(self.service(opened).delete(wanted))
            gone = [deleted_json(Ref(self.type.kind, each)) for each in wanted]
            left = left_json(deleted)
            deletion.tell(gone, lines, is_wiped=deleted.finished, notes=left_lines(deleted), **left)

        self._add("delete", run, help, (self._ids,), examples)

    def history(self, help: str, examples: Sequence[str] = (), has_it: Callable[[OpenOrca], Any] | None = None) -> None:
        """`history ID`."""

        def run(runtime: Runtime, record_id: int) -> None:
            with runtime.open_orca() as opened:
                changes = opened.run((has_it or self.service)(opened).changes_of(record_id))
            if runtime.as_json:
                runtime.output.json(work_history_json(self.type.kind, record_id, changes))
            else:
                runtime.output.line("\n".join(change_line(change, runtime.output.marks) for change in changes))

        self._add("history", run, help, (self._id,), examples)

    def why(self, help: str, examples: Sequence[str] = ()) -> None:
        """`why ID`: the turns that got the record."""

        def run(runtime: Runtime, record_id: int) -> None:
            ref = Ref(self.type.kind, record_id)
            with runtime.open_orca() as opened:
                opened.run(_READERS[self.type.kind](opened.orca, [record_id]))
                found = opened.run(opened.orca.sessions.appearances(ref))
            if runtime.as_json:
                runtime.output.json(appearances_json(ref, found))
            elif found:
                for each in found:
                    runtime.output.line("  ".join(appearance_parts(each, runtime.output.marks)))
            else:
                runtime.output.note(no_appearance())

        self._add("why", run, help, (self._id,), examples)

    def report(self, runtime: Runtime, opened: OpenOrca, changed: RecordsChanged[Any], done: str, **more: Any) -> None:
        """Say what was changed, and how it is taken back; where nothing was, records are not spoken of."""
        told: Sequence[Any] = () if changed.operation is None else changed.records
        lines = [f"{done}  {self.line(each)}" for each in told]
        print_operations(
            runtime, opened, (changed.operation,), [Ref(self.type.kind, each.id) for each in told], lines, **more
        )

    @property
    def _ids(self) -> click.Argument:
        return click.Argument(["ids"], metavar="ID...", type=RecordId(self.type.kind), nargs=-1, required=True)

    @property
    def _id(self) -> click.Argument:
        return click.Argument(["record_id"], metavar="ID", type=RecordId(self.type.kind))

    def _add(
        self,
        name: str,
        run: Callable[..., None],
        help: str,
        params: Sequence[click.Parameter],
        examples: Sequence[str] = (),
    ) -> None:
        typed = examples or (f"orca {self.group.name} {name} {self.type.kind.letter}1",)
        self.group.command(name, help=help, params=list(params), examples=typed)(run)


def work_page(service: Callable[[OpenOrca], Any]) -> Callable[..., Awaitable[tuple[Sequence[Any], int]]]:
    """What lists records of work: the filters are the fields of a `WorkQuery`."""

    async def find(opened: OpenOrca, **filters: Any) -> tuple[Sequence[Any], int]:
        page = await service(opened).page(WorkQuery(**filters))
        return await service(opened).views(page.records), page.total

    return find


def _distinct(ids: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(ids))


def warn_of_half_done(runtime: Runtime, opened: OpenOrca) -> None:
    """Say before a list what of it an undo or redo has not come to yet that a killed process began."""
    for operation in opened.run(opened.orca.history.waiting()):
        runtime.output.warn(half_done_line(operation))


async def records_json(orca: Orca, refs: Sequence[Ref]) -> list[Json]:
    """Records of any kind as they are now; those that are gone as such. What speaks for a memory is told with it."""
    refs = [ref for ref in refs if ref.kind != SUPPORT]
    found: dict[Ref, Json] = {}
    for kind in dict.fromkeys(ref.kind for ref in refs):
        named = [ref for ref in refs if ref.kind == kind]
        try:
            read = await _READERS[kind](orca, [ref.id for ref in named])
            found |= dict(zip(named, read, strict=True))
        except NotFound:
            found |= {ref: await _one(orca, ref) for ref in named}
    return [found[ref] for ref in refs]


async def _one(orca: Orca, ref: Ref) -> Json:
    try:
        [read] = await _READERS[ref.kind](orca, [ref.id])
    except NotFound:
        return deleted_json(ref)
    return read


async def _memories(orca: Orca, ids: Sequence[int]) -> list[Json]:
    return [view_json(view) for view in await orca.memories.views(ids)]


async def _episodes(orca: Orca, ids: Sequence[int]) -> list[Json]:
    episodes = orca.work.episodes
    return [episode_json(view) for view in await episodes.views(await episodes.get(ids))]


async def _knowledge(orca: Orca, ids: Sequence[int]) -> list[Json]:
    knowledge = orca.work.knowledge
    return [knowledge_json(view) for view in await knowledge.views(await knowledge.get(ids))]


async def _tasks(orca: Orca, ids: Sequence[int]) -> list[Json]:
    return [task_json(view) for view in await orca.work.tasks.get(ids)]


async def _guides(orca: Orca, ids: Sequence[int]) -> list[Json]:
    return [tool_json(view) for view in await orca.tools.views(await orca.guides.get(ids))]


async def _acts_json(orca: Orca, ids: Sequence[int]) -> list[Json]:
    actions = orca.feedback.actions
    supports = await actions.speaks_for(ids)
    return [action_json(each, supports.get(each.id, ())) for each in await actions.get(ids)]


_READERS: Mapping[Kind, Callable[[Orca, Sequence[int]], Awaitable[list[Json]]]] = {
    MEMORY: _memories,
    EPISODE: _episodes,
    KNOWLEDGE: _knowledge,
    GUIDE: _guides,
    TASK: _tasks,
    ACTION: _acts_json,
}
