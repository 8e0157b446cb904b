"""Make guides of tools: when a run is due, what the agent reads and answers, the line that a model is shown.

A guide is made of what tools answered, which anybody may have written: it waits for a person where it leads to what no
caller named, or repeats an answer. What it has its reader do is the verifier's to say, who is shown no answer."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from orca_core import words
from orca_core.model.episodes import ChangeOne
from orca_core.model.learning import VerifierAnswer
from orca_core.model.memories import Fields, State
from orca_core.model.tools import DueGuides, Guide, GuideBatch, ToolCall, ToolFigures, WaitingTool
from orca_core.rules.learning.fact_verifier import FACT
from orca_core.rules.learning.model_json import (
    LIST_MARK,
    SENTENCE_END,
    CutObject,
    items_under,
    last_items,
    without_thinking,
)
from orca_core.rules.text import token_count, typed_spans
from orca_core.rules.text.cleaning import (
    ELLIPSIS,
    SHOWN_HIDDEN,
    clean_message,
    clean_statement,
    cut_text,
    with_hidden_shown,
)
from orca_core.rules.text.spelling import language_of, simplified
from orca_core.rules.text.token_count import cut_to_tokens
from orca_core.rules.work import record_texts
from orca_core.rules.work.reported_calls import fold_tool


def due_tool(tools: Sequence[WaitingTool], due: DueGuides) -> WaitingTool | None:
    """The one that has been due longest; None where none is."""
    ready = [each for each in tools if _is_due(each, due)]
    return min(ready, key=lambda each: (due_at(each, due), fold_tool(each.tool))) if ready else None


def due_at(each: WaitingTool, due: DueGuides) -> datetime:
    """Tell when its guide is written, if no call comes any more: at once with more than `summary_count` new calls, else
    `summary_after` after it was written last, or after the first new call where none was written."""
    if each.fresh > due.summary_count:
        return each.since
    return max(each.since, (each.written_at or each.since) + timedelta(seconds=due.summary_after_s))


def _is_due(each: WaitingTool, due: DueGuides) -> bool:
    """Tell whether it is written now: what a person pinned or wrote only when a person asks for it by name."""
    if each.is_held or each.fresh == 0:
        return False
    if due.target is not None:
        return fold_tool(due.target) == fold_tool(each.tool)
    return not each.is_kept_by_hand and (due.everything or due_at(each, due) <= due.at)


GUIDE_TOKENS = 120
"""No line costs more, as knowledge."""
NAME_TOKENS = GUIDE_TOKENS // 2
"""So much of that its tool's name takes at most."""


def guide_line(guide: Guide, figures: ToolFigures) -> str:
    """The name of the tool, what is known of it, and how its calls went, where any are kept."""
    counted = f" ({_figures_line(figures, language_of(guide.text))})" if figures.calls else ""
    line = f"{cut_to_tokens(' '.join(guide.target.split()), NAME_TOKENS)}: {' '.join(guide.text.split())}"
    room = GUIDE_TOKENS - token_count.estimate(counted)
    while token_count.estimate(made := cut_to_tokens(line, room) + counted) > GUIDE_TOKENS:
        room -= 1  # side by side they may count as more than each by itself
    return made


def _figures_line(figures: ToolFigures, language: str) -> str:
    said = [("calls", f"{figures.calls}"), ("succeeded", f"{percent_of(figures)}")]
    if figures.median_s is not None:
        said.append(("seconds", f"{figures.median_s:.3g}"))
    return "".join(words.text("work.tools", key, language).format(value) for key, value in said)


def percent_of(figures: ToolFigures) -> int:
    """Whole percents; all and none only where it is all or none."""
    if figures.succeeded in (0, figures.calls):
        return 100 if figures.succeeded else 0
    return min(99, max(1, round(figures.success_rate * 100)))


MAX_MATERIAL_CHARS = 1200
"""Of what a call was given and answered so much is shown: it bounds what one request costs. Chosen by hand."""


