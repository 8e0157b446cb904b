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
from functools import cache
from typing import Any

from msgspec import Struct

from orca_core import words
from orca_core.model.episodes import ChangeOne
from orca_core.model.learning import Answer, OpenRun, RunState
from orca_core.model.memories import Fields, State
from orca_core.model.tools import DueGuides, Guide, GuideBatch, ToolCall, ToolFigures, WaitingTool
from orca_core.rules.learning.fact_verifier import FACT
from orca_core.rules.learning.model_json import LIST_MARK, SENTENCE_END, CutObject, values_in, without_thinking
from orca_core.rules.text import token_count, typed_spans
from orca_core.rules.text.cleaning import ELLIPSIS, SHOWN_HIDDEN, clean_message, clean_statement, cut, with_hidden_shown
from orca_core.rules.text.spelling import language_of, simplified
from orca_core.rules.text.token_count import fitted
from orca_core.rules.work import record_texts
from orca_core.rules.work.reported_calls import folded


def is_run_due(run: OpenRun, due: DueGuides) -> bool:
    """One that was cut short goes on at once, one that failed at its time; a parked one when a person names its
    tool."""
    is_named = bool(due.tool) and folded(due.tool) == folded(run.target)
    if run.id in due.besides or (due.tool and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


def due_tool(tools: Sequence[WaitingTool], due: DueGuides) -> WaitingTool | None:
    """The one that has been due longest; None where none is."""
    ready = [each for each in tools if _is_due(each, due)]
    return min(ready, key=lambda each: (due_at(each, due), folded(each.tool))) if ready else None


def due_at(each: WaitingTool, due: DueGuides) -> datetime:
    """Tell when its guide is written, if no call comes any more: at once with more than `summary_count` new calls, else
    `summary_after` after it was written last, or after the first new call where none was written."""
    if each.fresh > due.summary_count:
        return each.since
    return max(each.since, (each.written_at or each.since) + timedelta(seconds=due.summary_after_s))


def _is_due(each: WaitingTool, due: DueGuides) -> bool:
    """Return what a person pinned or wrote is written anew only when a person asks for it by name."""
    if each.is_held or each.fresh == 0:
        return False
    if due.tool:
        return folded(due.tool) == folded(each.tool)
    if each.is_kept_by_hand:
        return False
    return due.everything or due_at(each, due) <= due.at


GUIDE_TOKENS = 120
"""No line costs more, as knowledge."""
NAME_TOKENS = GUIDE_TOKENS // 2
"""So much of that its tool's name takes at most."""


def guide_line(guide: Guide, figures: ToolFigures) -> str:
    """The name of the tool, what is known of it, and how its calls went, where any are kept."""
    said = " ".join(guide.text.split())
    counted = "" if not figures.calls else f" ({figures_line(figures, language_of(guide.text))})"
    head = f"{fitted(' '.join(guide.target.split()), NAME_TOKENS)}: "
    room = GUIDE_TOKENS - token_count.estimate(head + counted)
    made = f"{head}{fitted(said, max(room, 0))}{counted}"
    while (
        room > 0 and token_count.estimate(made) > GUIDE_TOKENS
    ):  # side by side they may count as more than each by itself
        room -= 1
        made = f"{head}{fitted(said, room)}{counted}"
    return made


def figures_line(figures: ToolFigures, language: str) -> str:
    """Tell how often it was called, how often that succeeded, how long it took."""
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
        "figures": {
            "calls": figures.calls,
            "succeeded": figures.succeeded,
            "errors": [list(e) for e in figures.errors],
        },
        "calls": [_row(each) for each in batch.calls],
    }
    return json.dumps(shown, ensure_ascii=False)


def prose(batch: GuideBatch) -> str:
    """Return what tells the language that the guide is written in."""
    return "\n".join(f"{each.input[:MAX_MATERIAL_CHARS]}\n{each.output[:MAX_MATERIAL_CHARS]}" for each in batch.calls)


def _row(call: ToolCall) -> dict[str, Any]:
    row: dict[str, Any] = {"input": _short(call.input), "output": _short(call.output), "success": call.success}
    return row if call.seconds is None else {**row, "seconds": round(call.seconds, 3)}


def _short(text: str) -> str:
    return text if len(text) <= MAX_MATERIAL_CHARS else cut(text, MAX_MATERIAL_CHARS) + ELLIPSIS


MOST_WORDS = 200
"""Of Chinese twice as many characters (LIFE 6)."""
MAX_GUIDE_CHARS = 2000
"""As much as a memory has: it bounds words without end."""
READ_CHARS = 16_000
"""Of a longer answer no more is read."""
NOTHING = ""
"""The agent says that the calls teach nothing."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+|^\*\*([^*]+)\*\*[:：]?$")
_STARS = re.compile(r"\*\*([^*\n]+)\*\*")
_UNIT = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")


def read_guide(answer: str) -> str | None:
    """The guide; `NOTHING` where the agent has none, None where the answer can't be read as one."""
    said = without_thinking(answer[:READ_CHARS]).strip()
    found = [each for value in values_in(said) for each in _guides(value.value)]
    if found:
        return None if found[-1] is None else _cleaned(found[-1])
    if not said or said[0] in "{[":
        return None
    fenced = _FENCE.match(said)
    plain = _cleaned(fenced[1] if fenced else said)
    return None if plain.startswith(("{", "[")) else plain or None


