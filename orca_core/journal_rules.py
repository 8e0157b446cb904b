"""The rules that a store's journal is given when it is opened, whatever its engine."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from orca_core.model.knowledge import ConsolidationRules
from orca_core.model.operations import DeletingRules
from orca_core.model.tools import ToolingRules
from orca_core.operations.records import FeedbackRules, JournalRules
from orca_core.rules.consolidating import due as consolidating
from orca_core.rules.consolidating import targets
from orca_core.rules.feedback import acts, promoting
from orca_core.rules.learning import similarity
from orca_core.rules.learning.queue import backlog, due
from orca_core.rules.memory import confirming, deleting, said_again, same_statement, status, undo
from orca_core.rules.retrieval.finding import telling
from orca_core.rules.text import cleaning
from orca_core.rules.text.persons import in_the_third_person
from orca_core.rules.tooling import calls, names
from orca_core.rules.tooling import due as tooling_due
from orca_core.rules.work import curation, ended
from orca_core.settings import MemorySettings
from orca_core.settings.feedback import PromoteSettings


def _statements_of(text: str) -> tuple[str, ...]:
    return deleting.statements_of(text, in_the_third_person)


JOURNAL_RULES = JournalRules(
    superseded_by=said_again.superseded_by,
    retracted=said_again.RETRACTED,
    said_again=said_again.said_again,
    born_by=confirming.born_by,
    speaks_by_hand=confirming.speaks_by_hand,
    is_spelled_anew=same_statement.is_spelled_anew,
    why_a_pair=similarity.why_a_pair,
    telling=telling.telling_of_a_record,
    status_of=status.status_of,
    accessed=curation.accessed,
    plan_unsaid=undo.plan_unsaid,
    ends_that_moved_on=undo.ends_that_moved_on,
    ended_anew=ended.ended_anew,
    title_of=cleaning.title_of,
    is_spent=backlog.is_spent,
    is_run_due=due.is_run_due,
    due_session=due.due_session,
    is_fold_due=due.is_fold_due,
    deleting=DeletingRules(
        stated_by=deleting.stated_by,
        statements_of=_statements_of,
        keys_of=same_statement.keys_of,
        words_of=same_statement.words_of,
        held_because=said_again.ASK,
        refusal_of=deleting.refusal_of,
        sentences_of=deleting.sentences_of,
    ),
    own_actors=undo.OWN_ACTORS,
    machines=undo.MACHINES,
    consolidation=ConsolidationRules(
        fold=targets.folded,
        is_run_due=consolidating.is_run_due,
        due_target=consolidating.due_target,
        put_aside=consolidating.put_aside,
        who_stands=consolidating.who_stands,
        source_deleted=consolidating.source_deleted,
        most=consolidating.MOST,
    ),
    feedback=FeedbackRules(
        stands_already=acts.stands_already,
        taken_back_by=acts.taken_back_by,
        outlived=acts.outlived,
        source_of=acts.source_of,
        source_of_round=acts.source_of_round,
        speaks_at=acts.speaks_at,
        may_speak=acts.may_speak,
        stands_after=partial(promoting.stands_after, min_support=PromoteSettings().min_support),
        promoted=promoting.PROMOTED,
        refused=promoting.REFUSED,
        acts_to_read=promoting.acts_to_read,
        others=promoting.OTHERS,
        most_acts=promoting.MOST_ACTS,
        is_same=promoting.is_same,
    ),
    tooling=ToolingRules(
        fold=names.folded,
        identity=calls.identity,
        is_same_call=calls.is_same_call,
        call_of_step=calls.call_of_step,
        is_run_due=tooling_due.is_run_due,
        due_tool=tooling_due.due_tool,
        due_at=tooling_due.due_at,
        put_aside=consolidating.put_aside,
        kept=calls.KEPT,
        most=calls.SHOWN,
    ),
)


def journal_rules(memory: MemorySettings) -> JournalRules:
    """The rules, with what the settings say of them."""
    least, feedback = memory.promote.min_support, JOURNAL_RULES.feedback
    stands_after = partial(promoting.stands_after, min_support=least)
    of_a_step = calls.call_of_step if memory.tools.enabled else calls.no_call_of_step
    return replace(
        JOURNAL_RULES,
        feedback=replace(feedback, stands_after=stands_after),
        tooling=replace(JOURNAL_RULES.tooling, call_of_step=of_a_step),
    )