def material(batch: GuideBatch) -> str:
    """The tool, what is known of it, figures, and its latest calls, oldest first. What a person has not accepted is not
    shown as known."""
    figures = batch.figures
    shown = {
        "tool": batch.tool,
        "known": next((each.text for each in batch.known if each.state is State.LIVE), ""),
        "figures": {"calls": figures.calls, "succeeded": figures.succeeded, "errors": figures.errors},
        "calls": [
            {
                "input": _beginning(each.input, MAX_MATERIAL_CHARS),
                "output": _beginning(each.output, MAX_MATERIAL_CHARS),
                "success": each.success,
                **({} if each.seconds is None else {"seconds": round(each.seconds, 3)}),
            }
            for each in batch.calls
        ],
    }
    return json.dumps(shown, ensure_ascii=False)


def language_sample(batch: GuideBatch) -> str:
    """Return what tells the language that the guide is written in."""
    return "\n".join(f"{each.input[:MAX_MATERIAL_CHARS]}\n{each.output[:MAX_MATERIAL_CHARS]}" for each in batch.calls)


def _beginning(text: str, most: int) -> str:
    return text if len(text) <= most else cut_text(text, most) + ELLIPSIS


MOST_WORDS = 200
"""Of Chinese twice as many characters (LIFE 6)."""
MAX_GUIDE_CHARS = 2000
"""As much as a memory has: it bounds words without end."""
READ_CHARS = 16_000
"""Of a longer answer no more is read."""
NO_GUIDE = ""
"""The agent says that the calls teach nothing."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+|^\*\*([^*]+)\*\*[:：]?$")
_STARS = re.compile(r"\*\*([^*\n]+)\*\*")
_UNIT = re.compile(r"(?P<han>[\u3400-\u9fff\uf900-\ufaff])|[^\s\u3400-\u9fff\uf900-\ufaff]+")


def read_guide(answer: str) -> str | None:
    """The guide; `NO_GUIDE` where the agent has none, None where the answer can't be read as one."""
    said = without_thinking(answer[:READ_CHARS]).strip()
    items = last_items(said, lambda value: items_under(value, "guide", lambda item: "guide" in item))
    if items is not None:
        return _told_in(items)
    fenced = _FENCE.match(said)
    plain = _cleaned(fenced[1] if fenced else said)
    return None if plain.startswith(("{", "[")) else plain or None


def _told_in(items: list[Any]) -> str | None:
    """The text under `guide`, or its lines; None for anything else, and for what was cut off."""
    lines = items
    if items and isinstance(items[0], dict):
        given = items[0].get("guide")
        lines = [given or NO_GUIDE] if not isinstance(items[0], CutObject) else [None]
    return _cleaned("\n".join(lines)) if all(isinstance(each, str) for each in lines) else None


def _cleaned(text: str) -> str:
    """In lines, without the marks of lists and headings; what a reader can't see is shown by its number."""
    lines = []
    for raw in with_hidden_shown(clean_message(text).removeprefix("\ufeff")).splitlines():
        bare = LIST_MARK.sub("", _HEADING.sub(lambda match: match[1] or "", raw.strip()))
        lines.append(clean_statement(_STARS.sub(r"\1", bare)))
    return _within_bounds("\n".join(filter(None, lines)))


def _within_bounds(text: str) -> str:
    """At most so many words, cut behind a sentence where one ends in the second half."""
    room, end = float(MOST_WORDS), 0
    for match in _UNIT.finditer(text):
        room -= 0.5 if match["han"] else 1
        if room < 0:
            break
        end = match.end()
    if room >= 0 and len(text) <= MAX_GUIDE_CHARS:
        return text
    kept = text[: min(end, MAX_GUIDE_CHARS - 1)].rstrip()
    ends = [match.end() for match in SENTENCE_END.finditer(kept)]
    return kept[: ends[-1]] if ends and ends[-1] > len(kept) // 2 else kept + ELLIPSIS


