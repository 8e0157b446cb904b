"""Knowledge, how it is made, and targets, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.events import Consolidated
from orca_core.model.memories import State
from orca_core.model.refs import KNOWLEDGE, Ref, plain_ref
from orca_core.model.work.consolidating import TargetCount, TargetRenamed
from orca_core.model.work.episodes import EPISODES, Episode
from orca_core.model.work.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.work.records import WorkDeletion
from orca_core.model.work.views import KnowledgeView
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted, said
from orca_tui.marks import Marks
from orca_tui.words.memories import reason_phrase, status_word

STATE_WORDS = {
    "queued": N_("another Orca makes knowledge of it"),
    "none": N_("no knowledge was made"),
    "unreadable": N_("the answer could not be read"),
    "failed": N_("failed"),
}


def knowledge_line(knowledge: Knowledge) -> str:
    return f"{plain_ref(KNOWLEDGES.ref(knowledge))}  {knowledge.topic}"


def knowledge_text(view: KnowledgeView, sources: Sequence[Episode], marks: Marks) -> str:
    """All of it, with the episodes that it was made of."""
    known = view.knowledge
    status = status_word(view.status) + (f" {marks.dot} {_('pinned')}" if known.pinned else "")
    made = f"{_('version {number}').format(number=known.version)} {marks.dot} {known.confidence:.2f}"
    lines = [
        f"{knowledge_line(known)}  ({status} {marks.dot} {made})",
        "",
        known.content,
        *(f"  - {point}" for point in known.key_points),
        "",
        f"{_('target')}: {known.target}",
    ]
    if known.held_because:
        held = _("held back") if known.state is State.CANDIDATE else _("noted")
        lines.append(f"{held}: {reason_phrase(known.held_because)}")
    lines.append(f"{_('changed')}: {timestamp_json(known.updated_at)}")
    lines += [f"{_('made of')}  {plain_ref(EPISODES.ref(each))}  {each.trigger_summary}" for each in sources]
    return "\n".join(lines)


def consolidated_line(event: Consolidated, marks: Marks) -> str:
    """How a run that makes knowledge goes, in a line."""
    words = _state_words(event, marks)
    error = f": {said(event.error)}" if event.error else ""
    again = f" {marks.dot} " + _("again at {time}").format(time=timestamp_json(event.next_at)) if event.next_at else ""
    return f"{event.target}: {words}{error}{again}" if event.target else f"{words}{error}{again}"


def _state_words(event: Consolidated, marks: Marks) -> str:
    if event.state == "running":
        return counted("reads {count} episode", "reads {count} episodes", len(event.episodes))
    if event.knowledge is None:
        is_nothing = event.state == "none" and not event.error
        return _("the episodes have nothing in common") if is_nothing else _(STATE_WORDS[event.state])
    made = _("knowledge {id}, version {version}").format(id=f"k{event.knowledge}", version=event.version)
    if not event.held_because:
        return made
    lacking = f" ({', '.join(event.lacking)})" if event.lacking else ""
    return f"{made} {marks.dot} {_('it waits for you')}: {reason_phrase(event.held_because)}{lacking}"


def target_line(count: TargetCount, marks: Marks) -> str:
    """A target with what there is on it."""
    words = [counted("{count} episode", "{count} episodes", count.episodes)]
    if count.waiting:
        words.append(_("{count} to be read").format(count=count.waiting))
    words += [f"k{number}" for number in count.knowledge]
    if count.is_kept_by_hand:
        words.append(_("kept as you left it"))
    if count.is_held:
        words.append(_("its run waits"))
    return f"{count.target}  {f' {marks.dot} '.join(words)}"


def left_lines(deletion: WorkDeletion) -> list[str]:
    """What a delete of episodes left of the knowledge that was made of them."""
    held, kept = (" ".join(str(Ref(KNOWLEDGE, each)) for each in some) for some in (deletion.held, deletion.kept))
    lines = []
    if held:
        lines.append(_("{ids}: made of it, held back until it is written anew").format(ids=held))
    if kept:
        lines.append(_("{ids}: made of it, and kept, for you pinned or wrote it").format(ids=kept))
    return lines


def renamed_line(renamed: TargetRenamed, old: str, new: str) -> str:
    """What was renamed."""
    return _("{old} is {new} now: episodes {episodes}, knowledge {knowledge}, tasks {tasks}").format(
        old=old,
        new=new,
        episodes=len(renamed.episodes),
        knowledge=len(renamed.knowledge),
        tasks=len(renamed.tasks),
    )
