"""Reads every table of words in a folder, and says what is wrong with any: what a rule would find out too late."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

from msgspec import Struct, field

from orca_core.words import ANY, WHOLE_WORDS, reading
from orca_core.words.reading import Kind, TableError
from orca_core.words.table_list import PARTS, TABLES

FOLDED = {"search.stop", "technical.words", "technical.leaning", "technical.phrases", "concepts.words"} | {
    "concepts.passed_over", "technical.behind_names", "technical.otherwise", "search.with_humps", "asserting.generic",
    "demo.past", "language.grammar", "numbers.values", "numbers.units", "numbers.months",
}  # fmt: skip
"""Tables that a rule compares with small letters."""
CONTRADICTIONS = (
    ("technical.words", "technical.leaning"),
    ("technical.words", "technical.misreadings"),
    ("technical.leaning", "technical.misreadings"),
    ("technical.names", "technical.short_names"),
    ("concepts.words", "concepts.passed_over"),
    ("numbers.values", "numbers.units"),
    ("search.stop_characters", "search.weak_characters"),
    ("comparing.negation", "comparing.phrasing"),
)
"""Tables that say the opposite of each other: no word is in both."""
ONCE = {Kind.WORDS, Kind.LINES, Kind.CHARACTERS, Kind.PATTERNS}


class Folder(Struct):
    """A folder's tables as they are written."""

    name: str
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def without(self) -> set[str]:
        """The tables that it says it needs none of; a file's name stands for all of its tables."""
        said = set(" ".join(self.tables.get("language.without", ())).split())
        return {table for table in TABLES if table in said or table.partition(".")[0] in said}

    def words(self, table: str) -> list[str]:
        """What stands in a table, one by one, as far as that can be told apart."""
        lines = self.tables.get(table, ())
        match TABLES[table]:
            case Kind.CHARACTERS:
                return list("".join(lines))
            case Kind.WORDS:
                return " ".join(lines).split()
            case Kind.KEYED_WORDS:
                return [word for line in lines for word in line.partition(": ")[2].split()]
            case Kind.WORDINGS:
                return [word for line in lines for word in alternatives(line)]
        return list(lines)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, read once for all the folders in which it stands: `re` itself remembers only a few hundred."""
    return re.compile(pattern)


@cache
def alternatives(wording: str) -> Sequence[str]:
    """What stands between the | of a wording, outside of its brackets."""
    found, depth = [""], 0
    for each in re.findall(r"\\.|\[[^\]]*\]|.", wording):
        depth += (each == "(") - (each == ")")
        if each == "|" and not depth:
            found.append("")
        else:
            found[-1] += each
    return tuple(found)


def problems(place: Path) -> list[str]:
    """Everything that is wrong with the tables in a folder of languages, a sentence each."""
    found: list[str] = []
    folders: list[Folder] = []
    for path in sorted(each for each in place.iterdir() if each.joinpath("language.txt").is_file()):
        folder = Folder(path.name)
        for file in sorted(path.iterdir()):
            try:
                found += _read(file, folder)
            except TableError as error:
                found.append(str(error))
        folders.append(folder)
    for folder in folders:
        found += [f"{folder.name}: {problem}" for problem in _of_folder(folder, folders)]
    return found


def _read(file: Path, folder: Folder) -> Iterator[str]:
    where = f"{folder.name}/{file.name}"
    text = file.read_text("utf-8")
    if file.suffix != ".txt" or f"{file.stem}.{PARTS}" not in TABLES:
        yield f"{where}: no rule asks for such a file"
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line != line.strip() or any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co") for each in line):
            yield f"{where}:{number}: a blank at an end, or a character that nobody sees"
        if unicodedata.normalize("NFC", line) != line:
            yield f"{where}:{number}: not composed (NFC)"
    for section, lines in reading.sections(text, where).items():
        if (table := f"{file.stem}.{section}") not in TABLES:
            yield f"{where}: no rule asks for [{section}]"
            continue
        folder.tables[table] = lines


def _of_folder(folder: Folder, folders: list[Folder]) -> Iterator[str]:
    neutral = next(each for each in folders if each.name == ANY)
    for table, lines in folder.tables.items():
        try:
            yield from _of_table(table, lines, folder, folders)
        except (TableError, re.error, ValueError) as error:
            yield f"{table}: {error}"
        if TABLES[table] in ONCE | {Kind.WORDINGS, Kind.SPELLINGS}:
            twice = [word for word, count in Counter(folder.words(table)).items() if count > 1]
            twice += [word for word in folder.words(table) if folder is not neutral and word in neutral.words(table)]
            yield from (f"{table}: {word!r} stands twice" for word in twice if table != "language.matching")
        if table in FOLDED:
            unfolded = [word for word in folder.words(table) if word != unicodedata.normalize("NFKC", word).lower()]
            yield from (f"{table}: {word!r} is not in its folded form" for word in unfolded)
    for one, other in CONTRADICTIONS:
        both = set(folder.words(one)) & set(folder.words(other))
        yield from (f"{word!r} is in {one} and in {other}" for word in sorted(both))
    if folder is not neutral:
        needed = {table for each in folders if each is not neutral for table in each.tables} - {"language.without"}
        needed = {table for table in needed if not table.endswith(f".{PARTS}")}
        missing = needed - folder.tables.keys() - folder.without
        yield from (f"{table} is missing, and is not in language.without" for table in sorted(missing))
        yield from (
            f"{table} is there, and in language.without" for table in sorted(folder.without & folder.tables.keys())
        )


def _of_table(table: str, lines: tuple[str, ...], folder: Folder, folders: list[Folder]) -> Iterator[str]:
    if not lines:
        yield f"{table} is empty: name it in language.without"
    if table == "language.matching" and lines not in ((WHOLE_WORDS,), ("anywhere",)):
        yield f"language.matching is {lines}, neither {WHOLE_WORDS!r} nor 'anywhere'"
    kind = TABLES[table]
    for line in lines:
        behind_key = reading.keyed(line, table)[1] if kind.name.startswith("KEYED") else line
        if kind in (Kind.PATTERNS, Kind.WORDINGS, Kind.KEYED_PATTERNS):
            compiled(_written_out(behind_key.removeprefix(reading.ANYWHERE), table, folder, folders))
        elif kind is Kind.SPELLINGS:
            pattern, becomes = reading.spelling(line, table)
            compiled(pattern).sub(becomes, "a")
        elif table == "language.limits":
            int(behind_key)
        elif kind is Kind.KEYED_TEXTS and [name for _, name, _, _ in Formatter().parse(line) if name is not None] != [
            ""
        ]:
            yield f"{table}: {line!r} has not one {{}}"


def _written_out(pattern: str, table: str, folder: Folder, folders: list[Folder]) -> str:
    tables = [name for name in reading.parts_in(pattern) if name in TABLES]
    parts = {name: "|".join(word for each in folders for word in each.words(name)) for name in tables}
    for line in folder.tables.get(f"{table.partition('.')[0]}.{PARTS}", ()) if "{" in pattern else ():
        name, part = reading.keyed(line, table)
        parts[name] = reading.with_parts(part, parts, table)
    return reading.with_parts(pattern, parts, table)


def unused_parts(place: Path) -> Mapping[str, list[str]]:
    """The parts of each file that none of its patterns uses."""
    found = {}
    for file in sorted(place.rglob("*.txt")):
        text = file.read_text("utf-8")
        named = [reading.keyed(line, "")[0] for line in reading.sections(text, file.name).get(PARTS, ())]
        found[f"{file.parent.name}/{file.name}"] = [name for name in named if f"{{{name}}}" not in text]
    return {file: names for file, names in found.items() if names}