def _guides(value: Any) -> list[str | None]:
    """Return what stands under `guide`; None for what is no text, or was cut off."""
    if not isinstance(value, dict) or "guide" not in value:
        return []
    guide = value["guide"]
    if isinstance(value, CutObject):
        return [None]
    if isinstance(guide, list) and all(isinstance(each, str) for each in guide):
        return ["\n".join(guide)]
    return [guide if isinstance(guide, str) else NOTHING if guide is None else None]


def _cleaned(text: str) -> str:
    """In lines, without the marks of lists and headings; what a reader can't see is shown by its number."""
    lines = [_line(each) for each in with_hidden_shown(clean_message(text).removeprefix("\ufeff")).splitlines()]
    return shortened("\n".join(filter(None, lines)))


def _line(raw: str) -> str:
    bare = LIST_MARK.sub("", _HEADING.sub(lambda match: match[1] or "", raw.strip()))
    return clean_statement(_STARS.sub(r"\1", bare))


def shortened(text: str) -> str:
    """At most 200 words or 400 Chinese characters, cut behind a sentence where one ends in its second half."""
    room, end = float(MOST_WORDS), len(text)
    for match in _UNIT.finditer(text):
        room -= 0.5 if "\u3400" <= match[0][0] <= "\ufaff" and len(match[0]) == 1 else 1
        if room < 0 or match.end() > MAX_GUIDE_CHARS:
            end = match.start() if room < 0 else MAX_GUIDE_CHARS - 1
            break
    else:
        return text if len(text) <= MAX_GUIDE_CHARS else text[: MAX_GUIDE_CHARS - 1] + "…"
    kept = text[:end].rstrip()
    ends = [match.end() for match in SENTENCE_END.finditer(kept)]
    return kept[: ends[-1]] if ends and ends[-1] > len(kept) // 2 else kept[: MAX_GUIDE_CHARS - 1] + "…"


def edit(text: str) -> ChangeOne[Guide]:
    """The checked text, line by line. Raises InvalidInput."""
    lines = [record_texts.text(each, what="guide") for each in text.splitlines()]
    said = "\n".join(filter(None, lines))
    record_texts.text(said, what="guide", may_be_empty=False)

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


class Fault(StrEnum):
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
_LINE = re.compile(r"(?<![\w./-])(?P<name>[a-z][\w.-]*) +(?P<rest>-{1,2}[A-Za-z][^。；，,;!?\n`]*)", re.ASCII)
_PIPED = re.compile(r"(?:\||&&|\|\|)\s*(?P<name>[a-z][\w.-]*)\b", re.ASCII)
_PLACEHOLDER = re.compile(r"<[^>]*>|\[[^\]]*\]|\{[^}]*\}|[A-Z_]{2,}|\d+|\.\.\.|…|[|&;\\]+")
_OF_NAMES = re.compile(r"[\W_]+")
_TRIM = ".,:;!?'\"’*)("


def judged(guide: str, tool: str, calls: Sequence[ToolCall]) -> tuple[Fault | None, tuple[str, ...]]:
    """Tell why it may not live by itself, the gravest reason first, and what of it says so."""
    if _has_secret(guide):
        return Fault.SECRET, ()
    if hidden := tuple(dict.fromkeys(SHOWN_HIDDEN.findall(guide))):
        return Fault.HIDDEN, hidden[:MAX_LACKING]
    given = _CallInputs(calls)
    elsewhere = tuple(dict.fromkeys(_elsewhere(guide, tool, given)))
    if elsewhere:
        return Fault.NOT_IN_CALLS, elsewhere[:MAX_LACKING]
    repeated = tuple(_repeated(guide, calls, given))
    return (Fault.REPEATED, repeated[:MAX_LACKING]) if repeated else (None, ())


