"""The words by which rules read a text: tables in plain files, a folder a language, `any` for what is of none.

A table is named by its file and its section: `search.stop` is [stop] in each folder's `search.txt`. `tables.py` names
them all, README.md says how they are written. A file is read when a rule first asks for a table of it, and once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from orca_core.words import reading
from orca_core.words.reading import Kind, TableError
from orca_core.words.table_list import TABLES

ANY = "any"
"""The folder of what belongs to no language: names, punctuation, code."""
ENGLISH = "en"
"""The language of a text that shows no other, and of what a folder leaves out."""
WHOLE_WORDS = "whole words"
"""How a language's words are found, by its `language.matching`; the other way is anywhere in a run of characters."""

_NOTHING: tuple[str, ...] = ()


@cache
def languages() -> tuple[str, ...]:
    """All languages, by the names of their folders."""
    from importlib.resources import files  # a command that reads no text does not pay for it

    folders = (each for each in files(__name__).iterdir() if each.joinpath("language.txt").is_file())
    return tuple(sorted(each.name for each in folders if each.name != ANY))


@cache
def folders() -> tuple[str, ...]:
    """All folders: what belongs to no language first."""
    return (ANY, *languages())


@cache
def has_whole_words(folder: str) -> bool:
    """Tell whether a folder's words stand between boundaries, as Latin ones do, and not anywhere in a run."""
    return folder == ANY or _lines("language.matching", folder) == (WHOLE_WORDS,)


@cache
def of_whole_words() -> tuple[str, ...]:
    """The folders whose words are found between boundaries."""
    return tuple(each for each in folders() if has_whole_words(each))


@cache
def of_runs() -> tuple[str, ...]:
    """The folders whose words are found anywhere in a run of characters."""
    return tuple(each for each in folders() if not has_whole_words(each))


@cache
def tables_of(file: str) -> tuple[str, ...]:
    """The names of all tables of a file."""
    return tuple(table for table in TABLES if table.partition(".")[0] == file)


@cache
def lines(table: str, *where: str) -> tuple[str, ...]:
    """A table as it is written, of the folders named, else of all."""
    return tuple(line for folder in where or folders() for line in _lines(table, folder))


@cache
def words(table: str, *where: str) -> tuple[str, ...]:
    """The words of a table, each once, in their order."""
    written = " ".join(lines(table, *where))
    return tuple(dict.fromkeys(written.replace(" ", "") if TABLES[table] is Kind.CHARACTERS else written.split()))


@cache
def word_set(table: str, *where: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(words(table, *where))


@cache
def keyed(table: str, *where: str) -> Mapping[str, tuple[str, ...]]:
    """Return what stands behind each key of a table, a line each."""
    found: dict[str, tuple[str, ...]] = {}
    for key, line in _keyed_lines(table, where or folders()):
        found[key] = (*found.get(key, _NOTHING), line)
    return found


@cache
def text(table: str, key: str, language: str) -> str:
    """The text behind a key in a language; in English where it has none."""
    for folder in (language, ENGLISH):
        for line in keyed(table, folder).get(key, _NOTHING):
            return line
    raise TableError(f"{table}: no text {key}")


@cache
def spellings(table: str, *where: str) -> tuple[tuple[str, str], ...]:
    """The patterns of a table and what each becomes, in their order."""
    return tuple(reading.spelling(line, table) for line in lines(table, *where))


@cache
def source(table: str, *where: str) -> str:
    """A table of wordings or patterns as one regular expression, to be part of another."""
    named = where or folders()
    if TABLES[table] is Kind.WORDINGS:
        each = (reading.wording(_written_out(table, folder), whole_words=has_whole_words(folder)) for folder in named)
        return "|".join(filter(None, each)) or "(?!)"
    return reading.one_of([line for folder in named for line in _written_out(table, folder)])


@cache
def sources(table: str, *where: str) -> tuple[str, ...]:
    """The same as an expression for each line, in the order in which they are tried."""
    named = where or folders()
    if TABLES[table] is Kind.WORDINGS:
        each = (reading.wordings(_written_out(table, folder), whole_words=has_whole_words(folder)) for folder in named)
        return tuple(line for lines in each for line in lines)
    return tuple(line for folder in named for line in _written_out(table, folder))


@cache
def choices(table: str, *where: str) -> str:
    """The wordings of a table as alternatives, held to no boundary: for a rule that says itself what stands around."""
    written = (reading.wording(_written_out(table, folder), whole_words=False) for folder in where or folders())
    return "|".join(filter(None, written)) or "(?!)"


@cache
def pattern(table: str, *where: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """A table of wordings or patterns, compiled."""
    return re.compile(source(table, *where), flags)


@cache
def patterns(table: str, *where: str, flags: re.RegexFlag = re.IGNORECASE) -> tuple[re.Pattern[str], ...]:
    """The patterns of a table, each compiled alone; those with the same key are one."""
    if TABLES[table] is not Kind.KEYED_PATTERNS:
        written = [line for folder in where or folders() for line in _written_out(table, folder)]
        return tuple(re.compile(each, flags) for each in written)
    shapes: dict[str, list[str]] = {}
    for folder in where or folders():
        for key, line in _keyed_lines(table, (folder,)):
            shapes.setdefault(key, []).append(_with_parts(line, table, folder))
    return tuple(re.compile("|".join(each), flags) for each in shapes.values())


@cache
def keyed_patterns(table: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a table by their keys, whole words where a language has them, in any case."""
    written: dict[str, list[str]] = {}
    for folder in folders():
        for key, found in keyed(table, folder).items():
            each = "|".join(found)
            written.setdefault(key, []).append(rf"\b(?:{each})\b" if has_whole_words(folder) else each)
    return {key: re.compile("|".join(each), re.IGNORECASE) for key, each in written.items()}


def _keyed_lines(table: str, where: Iterable[str]) -> Iterator[tuple[str, str]]:
    for folder in where:
        for line in _lines(table, folder):
            yield reading.keyed(line, f"{folder}/{table}")


def _written_out(table: str, folder: str) -> tuple[str, ...]:
    return tuple(_with_parts(line, table, folder) for line in _lines(table, folder))


def _with_parts(line: str, table: str, folder: str) -> str:
    """A pattern with its parts: `{me}` is of its file's [parts], `{technical.names}` the words of another table."""
    if not reading.parts_in(line):
        return line
    parts = dict(_parts(table.partition(".")[0], folder))
    parts.update({name: "|".join(sorted(words(name))) for name in reading.parts_in(line) if name in TABLES})
    return reading.with_parts(line, parts, f"{folder}/{table}")


@cache
def _parts(file: str, folder: str) -> Mapping[str, str]:
    parts: dict[str, str] = {}
    for name, part in _keyed_lines(f"{file}.parts", (folder,)):
        parts[name] = reading.with_parts(part, parts, f"{folder}/{file}.parts")
    return parts


def _lines(table: str, folder: str) -> tuple[str, ...]:
    assert table in TABLES, table
    file, _, section = table.partition(".")
    return _file(file, folder).get(section, _NOTHING)


@cache
def _file(name: str, folder: str) -> Mapping[str, tuple[str, ...]]:
    from importlib.resources import files

    path = files(__name__).joinpath(folder, f"{name}.txt")
    return reading.sections(path.read_text(encoding="utf-8"), f"{folder}/{name}.txt") if path.is_file() else {}
