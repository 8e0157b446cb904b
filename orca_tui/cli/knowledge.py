"""`orca knowledge`: what past work taught."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.episodes import KnowledgeSort
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.record_types import plain_ref
from orca_core.serialize.work import knowledge_json
from orca_tui.cli.commands import Group
from orca_tui.cli.output import TableColumn
from orca_tui.cli.records import PINNED, RecordCommands, sort_option, status_option, text_option, work_page
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.work_targets import target
from orca_tui.language import N_
from orca_tui.words.memory_words import status_word
from orca_tui.words.work_words import knowledge_line, knowledge_text

knowledge = Group("knowledge", help="List, search and change what past work taught.")


def _shown_texts(runtime: Runtime, opened: OpenOrca, ids: Sequence[int]) -> list[str]:
    known = opened.orca.work.knowledge
    records = opened.run(known.get(ids))
    views = opened.run(known.views(records))
    return [
        knowledge_text(view, opened.run(known.sources(record)), runtime.output.marks)
        for view, record in zip(views, records, strict=True)
    ]


KNOWLEDGE_COMMANDS = RecordCommands(
    group=knowledge,
    type=KNOWLEDGES,
    service=lambda opened: opened.orca.work.knowledge,
    line=knowledge_line,
    plural="knowledge",
    to_json=knowledge_json,
    columns=(
        TableColumn(N_("id"), lambda view: str(plain_ref(KNOWLEDGES.ref(view.knowledge)))),
        TableColumn(N_("status"), lambda view: status_word(view.status)),
        TableColumn(N_("target"), lambda view: view.knowledge.target),
        TableColumn(N_("episodes"), lambda view: str(len(view.knowledge.source_episodes)), is_number=True),
        TableColumn(N_("topic"), lambda view: view.knowledge.topic, takes_rest=True),
    ),
    texts=_shown_texts,
)

KNOWLEDGE_COMMANDS.list(
    "List knowledge; what lives, unless told otherwise.",
    status_option(),
    text_option("--target", "Only what is known of this.", metavar="TARGET"),
    PINNED,
    sort_option(KnowledgeSort),
    find=work_page(KNOWLEDGE_COMMANDS.service),
    nothing=N_("Nothing known yet, or nothing like this: orca consolidate makes it of past work."),
    examples=("orca knowledge list", "orca knowledge list --status all --target nginx --json"),
)
KNOWLEDGE_COMMANDS.search(
    "Search the knowledge that lives, by meaning and by words.",
    nothing=N_("Nothing found."),
    examples=('orca knowledge search "nginx gives 502"', "orca knowledge search timeouts --limit 3 --json"),
)
KNOWLEDGE_COMMANDS.show(
    "Show all of a piece of knowledge, with the episodes that it was made of.",
    examples=("orca knowledge show k1", "orca knowledge show k1 --json"),
)
knowledge.add_command(target)
KNOWLEDGE_COMMANDS.edit(
    """Change what knowledge says.

    What you wrote no further episode changes, unless you ask for it: orca consolidate --target TARGET.""",
    examples=(
        'orca knowledge edit k1 --topic "timeouts of nginx"',
        'orca knowledge edit k1 --point "wait two minutes after a deploy" --point "then restart"',
    ),
)
KNOWLEDGE_COMMANDS.acts(
    {
        "pin": "Pin knowledge: nothing but you changes it.",
        "unpin": "Take pins off knowledge.",
        "archive": "Archive knowledge: it is kept, and not used.",
        "restore": "Bring archived knowledge back.",
        "accept": "Let knowledge live that waits for you.",
        "reject": "Reject knowledge that waits for you.",
    }
)
KNOWLEDGE_COMMANDS.delete("Delete knowledge for good.")
KNOWLEDGE_COMMANDS.history("Show what happened to a piece of knowledge.")
KNOWLEDGE_COMMANDS.why("Show the turns that got knowledge, why, and what came of it.")
