"""Sets of conversations, sequences and texts as they stand in a folder, with the truth about each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.llm import Source, Span
from orca_core.model.sessions import Round, RoundState
from orca_core.rules.learning.quotes import compare, wording_of
from orca_core.rules.text.spelling import folded

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

    words: str = ""
    """What was typed for it, also where its quote is emptied, garbled or invented."""
    relation: tuple[str, str] | None = None
    """The text of the known one to which it stands so: `same` or `replaces`."""

    @property
    def content(self) -> str:
        return str(self.item["content"])

    @property
    def quote(self) -> str:
        return str(self.item.get("quote", ""))

    def without_quote(self) -> Claim:
        return replace(self, item={**self.item, "quote": ""})


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
    said = _said(row["rounds"])
    return Conversation(
        name=row["name"],
        said=said,
        known=tuple(each["content"] for each in row.get("known", ())),
        claims=tuple(_claim(each, said, is_honest=is_honest) for each in row["proposed"]),
    )


def _history(row: Mapping[str, Any]) -> History:
    texts = {fact["id"]: fact["content"] for each in row["sessions"] for fact in each["proposed"]}
    chats = [_chat(each, texts) for each in row["sessions"]]
    ask = row["ask"]
    if row["kind"] == "changed":
        chats = _with_successors(chats, ask["expect"], ask["never"])
    return History(row["name"], row["kind"], tuple(chats), ask["text"], tuple(ask["expect"]), tuple(ask["never"]))


def _with_successors(chats: Sequence[Chat], expect: Sequence[str], never: Sequence[str]) -> list[Chat]:
    """Where a set does not say what takes the place of a fact that must not come, it is the likest later one that
    must."""
    given = {claim.relation[0] for chat in chats for claim in chat.claims.values() if claim.relation is not None}
    session = {fact: number for number, chat in enumerate(chats) for fact in chat.claims}
    claims = {fact: claim for chat in chats for fact, claim in chat.claims.items()}
    found: dict[str, tuple[str, str]] = {}
    for old in filter(session.__contains__, never):
        text = claims[old].content
        later = [
            new for new in (*expect, *never) if session.get(new, -1) > session[old] and not _names_another(claims[new])
        ]
        if later and text not in given:
            found[max(later, key=lambda new: likeness(claims[new].content, text))] = (text, "replaces")
    return [
        replace(
            chat,
            claims={fact: replace(each, relation=found.get(fact, each.relation)) for fact, each in chat.claims.items()},
        )
        for chat in chats
    ]


def _names_another(claim: Claim) -> bool:
    return claim.relation is not None or bool(claim.item.get("replace") or claim.item.get("retract"))


def likeness(first: str, second: str) -> float:
    """How alike two texts are, letter by letter, from 0 to 1."""
    return SequenceMatcher(None, first.casefold(), second.casefold()).ratio()


def _chat(row: Mapping[str, Any], texts: Mapping[str, str]) -> Chat:
    said = _said(row["rounds"])
    claims = {fact["id"]: _claim(fact, said, texts, is_honest=True) for fact in row["proposed"]}
    return Chat(said, claims, tuple(row.get("forget", ())))


def _said(rounds: Sequence[Mapping[str, Any]]) -> tuple[Said, ...]:
    return tuple(
        Said(tuple(Span(span["text"], Source(span["source"])) for span in each["user"]), each["assistant"])
        for each in rounds
    )


_TRUTH = ("id", "live", "why", "known")


def _claim(
    row: Mapping[str, Any], said: Sequence[Said], texts: Mapping[str, str] = MappingProxyType({}), *, is_honest: bool
) -> Claim:
    live = row.get("live", is_honest)
    item = {"type": "fact", "tags": [], "confidence": 0.9, "quote": ""}
    item |= {key: value for key, value in row.items() if key not in _TRUTH}
    why = row.get("why", HONEST if live else "unnamed")
    if row["content"] in TYPED_CONDITIONS:
        live, why = True, TYPED_CONDITION
    known = row.get("known")
    relation = (texts[known["id"]], str(known["relation"])) if known else None
    return Claim(item, live, why, _words(str(item["quote"]), str(item["content"]), said), relation)


def _words(quote: str, content: str, said: Sequence[Said]) -> str:
    """The quote; where it was not typed so, the typed text that says most of it."""
    typed = [span.text for each in said for span in each.spans if span.source is Source.TYPED]
    if quote and any(folded(quote) in folded(text) for text in typed):
        return quote
    return max(typed, key=lambda text: compare(content, wording_of(text)).share, default="")


TYPED_CONDITION = "typed_condition"
TYPED_CONDITIONS = frozenset(
    {
        "日志出现refused时总是先给出防火墙排查命令",
        "退款超过200元时总是先要求客户拍视频",
        '用户说"来一题"时出一道选择题，不要先给答案',
        "用户贴汇编时应逐行加注释",
        "心率超过170时要提醒用户停下",
        "有客人骂人时先替用户写道歉",
        "Pasted examples should be numbered (1a), (1b)",
        "When the user sends a log, check the hours first",
        'When user says "drill", give one cross-ex question at a time',
        "When the user says they are low, only give carbs",
        "When the user asks for a hymn, always give the metre and the tune name",
        "差评里带图的，一律先标红再写回复",
        'Drafts that mention gifts must always say "no boxed gifts"',
        "用户问路线时，都要附上末班车时间",
        "看到退出码137就直接给pprof命令,不解释OOM",
        "When the user pastes a glaze recipe, flag food-unsafe ingredients first",
        "有客人問素食時，一律回覆只有腐皮卷和羅漢齋",
        "Whenever unsafe code is shown, write a SAFETY comment above it",
        "Replies to customers who mention an HOA start with the ARS number",
        "改动涉及中断优先级时,先问用户再给代码",
        "碰到日语时一律标注罗马音",
    }
)
"""Instructions that the older sets call false because they hold under a condition. The user typed them, condition and
all, so they have been honest since SPEC's section 4 says so; those that drop their condition stay false."""