def edit(text: str) -> ChangeOne[Guide]:
    """The checked text, line by line. Raises InvalidInput."""
    lines = [record_texts.checked_text(each, what="guide") for each in text.splitlines()]
    said = "\n".join(filter(None, lines))
    record_texts.checked_text(said, what="guide", may_be_empty=False)

    def change(guide: Guide) -> Fields:
        return {"text": said, **({"held_because": None} if guide.state is State.LIVE else {})}

    return change


MAX_LACKING = 10
"""So many things that are wrong with a guide are shown."""
RUN_WORDS = 12
"""So many words in a row, of Chinese two characters a word, are repeated, not summed up. Chosen by hand: names of
fields and short texts of errors are shorter."""
ERROR_CHARS = 200
"""So much of what a failed call answered is its error, which a guide may quote. Chosen by hand."""


class GuideFault(StrEnum):
    """Why a guide waits; of a secret it is not stored at all."""

    SECRET = "secret"
    NOT_IN_CALLS = "not_in_calls"
    """It leads to what stands in no call's input."""
    REPEATED = "repeats_answer"
    HIDDEN = "hidden"
    """Something that nobody sees stood in it."""
    NOT_USAGE = "not_usage"
    """The verifier says that a sentence is about more than how the tool is used."""
    ASK = "ask"
    """The user wants to be asked about everything."""
    UNREAD = "unread"
    """The verifier should have read it, and did not."""


_WORD = re.compile(r"[a-z0-9_]+|[\u3400-\u9fff\uf900-\ufaff]")
_CREDENTIAL = re.compile(r"(?=\S{6})\S*[A-Za-z]\S*\d\S*\Z")
"""`hunter2`, not `required`, `8-64` or `4-digit`."""
_BEND = re.compile(
    r"(?<=[A-Za-z0-9])(?:\[(?:\.|dot)\]|\((?:\.|dot)\)|。)(?=[A-Za-z0-9])|(?<=\bh)xx(?=ps?:)", re.IGNORECASE
)
"""How an address is written so that nobody takes it for one: evil[.]com, hxxp."""
_TOKEN = r"[^\s\"'`<>|，。；、！？：（）()\[\]{}「」《》“”…\u3400-\u9fff]"
_LINK = re.compile(
    rf"(?i:\b[a-z][a-z0-9+.-]{{1,12}}://(?=[a-z0-9\[]){_TOKEN}+"
    rf"|(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]+)+"
    rf"|(?<![\w.])(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![\w.]){_TOKEN}*|\b(?:localhost\b|www\.\w){_TOKEN}*)",
    re.ASCII,
)
_HOST = re.compile(
    r"(?i:(?<![\w.-])(?:[a-z0-9-]{1,63}\.)+"
    r"(?:com|net|org|edu|gov|io|dev|cn|app|ai|co|xyz|top|ru|de|uk|site|online|shop|link|cc)"
    rf"(?![\w.-]*\w)(?::\d+)?(?:/{_TOKEN}*)?)",
    re.ASCII,
)
"""By the top-level domains that are no ending of a file and no usual name of a field."""
_PATH = re.compile(
    rf"(?<![\w.~:/<$%*)\]}}\u3400-\u9fff])/[A-Za-z0-9_.~@-]{_TOKEN}*"
    rf"|(?<=[\u3400-\u9fff])/[a-z0-9_.~-]+/[a-z0-9_.~-]{_TOKEN}*"
    rf"|(?<![\w/])~[\w-]*/{_TOKEN}*|(?<!\w)\$\{{?[A-Z_]{{2,}}\}}?/{_TOKEN}*|%[A-Z_]{{2,}}%\\{_TOKEN}*"
    rf"|(?<!\w)[A-Za-z]:\\{_TOKEN}+|(?<![\w\\])\\\\[\w.-]+\\{_TOKEN}*",
    re.ASCII,
)
_CODE = re.compile(r"`+([^`\n]+)`+")
_BETWEEN_COMMANDS = re.compile(r"\|\|?|&&|;")
_OPTIONS = re.compile(rf"(?<![\w./-])[a-z][\w.-]*(?: +-{{1,2}}[A-Za-z]{_TOKEN}*)+", re.ASCII)
_PLACEHOLDER = re.compile(r"<[^>]*>|\[[^\]]*\]|\{[^}]*\}|[A-Z_]{2,}|\d+|\.\.\.|…|[|&;\\]+")
_OF_NAMES = re.compile(r"[\W_]+")
_TRIM = ".,:;!?'\"’*)("


