"""`orca memory inbox | accept | reject | never | merge | duplicates`: what a person decides of what was learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

import click

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.growth.supports import Weighed
from orca_core.domain.journal import Changed, RecordsChanged
from orca_core.domain.memories import Memory, State
from orca_core.domain.refs import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Ref
from orca_core.domain.views import Case
from orca_core.domain.work.waiting import Waits
from orca_core.wire.growth import weighed_json
from orca_core.wire.learning import case_json, pairs_json
from orca_core.wire.values import Json
from orca_core.wire.work import waits_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.memory_changing import ids_argument
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.record_ids import CANDIDATE_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.marks import Marks
from orca_tui.words.deciding import case_text, pair_text
from orca_tui.words.growth import contrast_words
from orca_tui.words.memories import memory_line
from orca_tui.words.nearness import near_words
from orca_tui.words.waiting import candidate_line, candidate_ref, waits_text

if TYPE_CHECKING:
    from orca_core.api import Orca

candidates_argument = click.argument("refs", metavar="ID...", type=CANDIDATE_ID, nargs=-1, required=True)


@command()
@as_json_option
@pass_runtime
def inbox(runtime: Runtime, as_json: bool) -> None:
    """List the candidates: what was learnt and waits for you.

    Memories, episodes, knowledge and guides of tools, the oldest first; of what waits to be shown often enough, the
    nearest to going live first. They are never put before a model. Each shows why it is held back, what changed since
    it was found, what it was taken from; a memory also what is nearest to it."""
    with runtime.orca() as orca:
        found = orca.run(inbox_of(orca.engine))
        weighed = orca.run(
            orca.engine.growth.pools.weighed([each.memory.id for each in found if isinstance(each, Case)])
        )
    if as_json:
        runtime.output.json(inbox_json(found, weighed))
    elif found:
        texts = (each_text(each, weighed, runtime.output.marks) for each in found)
        runtime.output.line("\n\n".join(texts))
        runtime.output.note(_("orca memory accept or reject, with the ID; a memory also edit, merge or never"))
    else:
        runtime.output.note(_("nothing waits for you"))


@command()
@candidates_argument
@option("--content", type=ANY_TEXT, metavar="TEXT", help="Accept it in these words; of one memory.")
@option("--type", "type_word", metavar="TYPE", help="fact, preference, project, instruction or event.")
@option("--tag", "tags", multiple=True, type=ANY_TEXT, metavar="TAG", help="The tags, all of them; '' for none.")
@as_json_option
@pass_runtime
def accept(
    runtime: Runtime,
    *,
    refs: tuple[Ref, ...],
    content: str | None,
    type_word: str | None,
    tags: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let candidates live. What they would replace is archived.

    With --content, --type or --tag one memory is changed and accepted in one step. e3 is an episode, k2 knowledge, g4 a
    guide."""
    is_edited = content is not None or type_word is not None or bool(tags)
    if is_edited and (len(refs) != 1 or refs[0].kind != MEMORY):
        raise InvalidInput(template="--content, --type and --tag are for one memory", hint="accept them one by one")
    with runtime.orca() as orca:
        if is_edited:
            [candidate] = orca.run(orca.engine.memories.get([refs[0].id]))
            kept_tags = [tag for tag in tags if tag] if tags else None
            accepted = orca.engine.inbox.accept_edited(
                candidate.id, candidate.content, content=content, type_word=type_word, tags=kept_tags
            )
            decided: Sequence[RecordsChanged[Any] | Changed] = [orca.run(accepted)]
        else:
            decided = orca.run(orca.engine.work.candidates.accept(_distinct(refs)))
        _tell(runtime, orca, decided, _("accepted"), as_json=as_json)
        orca.run(orca.engine.worker.tidy())


