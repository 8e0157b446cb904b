"""Prints what the verifier is asked about a set, and keeps what a model answers, so that a measure comes out again.

    python benchmarks/record_verifier.py DIR --questions FILE [--only facts,facts_no_quotes,sequences] [--again]
    python benchmarks/record_verifier.py DIR --questions FILE --answers FILE

The first prints every question that has no recorded answer yet to FILE, a line each: {"n", "set", "name", "part",
"system", "user", …}. `system` and `user` are the two messages as the verifier sends them: one question for each
conversation, one more with all quotes emptied, and one for each run of a sequence; with --again those that were
answered, too. The second reads lines of {"n", "text"}, the model's answers as they came, and adds them to
DIR/recorded.json.

What a run of a sequence is asked depends on what was answered before: where nothing is recorded, it goes on with the
set's truth. So do both once more, until no question is left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakes.clocks import StillClock
from sets import verifiers
from sets.facts import asked_of, judged, passed, statements_of
from sets.histories import play
from sets.questions import as_lines, lines_of
from sets.reading import Conversation, SetFolder
from sets.verifiers import RECORDED, Asked, recorded_of

from orca_core.model.learning import Answer, Batch, RunKind, Subject
from orca_core.model.llm import ChatMessage, ChatRequest, Finish
from orca_core.pipelines.memory_agent import AgentAnswer
from orca_core.pipelines.pipeline import Attempt
from orca_core.pipelines.verifier import Verifier
from orca_core.rules.learning.fact_verifier import read_answers

PARTS = FACTS, WITHOUT_QUOTES, SEQUENCES = ("facts", "facts_no_quotes", "sequences")


class Listening:
    """A memory agent that hears what it is asked, and says nothing."""

    def __init__(self) -> None:
        self.heard: Sequence[ChatMessage] = ()

    async def has_tokens_left(self) -> bool:
        return True

    async def ask(self, messages: Sequence[ChatMessage], **_: object) -> AgentAnswer:
        self.heard = messages
        return AgentAnswer("", Finish.STOP, ())


class Questions:
    """The questions, numbered. One about something that was answered, whole, is left out unless all are wanted."""

    def __init__(self, folder: SetFolder, *, everything: bool) -> None:
        self.rows: list[dict[str, Any]] = []
        self._folder = folder
        self._recorded = recorded_of(folder.path)
        self._everything = everything

    def add(self, asked: Asked, messages: Sequence[ChatMessage]) -> None:
        is_answered = all(self._recorded.row_of(asked, each, in_any_form=False) for each in asked.claims)
        if not asked.claims or (is_answered and not self._everything):
            return
        self.rows.append(
            {
                "n": len(self.rows) + 1,
                "set": self._folder.name,
                "name": asked.where,
                "part": _part_of(asked),
                "session": asked.session,
                "facts": [claim.content for claim in asked.claims],
                "known": {str(note): text for note, text in asked.known.items()},
                "system": messages[0].content,
                "user": messages[-1].content,
            }
        )

    def answer(self, asked: Asked) -> Mapping[int, Answer]:
        """What was recorded; by the set's truth where nothing was."""
        found, truth = self._recorded(asked), verifiers.right(asked)
        return {number: found.get(number, truth[number]) for number in truth}


def _part_of(asked: Asked) -> str:
    if asked.session is not None:
        return SEQUENCES
    return FACTS if asked.is_quoted else WITHOUT_QUOTES


async def ask_about_facts(conversation: Conversation, questions: Questions, *, quoted: bool) -> None:
    facts = passed(judged(conversation, quoted=quoted))
    if not facts:
        return
    agent, clock = Listening(), StillClock()
    batch = Batch(1, RunKind.EXTRACT, "s", conversation.rounds(), 1)
    verifier = Verifier(agent, None)  # type: ignore[arg-type]  # it only asks
    attempt = Attempt(batch, None, clock)  # type: ignore[arg-type]  # nothing is stored
    await verifier.verify(attempt, Subject.FACTS, conversation.rounds(), statements_of(facts))
    questions.add(asked_of(facts, quoted=quoted), agent.heard)


async def ask_about_sequences(folder: SetFolder, questions: Questions) -> None:
    def note(asked: Asked, request: ChatRequest) -> None:
        questions.add(asked, request.messages)

    for history in folder.histories():
        with tempfile.TemporaryDirectory() as home:
            await play(history, Path(home), questions.answer, note)


async def asked(folder: SetFolder, only: Sequence[str], *, everything: bool) -> list[dict[str, Any]]:
    questions = Questions(folder, everything=everything)
    for part, quoted in ((FACTS, True), (WITHOUT_QUOTES, False)):
        for conversation in folder.conversations() if part in only else ():
            await ask_about_facts(conversation, questions, quoted=quoted)
    if SEQUENCES in only:
        await ask_about_sequences(folder, questions)
    return questions.rows


def answered(question: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """The answers to one question as they are recorded; a known note by its text."""
    known = {int(note): said for note, said in question["known"].items()}
    facts = question["facts"]
    answers = read_answers(text, len(facts), known) or {}
    is_quoted = question["part"] != WITHOUT_QUOTES
    shared = {"conversation": question["name"], "session": question["session"], "quotes": is_quoted}
    rows = []
    for number, answer in sorted(answers.items()):
        note = None
        if answer.known is not None and answer.relation is not None:
            note = {"text": known[answer.known], "relation": answer.relation.value}
        said = {"says_so": answer.says_so, "words": answer.words, "known": note, "why": answer.why}
        rows.append({**shared, "fact": facts[number - 1], **said})
    return rows


def kept(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Add answers to those that are recorded; the later one about the same counts. Returns how many there are."""
    before = json.loads(path.read_text("utf-8")) if path.is_file() else []
    by_key = {tuple(row.get(key) for key in ("conversation", "session", "quotes", "fact")): row for row in before}
    by_key |= {tuple(row[key] for key in ("conversation", "session", "quotes", "fact")): row for row in rows}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in by_key.values())
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    return len(by_key)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    if arguments.answers is None:
        only = arguments.only.split(",")
        rows = asyncio.run(asked(SetFolder(arguments.folder), only, everything=arguments.again))
        arguments.questions.write_text(as_lines(rows), "utf-8")
        print(f"{len(rows)} questions, {sum(len(row['facts']) for row in rows)} facts")
        return
    questions = {row["n"]: row for row in lines_of(arguments.questions)}
    found, unread = [], []
    for row in lines_of(arguments.answers):
        question = questions[row["n"]]
        said = answered(question, row["text"])
        found += said
        if len(said) < len(question["facts"]):
            unread.append(f"{row['n']} ({question['name']}: {len(said)} of {len(question['facts'])})")
    total = kept(arguments.folder / RECORDED, found)
    told = f"; not whole: {', '.join(unread)}" if unread else ""
    print(f"{len(found)} answers read, {total} recorded{told}")


if __name__ == "__main__":
    main()
