"""What commands came to, chats, backups, and how Orca is: all that is no record of memory or work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orca_core.model.import_export import COMES, ImportedRecord, ImportResult, SkippedEntry
from orca_core.model.record_types import MEMORY, Ref, plain_ref
from orca_core.serialize.values import Json, pick, plain

if TYPE_CHECKING:
    from orca_core.model.backups import Backup, BackupMade, RestorePlan, RestoreResult
    from orca_core.model.diagnosis import Diagnosis, Finding, UpkeepRun
    from orca_core.model.errors import OrcaError
    from orca_core.model.learning import Queue
    from orca_core.model.llm import Allowance, DailyUsage, ModelOffer, PromptText
    from orca_core.model.memories import CleaningReport
    from orca_core.model.operations import Conflict, DeletionProof
    from orca_core.model.sessions import MessagesFound, Round, Session
    from orca_core.model.views import Stats

DELETED = "deleted"


def outcome_json(
    operations: Sequence[int | None], changed: Sequence[Json], refused: Sequence[Json] = (), **more: Any
) -> Json:
    """`operation` is what an undo takes, the last one where there were several, null where nothing can be taken back;
    `changed` are the records as they are now; `refused` is what was left as it was, though it was asked for."""
    made = [each for each in operations if each is not None]
    return {
        "operation": made[-1] if made else None,
        "operations": made,
        "changed": list(changed),
        "refused": list(refused),
        **more,
    }


def deleted_json(ref: Ref) -> Json:
    """A record that is there no more."""
    return {"id": plain_ref(ref), "status": DELETED}


def import_json(
    result: ImportResult, heard: Sequence[ImportedRecord | SkippedEntry], *, looks_only: bool, is_foreign: bool
) -> Json:
    """What an import came to, with what came and what did not."""
    comes = [isinstance(each, ImportedRecord) and each.arrival in COMES for each in heard]
    told = [_heard_json(each, is_foreign=is_foreign) for each in heard]
    return {
        "changed": [each for each, is_coming in zip(told, comes, strict=True) if is_coming],
        "refused": [each for each, is_coming in zip(told, comes, strict=True) if not is_coming],
        "operation": result.operation,
        "operations": [] if result.operation is None else [result.operation],
        "counts": plain(result.counts),
        "trusted": result.is_trusted,
        "dry_run": looks_only,
        **({"left_out": plain(result.skipped), "repeated": result.repeated} if is_foreign else {}),
    }


def _heard_json(heard: ImportedRecord | SkippedEntry, *, is_foreign: bool) -> Json:
    """Where it came `status` says as what, else `reason` why not."""
    if isinstance(heard, SkippedEntry):
        return {"id": None, **pick(heard, "place why:reason text")}
    told = "status" if heard.arrival in COMES else "reason"
    ref = None if heard.ref is None else plain_ref(heard.ref)
    return {"id": ref, **pick(heard, f"name:kind uid place arrival:{told}{' label:text' if is_foreign else ''}")}


def conflict_json(conflict: Conflict) -> Json:
    """A field that an undo left alone, because something changed it later."""
    return {**pick(conflict, "ref:id field"), "reason": "changed_later"}


def error_json(kind: str, message: str, hint: str = "", *, is_event: bool = False) -> Json:
    """Why nothing was done: the one document of a command that failed, or the last line of one that prints events."""
    said = {"kind": kind, "message": message, "hint": hint}
    return {"event": "error", **said} if is_event else {"error": said}


def sessions_json(sessions: Sequence[Session]) -> Json:
    """The sessions, newest first."""
    return {"sessions": plain(sessions)}


def dialogue_json(session: Session, rounds: Sequence[Round], *, is_whole: bool = False) -> Json:
    """A session and what was said in it, oldest first; the `whole` of it is all that is known of each round."""
    return {"session": plain(session), "rounds": [_round_json(each, is_whole=is_whole) for each in rounds]}


def _round_json(each: Round, *, is_whole: bool) -> Json:
    cause = each.cause and pick(each.cause, "kind sentence:message way_out:hint")
    told = {**pick(each, "number:round user assistant state at"), "cause": cause}
    if is_whole:
        citations = [pick(citation, "ref:id at") for citation in each.citations]
        told |= {**pick(each, "attempt model spans"), "citations": citations}
    return told


def found_messages_json(found: MessagesFound) -> Json:
    """Messages that hold what was looked for; `marks` are places in the snippet, in characters."""
    messages = [
        {
            **pick(each, "session_id title round speaker:role at"),
            **pick(each.snippet, "text:snippet marks"),
        }
        for each in found.hits
    ]
    return {"messages": messages, **pick(found, "has_more:more waiting")}


def diagnosis_json(diagnosis: Diagnosis) -> Json:
    """What the doctor found."""
    return {
        "level": diagnosis.level.value,
        "checks": [_check_json(check) for check in diagnosis.checks],
        "repairs": [pick(each, "name state detail operation") for each in diagnosis.repairs],
        "left": plain(diagnosis.left),
    }


def _check_json(check: Finding) -> Json:
    evidence = [pick(each, "ref:id text what? command?") for each in check.evidence]
    return {**pick(check, "name state detail fix"), "evidence": evidence, "more": check.more}


def stats_json(stats: Stats, queue: Queue) -> Json:
    """What is stored, and how large it is; `kinds` counts memories, tasks, episodes and knowledge by status,
    acts and supports by state."""
    return {
        **pick(stats, "by_status:status by_type:type"),
        **pick(queue, "rounds:queue last_success:last_extraction"),
        "sizes": {"bytes": stats.health.bytes, **stats.health.counts},
        **pick(queue, "failing parked last_error?"),
        "kinds": {MEMORY.name: dict(stats.by_status), **stats.of_work},
    }


def cost_json(today: Allowance, spent: Sequence[DailyUsage]) -> Json:
    """What the memory agent's calls used: today, of how much, and by day, job and model."""
    return {
        "today": pick(today, "used:tokens limit? rests_until"),
        "days": [
            {
                **pick(each, "day job model calls prompt_tokens completion_tokens estimated"),
                "cost": each.cost.amount if each.cost else None,
                "currency": each.cost.currency if each.cost else None,
            }
            for each in spent
        ],
    }


