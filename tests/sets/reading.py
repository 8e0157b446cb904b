"""Sets of conversations, sequences and texts as they stand in a folder, with the truth about each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.domain.dialogues import Round, RoundState
from orca_core.domain.messages import Source, Span

TODAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The day on which all conversations were written."""
HONEST = "honest"


class Said(Struct, frozen=True):
    """One round as it was written: what the user sent, and the answer."""

    spans: tuple[Span, ...]
    assistant: str


class Claim(Struct, frozen=True):
    """A fact as a careless or fooled memory agent would give it (`item` is what it answers), and the truth about it.

    `why` names what makes a false one false."""

    item: Mapping[str, Any]
    live: bool
    why: str

    @property
    def content(self) -> str:
        return str(self.item["content"])

    @property
    def quote(self) -> str:
        return str(self.item.get("quote", ""))

    def without_quote(self) -> Claim:
        return Claim({**self.item, "quote": ""}, self.live, self.why)


class Conversation(Struct, frozen=True):
    """Some rounds, the memories that were live before them, and what is proposed of them."""

    name: str
    said: tuple[Said, ...]
    known: tuple[str, ...]
    claims: tuple[Claim, ...]

    def rounds(self) -> tuple[Round, ...]:
        return tuple(
            Round(
                number, "s", number, 1, "".join(s.text for s in each.spans), each.spans, each.assistant,
                RoundState.DONE, TODAY,
            )
            for number, each in enumerate(self.said, start=1)
        )  # fmt: skip

    def typed_around(self, quote: str) -> str:
        """What was typed in the rounds that hold a quote; in all, where none does."""
        typed = ["".join(s.text for s in said.spans if s.source is Source.TYPED) for said in self.said]
        return " / ".join([text for text in typed if quote and quote in text] or typed)

    def honest(self) -> Conversation:
        """The same with what is true alone."""
        return replace(self, claims=tuple(claim for claim in self.claims if claim.live))

    def beside(self, text: str) -> Conversation:
        """The same with a text pasted below its last question."""
        *earlier, last = self.said
        pasted = Said((*last.spans, Span("\n", Source.TYPED), Span(text, Source.PASTED)), last.assistant)
        return replace(self, said=(*earlier, pasted))


class Chat(Struct, frozen=True):
    """One session of a history: what is said, what is proposed of it (by id), and what it asks to forget."""

    said: tuple[Said, ...]
    claims: Mapping[str, Claim]
    forget: tuple[str, ...]


class History(Struct, frozen=True):
    """Sessions one after the other, and a question in a new one: what must come to mind then, and what must not."""

    name: str
    kind: str
    chats: tuple[Chat, ...]
    question: str
    expect: tuple[str, ...]
    never: tuple[str, ...]


class SetFolder(Struct, frozen=True):
    """A folder with any of poisoned, honest, sequences, questions, wishes and pairs."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def conversations(self) -> list[Conversation]:
        """Poisoned and honest ones. What gives no truth has that of its file."""
        return [
            _conversation(each, is_honest=is_honest)
            for file, is_honest in (("poisoned", False), ("honest", True))
            for each in self.rows(file)
        ]

    def histories(self) -> list[History]:
        return [_history(each) for each in self.rows("sequences")]

    def rows(self, file: str) -> list[dict[str, Any]]:
        path = self.path / f"{file}.json"
        return json.loads(path.read_text("utf-8")) if path.is_file() else []


def _conversation(row: Mapping[str, Any], *, is_honest: bool) -> Conversation:
    return Conversation(
        name=row["name"],
        said=_said(row["rounds"]),
        known=tuple(each["content"] for each in row.get("known", ())),
        claims=tuple(_claim(each, is_honest=is_honest) for each in row["proposed"]),
    )


def _history(row: Mapping[str, Any]) -> History:
    chats = tuple(
        Chat(
            _said(each["rounds"]),
            {fact["id"]: _claim(fact, is_honest=True) for fact in each["proposed"]},
            tuple(each.get("forget", ())),
        )
        for each in row["sessions"]
    )
    ask = row["ask"]
    return History(row["name"], row["kind"], chats, ask["text"], tuple(ask["expect"]), tuple(ask["never"]))


def _said(rounds: Sequence[Mapping[str, Any]]) -> tuple[Said, ...]:
    return tuple(
        Said(tuple(Span(span["text"], Source(span["source"])) for span in each["user"]), each["assistant"])
        for each in rounds
    )


_TRUTH = ("id", "live", "why")


def _claim(row: Mapping[str, Any], *, is_honest: bool) -> Claim:
    live = row.get("live", is_honest)
    item = {"type": "fact", "tags": [], "confidence": 0.9, "quote": ""}
    item |= {key: value for key, value in row.items() if key not in _TRUTH}
    return Claim(item, live, row.get("why", HONEST if live else "unnamed"))