class _CallInputs:
    """What the calls were given, as it is compared: as it stands there, and as JSON means it."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self.inputs = ["\n".join(map(_folded, (each.input, *_texts(_json(each.input))))) for each in calls]
        self.text = "\n".join(self.inputs)
        self.parameters = frozenset(map(_folded, parameters(calls)))
        self.tokens = [set(re.split(r"[\s\"'`,;|&<>()\[\]{}]+", each)) for each in self.inputs]

    def has(self, detail: str) -> bool:
        """Tell whether an input has it, or what lies below it, whatever is asked there; or it is made of names of
        parameters and stands for any. Not where another name only begins or ends like it."""
        said = _folded(detail).split("?")[0].rstrip("/\\")
        parts = re.split(r"[/\\]+", said.split("://")[-1].strip("/\\"))
        if self.parameters.issuperset(parts):
            return True
        return re.search(rf"(?<![\w.@-]){re.escape(said)}(?![\w@-]|\.\w)", self.text, re.ASCII) is not None

    def has_command(self, command: Sequence[str]) -> bool:
        """Tell whether one input has all of its words; numbers and what stands for any word aside."""
        needed = {each for each in map(_folded, command) if each}
        return any(needed <= tokens for tokens in self.tokens)


def parameters(calls: Iterable[ToolCall]) -> list[str]:
    """The names of what the tool is given, each once."""
    read = (_json(each.input) for each in calls)
    return list(dict.fromkeys(str(name) for each in read if isinstance(each, dict) for name in each))


def _has_secret(guide: str) -> bool:
    """A key by its shape, or a password with its value. That one is required, or too short, is no secret."""
    said = simplified(guide)
    if _keys().search(said):
        return True
    named = words.pattern("wording.secret", *words.languages(), flags=re.ASCII)
    return any(_CREDENTIAL.search(match[0].rstrip(_TRIM).split()[-1]) is not None for match in named.finditer(said))


@cache
def _keys() -> re.Pattern[str]:
    return words.pattern("wording.secret", "any", flags=re.ASCII)


def _elsewhere(guide: str, tool: str, given: _CallInputs) -> Iterator[str]:
    """The addresses, numbers of accounts and telephones, absolute paths and commands that no caller gave."""
    said = _BEND.sub(lambda match: "tt" if match[0].lower() == "xx" else ".", unicodedata.normalize("NFKC", guide))
    rest = said
    for shape in (_LINK, _HOST, _PATH, words.pattern("wording.account_number", "any", flags=re.ASCII)):
        found = [_trimmed(match[0]) for match in shape.finditer(rest)]
        yield from (each for each in found if not given.has(each))
        rest = shape.sub(" ", rest)
    yield from (each for each in _commands(said, tool) if not given.has_command(_command_words(each)))


def _trimmed(detail: str) -> str:
    return detail.strip().rstrip(_TRIM)


def _commands(said: str, tool: str) -> Iterator[str]:
    """Commands for a shell: one with an option, one as code with anything behind it, and what is piped into one. What
    the tool is named after is its own."""
    known = words.word_set("consolidating.commands") - {tool.casefold(), *_OF_NAMES.split(tool.casefold())}
    for match in _CODE.finditer(said):
        parts = match[1].split()
        if len(parts) > 1 and parts[0].lower() in known:
            yield match[1].strip()
    for match in _LINE.finditer(_CODE.sub(" ", said)):
        if match["name"] in known:
            options = re.match(rf"(?:-{{1,2}}[A-Za-z]{_TOKEN}*\s*)+", match["rest"])
            yield f"{match['name']} {_trimmed(options[0] if options else match['rest'])}"
    for match in _PIPED.finditer(said):
        if match["name"] in known:
            yield match["name"]


def _command_words(command: str) -> list[str]:
    return [each for each in map(_trimmed, command.split()) if _PLACEHOLDER.fullmatch(each) is None]


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
    runs = dict(_runs(guide))
    for run in dict.fromkeys(_runs(given.text)) if runs else ():
        runs.pop(run[0], None)
    for call in calls if runs else ():
        answered = call.output if call.success else call.output[ERROR_CHARS:]
        found = next((text for key, text in _runs(answered) if key in runs), None)
        if found is not None:
            yield found


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every run of so many words; a Chinese character is half a word."""
    found = [match[0] for match in _WORD.finditer(_folded(text))]
    weights = [1.0 if each.isascii() else 0.5 for each in found]
    first, weight = 0, 0.0
    for place, each in enumerate(weights):
        weight += each
        while weight - weights[first] >= RUN_WORDS:
            weight -= weights[first]
            first += 1
        if weight >= RUN_WORDS:
            yield tuple(found[first : place + 1]), " ".join(found[first : place + 1])


def _folded(text: str) -> str:
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
        "inputs": [each if len(each) <= INPUT_CHARS else cut(each, INPUT_CHARS) + ELLIPSIS for each in inputs],
        "facts": [{FACT: number, "says": each} for number, each in enumerate(asked, start=1)],
        "known": [],
    }
    return json.dumps(shown, ensure_ascii=False)


class Verified(Struct, frozen=True):
    """What stands of a guide, why it waits (None where it may live), and the sentences that were refused."""

    text: str
    fault: Fault | None = None
    refused: tuple[str, ...] = ()


def verified(guide: str, answers: Mapping[int, Answer]) -> Verified:
    """The guide without the sentences that are refused. It waits where one is not answered, and whole where all are
    refused."""
    pieces = list(enumerate(typed_spans.sentences(guide), start=1))
    refused = {number for number, _ in pieces if number in answers and not answers[number].says_so}
    told = tuple(guide[each.start : each.end].strip() for number, each in pieces if number in refused)
    if len(refused) == len(pieces):
        return Verified(guide, Fault.NOT_USAGE, told)
    starts = [each.start for _, each in pieces] + [len(guide)]
    stands = "".join(guide[each.start : starts[number]] for number, each in pieces if number not in refused).strip()
    is_unread = any(number not in answers for number, _ in pieces)
    return Verified(stands if refused else guide, Fault.UNREAD if is_unread else None, told)
