"""How the chat stands after each thing that happens: a table, and what holds whatever happens."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.events import Delta, Done, Failed, Injected, LevelChanged, Reply
from orca_core.model.learning import Queue
from orca_core.model.llm import Finish, Span
from orca_core.model.recall import Injection, Item, Level, ScoreParts
from orca_core.model.record_types import EPISODE, GUIDE, MEMORY, SUMMARY, TASK, Kind, Ref
from orca_core.model.sessions import NewSession, Round, RoundState, SessionById
from orca_core.settings import Settings
from orca_tui.app.chat.chat_state import (
    Answered,
    Asked,
    Begun,
    ChatState,
    Edits,
    Ended,
    Existing,
    Happened,
    Instructed,
    Named,
    New,
    Opened,
    Private,
    Question,
    Recalled,
    StartDone,
    TakenBack,
    TurnView,
    Waits,
    chat_after,
)
from orca_tui.app.chat.status_line import Counts, header_of, strip_of
from orca_tui.marks import UNICODE_MARKS


def said(number: int) -> Round:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    return Round(0, "a", number, 1, "q", (Span("q"),), f"answer {number}", RoundState.DONE, now)


def failed(kind: str) -> Failed:
    return Failed(kind, "no", "", "no", "", {})


FIRST, SECOND = Question("one", (Span("one"),)), Question("two", (Span("two"),))
STARTED = ChatState(is_opening=False)
KEPT = replace(STARTED, chat=Existing("a", "Docker"))
PRIVATE = replace(STARTED, chat=Private((said(1),)))
INJECTION = Injection(Level.TEXT_ONLY, ())
PARTS = ScoreParts(vector=1.0)


def put_in(*kinds: Kind) -> Injection:
    items = tuple(Item(Ref(kind, number), "", PARTS, "best") for number, kind in enumerate(kinds, start=1))
    return replace(INJECTION, injected=items)


OF_EVERY_KIND = put_in(MEMORY, EPISODE, SUMMARY, TASK, GUIDE, GUIDE)
OF_MEMORIES = put_in(MEMORY)
PAST, PRESENT = TurnView(seconds=1.0), TurnView(seconds=2.0)
REPLY = Reply("ok", (), Finish.STOP, None, 0.0)

CASES = [
    ("a start knows its chat", ChatState(), StartDone(), STARTED),
    ("a chat begins", KEPT, Begun(is_private=False), STARTED),
    ("a chat begins while the start looks", ChatState(), Begun(is_private=False), STARTED),
    ("a private chat begins", KEPT, Begun(is_private=True), replace(STARTED, chat=Private())),
    ("another chat goes on", replace(KEPT, editing=2), Opened("b", "Cats"), replace(KEPT, chat=Existing("b", "Cats"))),
    (
        "a chat goes on in private",
        PRIVATE,
        Opened("b", "Cats", (said(3),)),
        replace(STARTED, chat=Private((said(3),), "b", "Cats")),
    ),
    ("its latest turn is recalled", KEPT, Recalled("a", PAST), replace(KEPT, turn=PAST)),
    ("the turn of a chat that was left", KEPT, Recalled("b", PAST), KEPT),
    ("a turn that began meanwhile", replace(KEPT, turn=PRESENT), Recalled("a", PAST), replace(KEPT, turn=PRESENT)),
    ("a chat is named", KEPT, Named("Ports"), replace(KEPT, chat=Existing("a", "Ports"))),
    ("a new chat has no name", STARTED, Named("Ports"), STARTED),
    ("a message waits", replace(KEPT, queue=(FIRST,)), Waits(SECOND), replace(KEPT, queue=(FIRST, SECOND))),
    ("the latest goes back", replace(KEPT, queue=(FIRST, SECOND)), TakenBack(False), replace(KEPT, queue=(FIRST,))),
    ("the first is sent", replace(KEPT, queue=(FIRST, SECOND)), TakenBack(True), replace(KEPT, queue=(SECOND,))),
    ("nothing waits", KEPT, TakenBack(True), KEPT),
    (
        "a turn begins",
        replace(KEPT, editing=3, turn=TurnView(was_cut=True)),
        Asked(),
        replace(KEPT, answering=True),
    ),
    ("a turn ends", replace(KEPT, answering=True), Ended(), KEPT),
    ("a message is edited", KEPT, Edits(2), replace(KEPT, editing=2)),
    ("a message is edited no more", replace(KEPT, editing=2), Edits(None), KEPT),
    ("a prompt of its own", KEPT, Instructed("be short"), replace(KEPT, system_prompt="be short")),
    ("the configured prompt", replace(KEPT, system_prompt="x"), Instructed(None), KEPT),
    ("a level falls", KEPT, LevelChanged(Level.NONE, "x"), None),
    ("a piece comes", replace(KEPT, answering=True), Delta("he"), replace(KEPT, answering=True)),
    (
        "a new chat is kept",
        replace(STARTED, answering=True),
        Done("a", 1),
        replace(STARTED, answering=True, chat=Existing("a")),
    ),
    ("a chat keeps its name", replace(KEPT, answering=True), Done("a", 2), replace(KEPT, answering=True)),
    ("an answer for a chat that was left", STARTED, Done("a", 2), STARTED),
    ("a private chat is not kept", replace(PRIVATE, answering=True), Done("p", 1), replace(PRIVATE, answering=True)),
    ("a private round", PRIVATE, Answered(said(2)), replace(STARTED, chat=Private((said(1), said(2))))),
    ("a private round again", PRIVATE, Answered(said(1)), PRIVATE),
    ("a round of a chat that is kept", KEPT, Answered(said(1)), KEPT),
]


@pytest.mark.parametrize(("before", "happened", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_happens_makes_the_chat_what_it_is(before: ChatState, happened: Happened, after: ChatState | None) -> None:
    if after is None:  # a level stands in the turn, too
        assert isinstance(happened, LevelChanged)
        after = replace(before, level=happened.level, turn=TurnView(level=happened))

    assert chat_after(before, happened) == after


def test_memory_put_in_is_what_the_turn_and_the_level_say() -> None:
    state = chat_after(KEPT, Injected(INJECTION))

    assert (state.level, state.turn.injection) == (Level.TEXT_ONLY, INJECTION)


def test_a_chat_whose_beginning_was_not_saved_may_be_new() -> None:
    state = ChatState(is_opening=False)
    for happened in (Asked(), failed("not_saved"), REPLY, Done("a", 1), Ended()):
        state = chat_after(state, happened)

    assert state.session == SessionById("a", may_be_new=True)
    assert not state.turn.was_cut


@pytest.mark.parametrize(
    ("event", "was_cut"),
    [
        (REPLY, False),
        (replace(REPLY, finish=Finish.INTERRUPTED), True),
        (failed("model"), True),
        (failed("not_saved"), False),
    ],
)
def test_an_answer_is_cut_or_whole(event: Reply | Failed, was_cut: bool) -> None:
    assert chat_after(chat_after(KEPT, Asked()), event).turn.was_cut is was_cut


QUESTIONS = st.sampled_from([FIRST, SECOND])
ANYTHING = st.one_of(
    st.builds(Begun, st.booleans()),
    st.builds(Opened, st.sampled_from("ab"), st.sampled_from(["", "Docker"])),
    st.builds(Recalled, st.sampled_from("ab"), st.sampled_from([PAST, PRESENT])),
    st.just(StartDone()),
    st.builds(Named, st.sampled_from(["Cats", "Ports"])),
    st.builds(Waits, QUESTIONS),
    st.builds(TakenBack, st.booleans()),
    st.just(Asked()),
    st.builds(Answered, st.builds(said, st.integers(1, 4))),
    st.just(Ended()),
    st.builds(Edits, st.none() | st.integers(1, 4)),
    st.builds(Instructed, st.none() | st.just("be short")),
    st.sampled_from([REPLY, Delta("he"), Done("a", 1), Done("c", 2), Injected(INJECTION), failed("model")]),
    st.builds(LevelChanged, st.sampled_from(list(Level)), st.just("x")),
)


@given(st.lists(ANYTHING, max_size=30))
def test_whatever_happens_the_chat_says_one_thing(happenings: list[Happened]) -> None:
    state = ChatState()
    for happened in happenings:
        before, state = state, chat_after(state, happened)

        assert isinstance(state.session, NewSession) == (state.session_id is None)
        assert isinstance(state.chat, New) <= (state.title == "")
        assert state.private_rounds == () or state.is_private
        numbers = [each.number for each in state.private_rounds]
        assert numbers == sorted(set(numbers)) or isinstance(happened, Opened)
        assert abs(len(state.queue) - len(before.queue)) <= 1
        # Only a person makes a chat private, or kept again.
        assert state.is_private == before.is_private or isinstance(happened, Begun)
        assert (before.is_opening or not state.is_opening) is True
        header = header_of(state, Counts(), Settings())
        assert header.title == (state.title or ("new chat" if state.is_new else ""))
        assert state.is_new <= (isinstance(state.session, NewSession) or state.session.may_be_new)
        assert header.is_private == state.is_private
        strip = strip_of(state, UNICODE_MARKS, is_at_end=True, is_narrow=False)
        assert bool(strip) == (state.editing is not None or bool(state.queue))


@pytest.mark.parametrize(
    ("state", "words"),
    [(KEPT, "learns at 7: 2"), (STARTED, ""), (replace(KEPT, chat=Existing("b")), "")],
    ids=["a chat that waits", "a new chat", "another chat"],
)
def test_the_header_says_how_much_of_the_chat_waits_to_be_learnt(state: ChatState, words: str) -> None:
    counts = Counts(queue=Queue(waiting={"a": 2}, learns_at=7))

    assert header_of(state, counts, Settings()).buffered == words


@pytest.mark.parametrize(
    ("state", "is_at_end", "is_narrow", "words"),
    [
        (replace(KEPT, editing=3, queue=(FIRST,)), True, False, "editing message 3: enter sends it again"),
        (replace(KEPT, queue=(FIRST, SECOND)), False, False, "queued: 2"),
        (KEPT, False, True, "more below"),
        (KEPT, True, True, ""),
        (replace(KEPT, turn=TurnView(INJECTION)), True, False, ""),
        (replace(KEPT, turn=TurnView(INJECTION)), True, True, "◇ 0 in this turn"),
        (replace(KEPT, turn=TurnView(OF_EVERY_KIND)), True, True, "◇ 6 in this turn · 1 short 2 long 2 guides   F2"),
        (replace(KEPT, turn=TurnView(OF_MEMORIES)), True, True, "◇ 1 in this turn · 0 short 1 long   F2"),
    ],
)
def test_the_strip_says_what_matters_most(state: ChatState, is_at_end: bool, is_narrow: bool, words: str) -> None:
    strip = strip_of(state, UNICODE_MARKS, is_at_end=is_at_end, is_narrow=is_narrow)

    assert strip.startswith(words)
    assert bool(strip) == bool(words)