@command()
@candidates_argument
@as_json_option
@pass_runtime
def reject(runtime: Runtime, refs: tuple[Ref, ...], as_json: bool) -> None:
    """Refuse candidates: they are not learnt again in the same words."""
    with runtime.orca() as orca:
        decided = orca.run(orca.engine.work.candidates.reject(_distinct(refs)))
        _tell(runtime, orca, decided, _("rejected"), as_json=as_json)


@command()
@ids_argument
@as_json_option
@pass_runtime
def never(runtime: Runtime, ids: tuple[int, ...], as_json: bool) -> None:
    """Never learn this again, in whatever words; also of memories that live."""
    with runtime.orca() as orca:
        _tell(runtime, orca, [orca.run(orca.engine.inbox.never(ids))], _("never again"), as_json=as_json)


@command()
@click.argument("kept_id", metavar="ID", type=int)
@click.argument("ids", metavar="ID...", type=int, nargs=-1, required=True)
@option("--content", type=ANY_TEXT, metavar="TEXT", help="What the merged memory says; else what the first one says.")
@as_json_option
@pass_runtime
def merge(runtime: Runtime, *, kept_id: int, ids: tuple[int, ...], content: str | None, as_json: bool) -> None:
    """Make one memory of several: the first one stays, the others are archived.

    It keeps the highest weight and confidence, all tags, and has seen what they have seen."""
    with runtime.orca() as orca:
        merged = orca.run(orca.engine.inbox.merge(kept_id, ids, content=content))
        _tell(runtime, orca, [merged], _("merged"), as_json=as_json)
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


async def inbox_of(engine: Orca) -> list[Case | Waits]:
    """All that waits, memories with what a decision needs. What another Orca deletes meanwhile waits no more."""
    found: list[Case | Waits] = []
    for each in await engine.work.candidates.waits():
        if each.ref.kind != MEMORY:
            found.append(each)
            continue
        with suppress(NotFound):
            found.append(await engine.inbox.case(each.ref.id))
    return found


def inbox_json(found: Sequence[Case | Waits], weighed: Mapping[int, Weighed]) -> Json:
    """What waits, by kind; `total` counts all."""
    cases = [each for each in found if isinstance(each, Case)]
    return {
        "memories": [
            {**case_json(each), **(weighed_json(one) if (one := weighed.get(each.memory.id)) else {})} for each in cases
        ],
        **{
            name: [waits_json(each) for each in found if isinstance(each, Waits) and each.ref.kind == kind]
            for name, kind in (("episodes", EPISODE), ("knowledge", KNOWLEDGE), ("guides", GUIDE))
        },
        "total": len(found),
    }


def each_text(each: Case | Waits, weighed: Mapping[int, Weighed], marks: Marks) -> str:
    """A candidate; a memory with how near it is to going live, where nothing else holds it."""
    if not isinstance(each, Case):
        return waits_text(each, marks)
    one = weighed.get(each.memory.id)
    near = [f"    {_('shown')}: {near_words(one)}"] if one is not None and not one.blocked_by else []
    if one is not None and one.contrast is not None:
        near.append(f"    {_('your latest acts')}: {contrast_words(one.contrast)}")
    return "\n".join([case_text(each, marks), *near])


def _distinct(refs: Sequence[Ref]) -> list[Ref]:
    return list(dict.fromkeys(refs))


def _tell(
    runtime: Runtime,
    orca: OpenOrca,
    decided: Sequence[RecordsChanged[Any] | Changed],
    word: str,
    *,
    as_json: bool,
) -> None:
    told = [record for each in decided if each.operation is not None for record in each.records]
    refs = [candidate_ref(record) for record in told]
    lines = [_decided_line(record, word) for record in told]
    tell(runtime, orca, Outcome([each.operation for each in decided], refs, lines), as_json=as_json)


def _decided_line(record: Any, word: str) -> str:
    if not isinstance(record, Memory):
        return f"{word}  {candidate_line(record)}"
    given_way = record.superseded_by if record.state is State.ARCHIVED else None
    said = word if given_way is None else _("gave way to #{id}").format(id=given_way)
    return f"{said}  {memory_line(record)}"
