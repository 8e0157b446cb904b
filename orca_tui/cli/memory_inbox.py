"""`orca memory inbox | accept | reject | never | merge | duplicates`: what a person decides of what was learnt."""

from __future__ import annotations

from contextlib import suppress
from gettext import gettext as _
from typing import TYPE_CHECKING

import click

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.journal import Changed
from orca_core.domain.memories import State
from orca_core.domain.views import Case
from orca_core.wire.learning import case_json, pairs_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.memory_changing import ids_argument
from orca_tui.cli.memory_reading import as_json_option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.deciding import case_text, pair_text
from orca_tui.words.memories import memory_line

if TYPE_CHECKING:
    from orca_core.api import Candidates


@command()
@as_json_option
@pass_runtime
def inbox(runtime: Runtime, as_json: bool) -> None:
    """List the candidates: what was learnt and waits for you.

    They are never put before a model. Each shows why it is held back, what changed since it was found, what it was
    taken from, and the memory nearest to it."""
    with runtime.orca() as orca:
        cases = orca.run(cases_of(orca.engine.inbox))
    if as_json:
        runtime.output.json({"memories": [case_json(case) for case in cases], "total": len(cases)})
    elif cases:
        runtime.output.line("\n\n".join(case_text(case, runtime.output.marks) for case in cases))
        runtime.output.note(_("orca memory accept, edit, merge, reject or never, with the ID"))
    else:
        runtime.output.note(_("nothing waits for you"))


@command()
@ids_argument
@option("--content", type=ANY_TEXT, metavar="TEXT", help="Accept it in these words; of one candidate.")
@option("--type", "type_word", metavar="TYPE", help="fact, preference, project, instruction or event.")
@option("--tag", "tags", multiple=True, type=ANY_TEXT, metavar="TAG", help="The tags, all of them; '' for none.")
@pass_runtime
def accept(
    runtime: Runtime, *, ids: tuple[int, ...], content: str | None, type_word: str | None, tags: tuple[str, ...]
) -> None:
    """Let candidates live. What they would replace is archived.

    With --content, --type or --tag one candidate is changed and accepted in one step."""
    is_edited = content is not None or type_word is not None or bool(tags)
    if is_edited and len(ids) != 1:
        raise InvalidInput(template="--content, --type and --tag are for one candidate", hint="accept them one by one")
    with runtime.orca() as orca:
        waiting = orca.engine.inbox
        if is_edited:
            [candidate] = orca.run(orca.engine.memories.get(ids))
            kept_tags = [tag for tag in tags if tag] if tags else None
            accepted = waiting.accept_edited(
                candidate.id, candidate.content, content=content, type_word=type_word, tags=kept_tags
            )
            changed = orca.run(accepted)
        else:
            changed = orca.run(waiting.accept(ids))
        _report(runtime, _("accepted"), changed)
        orca.run(orca.engine.worker.tidy())


@command()
@ids_argument
@pass_runtime
def reject(runtime: Runtime, ids: tuple[int, ...]) -> None:
    """Refuse candidates: they are not learnt again in the same words."""
    with runtime.orca() as orca:
        _report(runtime, _("rejected"), orca.run(orca.engine.inbox.reject(ids)))


@command()
@ids_argument
@pass_runtime
def never(runtime: Runtime, ids: tuple[int, ...]) -> None:
    """Never learn this again, in whatever words; also of memories that live."""
    with runtime.orca() as orca:
        _report(runtime, _("never again"), orca.run(orca.engine.inbox.never(ids)))


@command()
@click.argument("kept_id", metavar="ID", type=int)
@click.argument("ids", metavar="ID...", type=int, nargs=-1, required=True)
@option("--content", type=ANY_TEXT, metavar="TEXT", help="What the merged memory says; else what the first one says.")
@pass_runtime
def merge(runtime: Runtime, kept_id: int, ids: tuple[int, ...], content: str | None) -> None:
    """Make one memory of several: the first one stays, the others are archived.

    It keeps the highest weight and confidence, all tags, and has seen what they have seen."""
    with runtime.orca() as orca:
        _report(runtime, _("merged"), orca.run(orca.engine.inbox.merge(kept_id, ids, content=content)))
        orca.run(orca.engine.worker.tidy())


@command()
@option("--keep", nargs=2, type=int, metavar="ID ID", help="These two are not the same: do not list them again.")
@as_json_option
@pass_runtime
def duplicates(runtime: Runtime, keep: tuple[int, int] | None, as_json: bool) -> None:
    """List memories that may say the same, or contradict each other."""
    with runtime.orca() as orca:
        if keep is not None:
            orca.run(orca.engine.inbox.keep_both(*keep))
        pairs = orca.run(orca.engine.inbox.undecided())
    if as_json:
        runtime.output.json(pairs_json(pairs))
    elif pairs:
        runtime.output.line("\n\n".join(pair_text(pair) for pair in pairs))
    else:
        runtime.output.note(_("no two memories are in doubt"))


async def cases_of(candidates: Candidates) -> list[Case]:
    """All that waits. What another Orca deletes meanwhile waits no more."""
    cases = []
    for candidate in await candidates.inbox():
        with suppress(NotFound):
            cases.append(await candidates.case(candidate.id))
    return cases


def _report(runtime: Runtime, word: str, changed: Changed) -> None:
    for memory in changed.memories:
        given_way = memory.superseded_by if memory.state is State.ARCHIVED else None
        said = word if given_way is None else _("gave way to #{id}").format(id=given_way)
        runtime.output.line(f"{said}  {memory_line(memory)}")
    if changed.operation is None:
        runtime.output.note(_("nothing changed"))