def offers_json(offers: Sequence[ModelOffer], sentences: Callable[[OrcaError], tuple[str, str]]) -> Json:
    """What endpoints offer; `sentences` says why one did not, and what can be done about it."""
    return {"endpoints": [_offer_json(offer, sentences) for offer in offers]}


def _offer_json(offer: ModelOffer, sentences: Callable[[OrcaError], tuple[str, str]]) -> Json:
    failure = offer.failure
    return {
        "provider": offer.provider,
        "models": [{"id": model, "used_for": list(offer.used_for.get(model, ()))} for model in offer.models],
        "unlisted": [{"id": model, "used_for": list(offer.used_for[model])} for model in offer.unlisted],
        "error": None if failure is None else error_json(failure.kind, *sentences(failure))["error"],
    }


def backup_json(backup: Backup) -> Json:
    """A backup as it lies in its folder; `schema` and `counts` are null where the file does not say."""
    problem = None if backup.failure is None else backup.failure.kind
    return {"name": backup.path.name, **pick(backup, "path at bytes made_for schema? counts?"), "problem": problem}


def backup_made_json(made: BackupMade) -> Json:
    """A backup that was made, and the names of those that were dropped for it."""
    return {"backup": backup_json(made.backup), "dropped": list(made.dropped)}


def backups_json(folder: Path, backups: list[Backup]) -> Json:
    """All backups of a folder."""
    return {"folder": str(folder), "backups": [backup_json(each) for each in backups], "total": len(backups)}


def restored_json(plan: RestorePlan, restored: RestoreResult | None) -> Json:
    """What restoring a backup changes, and what became of it: nothing where it was only to be looked at. `present` is
    the kind of error for which what is here can't be read."""
    return {
        "backup": backup_json(plan.backup),
        **pick(plan, "kinds newest_now newest_then stays_deleted"),
        "present": None if plan.present is None else plan.present.kind,
        "restored": restored is not None,
        "kept": restored and plain(restored.kept),
    }


def cleaned_json(cleaned: CleaningReport, *, is_dry: bool) -> Json:
    """Memories by number, all else counted. Of a dry run it is what would be done."""
    return {"dry_run": is_dry, **pick(cleaned, "archived merged summaries:short_term vectors")}


def upkeep_json(done: UpkeepRun) -> Json:
    """Each job, and why it failed; whether deleted text is wiped from the files."""
    jobs = [{"name": each.name, "failure": each.failure or None} for each in done.jobs]
    return {"jobs": jobs, **pick(done, "is_wiped:wiped")}


def prompt_json(prompt: PromptText, about: str, problem: str, *, with_text: bool = False) -> Json:
    """One prompt in one language; `about` and `problem` are sentences for people."""
    return {
        **pick(prompt, "name language"),
        "about": about,
        "source": "own" if prompt.is_own else "builtin",
        **pick(prompt, "is_replaceable:replaceable path placeholders lacking"),
        "problem": problem or None,
        **(pick(prompt, "text") if with_text else {}),
    }


def proof_json(proof: DeletionProof) -> Json:
    """Where it was looked, what was found before and is left; `found` of a backup is what stands there now."""
    backups = [{"name": each.path.name, **plain(each)} for each in proof.backups]
    return {**pick(proof, "is_gone:gone places columns"), "backups": backups}
