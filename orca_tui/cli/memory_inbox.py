"""`orca memory inbox | never | merge | duplicates`: what waits for a person, and what they decide of memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from gettext import gettext as _
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.feedback import Weighed
from orca_core.model.memories import Waits
from orca_core.model.records import EPISODE, GUIDE, KNOWLEDGE, MEMORY
from orca_core.model.views import Case
from orca_core.serialize.memories import case_json, pairs_json, weighed_json
from orca_core.serialize.values import Json
from orca_core.serialize.work import waits_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.decided import tell_decided
from orca_tui.cli.memory_changing import ids_argument
from orca_tui.cli.memory_options import type_option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.sifting import EVERYTHING, Sieve, sieve_options
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.marks import Marks
from orca_tui.words.act_words import near_words
from orca_tui.words.inbox_words import case_text, pair_text
from orca_tui.words.work_words import waits_text

SHOWN_BY_DEFAULT = 50
"""So many are shown: each is compared with what is known."""

if TYPE_CHECKING:
    from orca_core.orca import Orca


@command()
@sieve_options
@type_option("Only fact, preference, project, instruction or event.")
@option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many; 50, unless --json.")
@as_json_option
@pass_runtime
def inbox(
    runtime: Runtime,
    *,
    sieve: Sieve,
    type_word: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List the candidates: what was learnt and waits for you.

    Memories, episodes, knowledge and guides of tools, the oldest first; of what waits to be shown often enough, the
    nearest to going live first. They are never put before a model. Each shows why it is held back, what changed since
    it was found, what it was taken from; a memory also what is nearest to it. With --search, --chat, --from, --type or
    --operation it lists memories alone; orca memory accept and reject take the same.

    A list waits for no model: what the verifier has not answered is asked again by orca extract, by the app when it
    shows it, and with the next run."""
    sieve = sieve.of_type(type_word)
    most = limit or (None if as_json else SHOWN_BY_DEFAULT)
    with runtime.orca() as orca:
        found, total = orca.run(inbox_of(orca.engine, sieve, most))
        weighed = orca.run(
            orca.engine.feedback.pools.weighed([each.memory.id for each in found if isinstance(each, Case)])
        )
    if as_json:
        runtime.output.json(inbox_json(found, weighed, total))
    elif found:
        texts = (each_text(each, weighed, runtime.output.marks) for each in found)
        runtime.output.line("\n\n".join(texts))
        if len(found) < total:
            runtime.output.note(_("{shown} of {total}").format(shown=len(found), total=total))
        runtime.output.note(_("orca memory accept or reject, with the ID; a memory also edit, merge or never"))
    else:
        runtime.output.note(_("nothing waits for you") if sieve == EVERYTHING else _("nothing like this waits for you"))


@command()
@ids_argument
@as_json_option
@pass_runtime
def never(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Never learn this again, in whatever words; also of memories that live."""
    with runtime.orca() as orca:
        tell_decided(runtime, orca, [orca.run(orca.engine.inbox.never(ids))], _("never again"), as_json=as_json)


@command()
@click.argument("kept_id", metavar="ID", type=int, shell_complete=records("live memory"))
@click.argument("ids", metavar="ID...", type=int, shell_complete=records("live memory"), nargs=-1, required=True)
@option("--content", type=ANY_TEXT, metavar="TEXT", help="What the merged memory says; else what the first one says.")
@as_json_option
@pass_runtime
def merge(runtime: Runtime, *, kept_id: int, ids: tuple[int, ...], content: str | None, as_json: bool) -> None:
    """Make one memory of several: the first one stays, the others are archived.

    It keeps the highest weight and confidence, all tags, and has seen what they have seen."""
    with runtime.orca() as orca:
        merged = orca.run(orca.engine.inbox.merge(kept_id, ids, content=content))
        tell_decided(runtime, orca, [merged], _("merged"), as_json=as_json)


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


async def inbox_of(engine: Orca, sieve: Sieve = EVERYTHING, limit: int | None = None) -> tuple[list[Case | Waits], int]:
    """What waits, memories with what a decision needs, and how much there is of it in all. What another Orca deletes
    meanwhile waits no more."""
    if sieve == EVERYTHING:
        waits: Sequence[Waits | int] = await engine.work.candidates.waits(limit)
        total = len(waits) if limit is None else (await engine.inbox.waiting()).count
    else:
        page = await engine.memories.page(replace(sieve.query, limit=limit))
        waits, total = [memory.id for memory in page.memories], page.total
    found: list[Case | Waits] = []
    for each in waits:
        if isinstance(each, Waits) and each.ref.kind != MEMORY:
            found.append(each)
            continue
        with suppress(NotFound):
            found.append(await engine.inbox.case(each.ref.id if isinstance(each, Waits) else each))
    gone = len(waits) - len(found)
    return found, total - gone


def inbox_json(found: Sequence[Case | Waits], weighed: Mapping[int, Weighed], total: int) -> Json:
    """What waits, by kind; `total` counts what is beyond the page, too."""
    cases = [each for each in found if isinstance(each, Case)]
    return {
        "memories": [
            {**case_json(each), **(weighed_json(one) if (one := weighed.get(each.memory.id)) else {})} for each in cases
        ],
        **{
            name: [waits_json(each) for each in found if isinstance(each, Waits) and each.ref.kind == kind]
            for name, kind in (("episodes", EPISODE), ("knowledge", KNOWLEDGE), ("guides", GUIDE))
        },
        "total": total,
    }


def each_text(each: Case | Waits, weighed: Mapping[int, Weighed], marks: Marks) -> str:
    """A candidate; a memory with how near it is to going live, where nothing else holds it."""
    if not isinstance(each, Case):
        return waits_text(each, marks)
    one = weighed.get(each.memory.id)
    near = [f"    {_('shown')}: {near_words(one)}"] if one is not None and not one.blocked_by else []
    return "\n".join([case_text(each, marks), *near])
