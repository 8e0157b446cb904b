"""Sessions and what was said in them."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.causes import Cause
from orca_core.domain.dialogues import Round, Session
from orca_core.domain.message_search import MessagesFound
from orca_core.wire.refs import ref_json
from orca_core.wire.values import Json, timestamp_json


def session_json(session: Session) -> Json:
    """A session, without what was said in it."""
    return {
        "id": session.id,
        "title": session.title,
        "created_at": timestamp_json(session.created_at),
        "rounds": session.rounds,
    }


def sessions_json(sessions: Sequence[Session]) -> Json:
    """The sessions, newest first."""
    return {"sessions": [session_json(session) for session in sessions]}


def dialogue_json(session: Session, rounds: Sequence[Round]) -> Json:
    """A session and what was said in it, oldest first."""
    return {"session": session_json(session), "rounds": [_round_json(each) for each in rounds]}


def whole_dialogue_json(session: Session, rounds: Sequence[Round]) -> Json:
    """The same with all that is known of each round as it stands."""
    return {"session": session_json(session), "rounds": [{**_round_json(each), **_more_of(each)} for each in rounds]}


def _round_json(each: Round) -> Json:
    return {
        "round": each.number,
        "user": each.user,
        "assistant": each.assistant,
        "state": each.state.value,
        "at": timestamp_json(each.at),
        "cause": None if each.cause is None else cause_json(each.cause),
    }


def _more_of(each: Round) -> Json:
    return {
        "attempt": each.attempt,
        "model": each.model,
        "spans": [{"text": span.text, "source": span.source.value} for span in each.spans],
        "citations": [{"id": ref_json(citation.ref), "at": citation.at} for citation in each.citations],
    }


def found_messages_json(found: MessagesFound) -> Json:
    """Messages that hold what was looked for; `marks` are places in the snippet, in characters."""
    return {
        "messages": [
            {
                "session_id": each.session_id,
                "title": each.title,
                "round": each.round,
                "role": each.speaker.value,
                "at": timestamp_json(each.at),
                "snippet": each.snippet.text,
                "marks": [list(mark) for mark in each.snippet.marks],
            }
            for each in found.hits
        ],
        "more": found.has_more,
        "waiting": found.waiting,
    }


def cause_json(cause: Cause) -> Json:
    """Why a round ended as it did, in English."""
    return {
        "kind": cause.kind,
        "message": cause.sentence,
        "hint": cause.way_out,
    }
