"""`orca memory inbox | accept | reject | never | merge | duplicates`: what waits for a person, and what they decide,
one by one or of all that are alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.feedback import PromotionScore
from orca_core.model.import_export import ForeignFormat
from orca_core.model.memories import InboxItem, Memory, State
from orca_core.model.operations import RecordsChanged
from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY, Ref, memory_ref
from orca_core.model.views import InboxCase, ListQuery, MemorySort
from orca_core.serialize.memory_json import case_json, pairs_json, weighed_json
from orca_core.serialize.reports import outcome_json
from orca_core.serialize.values import Json
from orca_core.serialize.work import waits_json
from orca_tui.cli.commands import Option, command, option
from orca_tui.cli.delete_command import ask_yes_or_no
from orca_tui.cli.parameters import ANY_TEXT, CANDIDATE_ID, MEMORY_ID, records
from orca_tui.cli.records import (
    ALL_TAGS,
    given_list,
    limit_option,
    print_operations,
    records_json,
    text_option,
    type_option,
)
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.feedback_words import near_words
from orca_tui.words.inbox_words import case_text, pair_text
from orca_tui.words.memory_words import memory_line
from orca_tui.words.work_words import candidate_line, candidate_ref, waits_text

if TYPE_CHECKING:
    from orca_core.orca import Orca

SHOWN_BY_DEFAULT = 50
"""So many are shown: each is compared with what is known."""
SHOWN_BEFORE_ASKING = 20
DESCRIPTION = (
    text_option("--search", "Only those in which these words stand.", metavar="WORDS", default=""),
    text_option("--chat", "Only from chats with these words in their title.", metavar="TITLE", default=""),
    Option(
        ["--from", "program"],
        type=click.Choice([each.value for each in ForeignFormat]),
        help="Only what was imported from this program.",
    ),
    Option(
        ["--operation"],
        type=int,
        shell_complete=records("operation"),
        metavar="OP",
        help="Only what this operation brought, such as an import.",
    ),
)
DECISION = (
    *DESCRIPTION,
    Option(["--all", "is_all"], is_flag=True, help="All memories that wait."),
    Option(["--dry-run"], is_flag=True, help="Only show which these are."),
    Option(["--yes"], is_flag=True, help="Do not ask."),
)
ONLY_TYPE = type_option("Only fact, preference, project, instruction or event.")
CANDIDATES = click.Argument(["refs"], metavar="[ID...]", type=CANDIDATE_ID, nargs=-1)


def candidates_like(
    *,
    search: str = "",
    chat: str = "",
    program: str | None = None,
    operation: int | None = None,
    type_word: str | None = None,
) -> ListQuery:
    """The candidates that these options describe."""
    return ListQuery(
        "candidate",
        types=(type_word,) if type_word else (),
        sort=MemorySort.ID.value,
        text=search,
        chat=chat,
        program=program or "",
        operation=operation,
    )


EVERYTHING = candidates_like()
"""What nothing narrows down."""


@command(
    params=[*DESCRIPTION, ONLY_TYPE, limit_option(1, help="At most so many; 50, unless --json.")],
    examples=("orca memory inbox", "orca memory inbox --json"),
)
def inbox(runtime: Runtime, limit: int | None, **description: Any) -> None:
    """List the candidates: what was learnt and waits for you.

    Memories, episodes, knowledge and guides of tools, the oldest first; of what waits to be shown often enough, the
    nearest to going live first. They are never put before a model. Each shows why it is held back, what changed since
    it was found, what it was taken from; a memory also what is nearest to it. With --search, --chat, --from, --type or
    --operation it lists memories alone; orca memory accept and reject take the same.

    A list waits for no model: what the verifier has not answered is asked again by orca extract, by the app when it
    shows it, and with the next run."""
    described = candidates_like(**description)
    most = limit or (None if runtime.as_json else SHOWN_BY_DEFAULT)
    with runtime.open_orca() as opened:
        found, total = opened.run(inbox_of(opened.orca, described, most))
        cases = [each.memory.id for each in found if isinstance(each, InboxCase)]
        weighed = opened.run(opened.orca.feedback.pools.weighed(cases))
    if runtime.as_json:
        runtime.output.json(inbox_json(found, weighed, total))
    elif found:
        runtime.output.line("\n\n".join(candidate_text(each, weighed, runtime.output.marks) for each in found))
        runtime.output.note_total(len(found), total)
        runtime.output.note(_("orca memory accept or reject, with the ID; a memory also edit, merge or never"))
    elif described == EVERYTHING:
        runtime.output.note(_("nothing waits for you"))
    else:
        runtime.output.note(_("nothing like this waits for you"))


async def inbox_of(
    orca: Orca, described: ListQuery = EVERYTHING, limit: int | None = None
) -> tuple[list[InboxCase | InboxItem], int]:
    """What waits, memories with what a decision needs, and how much there is of it in all. What another Orca deletes
    meanwhile waits no more."""
    if described == EVERYTHING:
        waits: Sequence[InboxItem | int] = await orca.inbox.waits(limit)
        total = len(waits) if limit is None else (await orca.inbox.waiting()).count
    else:
        page = await orca.memories.page(replace(described, limit=limit))
        waits, total = [view.memory.id for view in page.records], page.total
    found: list[InboxCase | InboxItem] = []
    for each in waits:
        if isinstance(each, InboxItem) and each.ref.kind != MEMORY:
            found.append(each)
            continue
        with suppress(NotFound):
            found.append(await orca.memories.case(each.ref.id if isinstance(each, InboxItem) else each))
    gone = len(waits) - len(found)
    return found, total - gone


def inbox_json(found: Sequence[InboxCase | InboxItem], weighed: Mapping[int, PromotionScore], total: int) -> Json:
    """What waits, by kind; `total` counts what is beyond the page, too."""
    cases = [each for each in found if isinstance(each, InboxCase)]
    return {
        "memories": [
            {**case_json(each), **(weighed_json(one) if (one := weighed.get(each.memory.id)) else {})} for each in cases
        ],
        **{
            name: [waits_json(each) for each in found if isinstance(each, InboxItem) and each.ref.kind == kind]
            for name, kind in (("episodes", EPISODE), ("knowledge", KNOWLEDGE), ("guides", GUIDE))
        },
        "total": total,
    }


def candidate_text(each: InboxCase | InboxItem, weighed: Mapping[int, PromotionScore], marks: Marks) -> str:
    """A candidate; a memory with how near it is to going live, where nothing else holds it."""
    if not isinstance(each, InboxCase):
        return waits_text(each, marks)
    one = weighed.get(each.memory.id)
    near = [f"    {_('shown')}: {near_words(one)}"] if one is not None and not one.blocked_by else []
    return "\n".join([case_text(each, marks), *near])


@command(
    params=[
        CANDIDATES,
        text_option("--content", "Accept it in these words; of one memory."),
        type_option("fact, preference, project, instruction or event: with ID what it is, without only those."),
        ALL_TAGS,
        *DECISION,
    ],
    examples=(
        "orca memory accept 1 2",
        'orca memory accept 1 --content "User uses helix"',
        "orca memory accept --chat recipes --dry-run",
    ),
)
def accept(
    runtime: Runtime,
    *,
    refs: tuple[Ref, ...],
    content: str | None,
    type_word: str | None,
    tags: tuple[str, ...],
    is_all: bool,
    dry_run: bool,
    yes: bool,
    **description: Any,
) -> None:
    """Let candidates live. What they would replace is archived.

    With --content, --type or --tag one memory is changed and accepted in one step. e3 is an episode, k2 knowledge, g4 a
    guide. Without ID it takes all memories that the options describe, as one operation."""
    is_named = bool(refs) or content is not None or bool(tags)
    described = candidates_like(**description, type_word=None if refs else type_word)
    if not is_named:
        _decide_all(runtime, "accept", described, is_all=is_all, dry_run=dry_run, yes=yes)
        return
    _check_nothing_is_described(is_described=is_all or dry_run or described != EVERYTHING)
    is_edited = content is not None or type_word is not None or bool(tags)
    if is_edited and (len(refs) != 1 or refs[0].kind != MEMORY):
        raise InvalidInput(template="--content, --type and --tag are for one memory", hint="accept them one by one")
    with runtime.open_orca() as opened:
        if is_edited:
            [candidate] = opened.run(opened.orca.memories.get([refs[0].id]))
            accepted = opened.orca.memories.accept_edited(
                candidate.id, candidate.content, content=content, type_word=type_word, tags=given_list(tags)
            )
            decided: Sequence[RecordsChanged[Any]] = [opened.run(accepted)]
        else:
            decided = opened.run(opened.orca.inbox.accept(list(dict.fromkeys(refs))))
        _tell_decided(runtime, opened, decided, _("accepted"))


@command(
    params=[CANDIDATES, ONLY_TYPE, *DECISION],
    examples=("orca memory reject 1 e3", "orca memory reject --from chatgpt --type project --yes"),
)
def reject(
    runtime: Runtime, *, refs: tuple[Ref, ...], is_all: bool, dry_run: bool, yes: bool, **description: Any
) -> None:
    """Refuse candidates: they are not learnt again in the same words.

    Without ID it takes all memories that the options describe, as one operation."""
    described = candidates_like(**description)
    if not refs:
        _decide_all(runtime, "reject", described, is_all=is_all, dry_run=dry_run, yes=yes)
        return
    _check_nothing_is_described(is_described=is_all or dry_run or described != EVERYTHING)
    with runtime.open_orca() as opened:
        decided = opened.run(opened.orca.inbox.reject(list(dict.fromkeys(refs))))
        _tell_decided(runtime, opened, decided, _("rejected"))


@command(examples=("orca memory never 1",))
@click.argument("ids", metavar="ID...", type=MEMORY_ID, nargs=-1, required=True)
def never(runtime: Runtime, ids: tuple[int, ...]) -> None:
    """Never learn this again, in whatever words; also of memories that live."""
    with runtime.open_orca() as opened:
        _tell_decided(runtime, opened, [opened.run(opened.orca.memories.never(ids))], _("never again"))


@command(examples=("orca memory merge 1 2", 'orca memory merge 1 2 --content "User works in neovim"'))
@click.argument("kept_id", metavar="ID", type=int, shell_complete=records("live memory"))
@click.argument("ids", metavar="ID...", type=int, shell_complete=records("live memory"), nargs=-1, required=True)
@option("--content", type=ANY_TEXT, metavar="TEXT", help="What the merged memory says; else what the first one says.")
def merge(runtime: Runtime, *, kept_id: int, ids: tuple[int, ...], content: str | None) -> None:
    """Make one memory of several: the first one stays, the others are archived.

    It keeps the highest weight and confidence, all tags, and has seen what they have seen."""
    with runtime.open_orca() as opened:
        merged = opened.run(opened.orca.memories.merge(kept_id, ids, content=content))
        _tell_decided(runtime, opened, [merged], _("merged"))


@command(examples=("orca memory duplicates", "orca memory duplicates --json"))
@option("--keep", nargs=2, type=int, metavar="ID ID", help="These two are not the same: do not list them again.")
def duplicates(runtime: Runtime, keep: tuple[int, int] | None) -> None:
    """List memories that may say the same, or contradict each other."""
    with runtime.open_orca() as opened:
        if keep is not None:
            opened.run(opened.orca.memories.keep_both(*keep))
        pairs = opened.run(opened.orca.memories.undecided())
    if runtime.as_json:
        runtime.output.json(pairs_json(pairs))
    elif pairs:
        runtime.output.line("\n\n".join(pair_text(pair) for pair in pairs))
    else:
        runtime.output.note(_("no two memories are in doubt"))


def _decide_all(
    runtime: Runtime, decision: str, described: ListQuery, *, is_all: bool, dry_run: bool, yes: bool
) -> None:
    """Decide of all memories that are described, as one operation, once a person has agreed to them."""
    if not is_all and described == EVERYTHING:
        raise InvalidInput(
            template="nothing says which candidates are meant",
            hint="name them by ID, or describe them: --search, --chat, --from, --type, --operation, or --all",
        )
    if not (yes or dry_run) and (runtime.as_json or not runtime.has_terminal):
        raise InvalidInput(
            template="nobody can be asked whether these are meant", hint="--dry-run shows them, --yes does not ask"
        )
    with runtime.open_orca() as opened:
        memories = _described_memories(opened, described)
        if dry_run or not memories:
            _tell_which(runtime, opened, memories)
            return
        if not yes:
            question = _("accept {count}? [y/N] ") if decision == "accept" else _("reject {count}? [y/N] ")
            _show_some(runtime, memories)
            if not ask_yes_or_no(runtime, question.format(count=len(memories))):
                runtime.output.note(_("nothing was decided"))
                raise click.exceptions.Exit(1)
        candidates, refs = opened.orca.inbox, [memory_ref(memory.id) for memory in memories]
        decided = opened.run(candidates.accept(refs) if decision == "accept" else candidates.reject(refs))
        _tell_decided(runtime, opened, decided, _("accepted") if decision == "accept" else _("rejected"), is_short=True)


def _described_memories(opened: OpenOrca, described: ListQuery) -> list[Memory]:
    """The memories that wait and are meant, the oldest first. Raises NotFound where no operation has the number that is
    asked for."""
    operation = described.operation
    if operation is not None and not 0 < operation <= (opened.run(opened.orca.reached()) or 0):
        raise NotFound(what="operation", id=operation, hint="orca activity lists them")
    return [view.memory for view in opened.run(opened.orca.memories.page(described)).records]


def _tell_which(runtime: Runtime, opened: OpenOrca, memories: Sequence[Memory]) -> None:
    """Those that would be decided about; nothing changes."""
    if runtime.as_json:
        would_change = opened.run(records_json(opened.orca, [memory_ref(memory.id) for memory in memories]))
        runtime.output.json(outcome_json((), (), would_change=would_change))
        return
    _show_some(runtime, memories)
    runtime.output.line(counted("{count} candidate", "{count} candidates", len(memories)))


def _show_some(runtime: Runtime, memories: Sequence[Memory]) -> None:
    for memory in memories[:SHOWN_BEFORE_ASKING]:
        runtime.output.noted_record(memory_line(memory))
    if (more := len(memories) - SHOWN_BEFORE_ASKING) > 0:
        runtime.output.note(counted("and {count} more", "and {count} more", more))


def _check_nothing_is_described(*, is_described: bool) -> None:
    """Raises InvalidInput."""
    if is_described:
        raise InvalidInput(
            template="candidates are named by ID, or described: not both", hint="leave out the IDs, or the options"
        )


def _tell_decided(
    runtime: Runtime,
    opened: OpenOrca,
    decided: Sequence[RecordsChanged[Any]],
    word: str,
    *,
    is_short: bool = False,
) -> None:
    """Say what became of candidates, each in a line; of many, where that is short, of the first."""
    told = [record for each in decided if each.operation is not None for record in each.records]
    most = SHOWN_BEFORE_ASKING if is_short and not runtime.as_json else len(told)
    lines = [_decided_line(record, word) for record in told[:most]]
    if most < len(told):
        lines.append(counted("and {count} more", "and {count} more", len(told) - most))
    refs = [candidate_ref(record) for record in told]
    print_operations(runtime, opened, [each.operation for each in decided], refs, lines)


def _decided_line(record: Any, word: str) -> str:
    if not isinstance(record, Memory):
        return f"{word}  {candidate_line(record)}"
    given_way = record.superseded_by if record.state is State.ARCHIVED else None
    said = word if given_way is None else _("gave way to #{id}").format(id=given_way)
    return f"{said}  {memory_line(record)}"