def judge_guide(guide: str, tool: str, calls: Sequence[ToolCall]) -> tuple[GuideFault | None, tuple[str, ...]]:
    """Tell why it may not live by itself, the gravest reason first, and what of it says so."""
    if _has_secret(guide):
        return GuideFault.SECRET, ()
    given = _CallInputs(calls)
    for fault, found in (
        (GuideFault.HIDDEN, SHOWN_HIDDEN.findall(guide)),
        (GuideFault.NOT_IN_CALLS, _elsewhere(guide, tool, given)),
        (GuideFault.REPEATED, _repeated(guide, calls, given)),
    ):
        if lacking := tuple(dict.fromkeys(found)):
            return fault, lacking[:MAX_LACKING]
    return None, ()


class _CallInputs:
    """What the calls were given, as it is compared: as it stands there, and as JSON means it."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        texts = ["\n".join(map(_plain, (each.input, *_texts(_json(each.input))))) for each in calls]
        self.text = "\n".join(texts)
        self._parameters = frozenset(map(_plain, parameters(calls)))
        self._tokens = [set(re.split(r"[\s\"'`,;|&<>()\[\]{}]+", each)) for each in texts]

    def has(self, detail: str) -> bool:
        """Tell whether an input has it, or what lies below it, whatever is asked there; or it is made of names of
        parameters and stands for any. Not where another name only begins or ends like it."""
        said = _plain(detail).split("?")[0].rstrip("/\\")
        if self._parameters.issuperset(re.split(r"[/\\]+", said.split("://")[-1].strip("/\\"))):
            return True
        return re.search(rf"(?<![\w.@-]){re.escape(said)}(?![\w@-]|\.\w)", self.text, re.ASCII) is not None

    def has_command(self, command: str) -> bool:
        """Tell whether one input has all of its words; numbers and what stands for any word aside."""
        parts = (each.rstrip(_TRIM) for each in command.split())
        needed = {_plain(each) for each in parts if each and not _PLACEHOLDER.fullmatch(each)}
        return any(needed <= tokens for tokens in self._tokens)


def parameters(calls: Iterable[ToolCall]) -> list[str]:
    """The names of what the tool is given, each once."""
    read = (_json(each.input) for each in calls)
    return list(dict.fromkeys(str(name) for each in read if isinstance(each, dict) for name in each))


def _has_secret(guide: str) -> bool:
    """A key by its shape, or a password with its value. That one is required, or too short, is no secret."""
    said = simplified(guide)
    named = words.pattern("wording.secret", *words.languages(), flags=re.ASCII)
    return words.pattern("wording.secret", "any", flags=re.ASCII).search(said) is not None or any(
        _CREDENTIAL.search(match[0].rstrip(_TRIM).split()[-1]) is not None for match in named.finditer(said)
    )


def _elsewhere(guide: str, tool: str, given: _CallInputs) -> Iterator[str]:
    """The addresses, numbers of accounts and telephones, absolute paths and commands that no caller gave."""
    said = _BEND.sub(lambda match: "tt" if match[0].lower() == "xx" else ".", unicodedata.normalize("NFKC", guide))
    rest = said
    for shape in (_LINK, _HOST, _PATH, words.pattern("wording.account_number", "any", flags=re.ASCII)):
        found = [match[0].strip().rstrip(_TRIM) for match in shape.finditer(rest)]
        yield from (each for each in found if not given.has(each))
        rest = shape.sub(" ", rest)
    yield from (each for each in _commands(said, tool) if not given.has_command(each))


def _commands(said: str, tool: str) -> Iterator[str]:
    """Commands for a shell: as code with anything behind it, or with an option. What the tool is named after is its
    own."""
    known = words.word_set("consolidating.commands") - {tool.casefold(), *_OF_NAMES.split(tool.casefold())}
    code = [piece.strip() for match in _CODE.finditer(said) for piece in _BETWEEN_COMMANDS.split(match[1])]
    options = [match[0] for match in _OPTIONS.finditer(_CODE.sub(" ", said))]
    for command in (*code, *options):
        first, _, rest = command.partition(" ")
        if rest and first.lower() in known:
            yield command


def _json(given: str) -> Any:
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return None


def _texts(value: Any) -> Iterator[str]:
    """Every text within it."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += each


