"""Which candidates a command is about, where they are too many to be named one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from gettext import gettext as _
from typing import Any, TypeVar, cast

import click
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.import_export import ForeignFormat
from orca_core.model.memories import Memory
from orca_core.model.views import ListQuery, MemorySort
from orca_tui.cli.commands import option
from orca_tui.cli.completions import records
from orca_tui.cli.deleting import YES_WORDS
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import counted
from orca_tui.words.memory_words import memory_line

Function = TypeVar("Function", bound=Callable[..., Any])

SHOWN = 20
"""So many of them are shown before it is asked."""


class Sieve(Struct, frozen=True):
    """What candidates must have: words that stand in them, words of the title of the chat they came from, the program
    they came from, the operation that brought them, a type."""

    search: str = ""
    chat: str = ""
    program: str = ""
    operation: int | None = None
    type_word: str = ""

    def of_type(self, type_word: str | None) -> Sieve:
        return replace(self, type_word=type_word or "")

    @property
    def query(self) -> ListQuery:
        return ListQuery(
            "candidate",
            types=(self.type_word,) if self.type_word else (),
            sort=MemorySort.ID.value,
            text=self.search,
            chat=self.chat,
            program=self.program,
            operation=self.operation,
        )


EVERYTHING = Sieve()
"""Through which all goes."""


def sieve_options(command: Function) -> Function:
    """The options by which candidates are chosen; the command is given the `sieve`."""

    @wraps(command)
    def sieving(
        *given: Any, search: str | None, chat: str | None, program: str | None, operation: int | None, **named: Any
    ) -> Any:
        return command(*given, sieve=Sieve(search or "", chat or "", program or "", operation), **named)

    made: Any = sieving
    for each in (
        option(
            "--operation",
            type=int,
            shell_complete=records("operation"),
            metavar="OP",
            help="Only what this operation brought, such as an import.",
        ),
        option(
            "--from",
            "program",
            type=click.Choice([each.value for each in ForeignFormat]),
            help="Only what was imported from this program.",
        ),
        option("--chat", type=ANY_TEXT, metavar="TITLE", help="Only from chats with these words in their title."),
        option("--search", type=ANY_TEXT, metavar="WORDS", help="Only those in which these words stand."),
    ):
        made = each(made)
    return cast("Function", made)


def sifted(orca: OpenOrca, sieve: Sieve) -> list[Memory]:
    """The memories that wait and pass, the oldest first. Raises NotFound where no operation has the number that is
    asked for."""
    if sieve.operation is not None and not 0 < sieve.operation <= (orca.run(orca.engine.reached()) or 0):
        raise NotFound(what="operation", id=sieve.operation, hint="orca activity lists them")
    return list(orca.run(orca.engine.memories.page(sieve.query)).memories)


def see_that_it_may_be_asked(runtime: Runtime, *, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Raises InvalidInput where nobody can be asked, and neither --yes nor --dry-run is given."""
    if yes or dry_run or (runtime.has_terminal and not as_json):
        return
    raise InvalidInput(
        template="nobody can be asked whether these are meant", hint="--dry-run shows them, --yes does not ask"
    )


def ask_about(runtime: Runtime, memories: Sequence[Memory], question: str) -> None:
    """Show what would be decided, and ask. Ends the command where the answer is no."""
    show_first(runtime, memories)
    try:
        answer = runtime.output.ask(question)
    except EOFError:
        answer = ""
    if answer.strip().lower() not in YES_WORDS:
        runtime.output.note(_("nothing was decided"))
        raise click.exceptions.Exit(1)


def show_first(runtime: Runtime, memories: Sequence[Memory]) -> None:
    for memory in memories[:SHOWN]:
        runtime.output.noted_record(memory_line(memory))
    if len(memories) > SHOWN:
        runtime.output.note(counted("and {count} more", "and {count} more", len(memories) - SHOWN))