def _repeated(guide: str, calls: Iterable[ToolCall], given: _CallInputs) -> Iterator[str]:
    """The long runs of words that stand in what the tool answered, too; not those of an error, or of an input."""
    runs = set(_runs(guide)).difference(_runs(given.text))
    for call in calls if runs else ():
        answered = call.output if call.success else call.output[ERROR_CHARS:]
        yield from [run for run in _runs(answered) if run in runs][:1]


def _runs(text: str) -> Iterator[str]:
    """Every run of so many words; a Chinese character is half a word."""
    found = [match[0] for match in _WORD.finditer(_plain(text))]
    first, weight = 0, 0.0
    for last, each in enumerate(found):
        weight += _weight(each)
        while weight - _weight(found[first]) >= RUN_WORDS:
            weight -= _weight(found[first])
            first += 1
        if weight >= RUN_WORDS:
            yield " ".join(found[first : last + 1])


def _weight(word: str) -> float:
    return 1.0 if word.isascii() else 0.5


def _plain(text: str) -> str:
    return simplified(unicodedata.normalize("NFKC", text)).casefold()


INPUTS = 5
INPUT_CHARS = 300
"""So many of the latest inputs are shown, and so much of each. They bound what the question costs; chosen by hand."""


def sentences_of(guide: str) -> list[str]:
    """Return what the verifier is asked about, in its order: all of the guide."""
    return [guide[each.start : each.end].strip() for each in typed_spans.sentences(guide)]


def verifier_material(tool: str, calls: Sequence[ToolCall], asked: Sequence[str]) -> str:
    """Return what the verifier is shown, as JSON: no text in it can pretend to be anything else."""
    inputs = list(dict.fromkeys(each.input for each in reversed(calls) if each.input))[:INPUTS]
    shown = {
        "tool": tool,
        "parameters": parameters(calls),
        "inputs": [_beginning(each, INPUT_CHARS) for each in inputs],
        "facts": [{FACT: number, "says": each} for number, each in enumerate(asked, start=1)],
        "known": [],
    }
    return json.dumps(shown, ensure_ascii=False)


class VerifiedGuide(Struct, frozen=True):
    """What stands of a guide, why it waits (None where it may live), and the sentences that were refused."""

    text: str
    fault: GuideFault | None = None
    refused: tuple[str, ...] = ()


def verified_guide(guide: str, answers: Mapping[int, VerifierAnswer]) -> VerifiedGuide:
    """The guide without the sentences that are refused. It waits where one is not answered, and whole where all are
    refused."""
    pieces = list(typed_spans.sentences(guide))
    ends = [*(each.start for each in pieces[1:]), len(guide)]
    texts = [guide[each.start : end] for each, end in zip(pieces, ends, strict=True)]
    is_refused = [number in answers and not answers[number].says_so for number in range(1, len(texts) + 1)]
    refused = tuple(each.strip() for each, is_out in zip(texts, is_refused, strict=True) if is_out)
    if all(is_refused):
        return VerifiedGuide(guide, GuideFault.NOT_USAGE, refused)
    stands = "".join(each for each, is_out in zip(texts, is_refused, strict=True) if not is_out).strip()
    is_unread = any(number not in answers for number in range(1, len(texts) + 1))
    return VerifiedGuide(stands if refused else guide, GuideFault.UNREAD if is_unread else None, refused)
