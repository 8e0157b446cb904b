"""The words by which rules read a text: tables in plain files, a folder a language, `any` for what is of none.

A table is named by its file and its section: `search.stop` is [stop] in each folder's `search.txt`. README.md says how
they are written. A file is read when a rule first asks for a table of it, and once. A mistake in a file raises
ValueError or KeyError: it is of whoever wrote it, never of a user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

ANY = "any"
"""The folder of what belongs to no language: names, punctuation, code."""
ENGLISH = "en"
"""The language of a text that shows no other, and of what a folder leaves out."""
WHOLE_WORDS = "whole words"
"""How a language's words are found, by its `language.matching`; the other way is anywhere in a run of characters."""
ANYWHERE = "~"
"""Before a wording that is not held to whole words."""
PARTS = "parts"
"""The section of a file that names pieces of its patterns: `{me}`."""

_SECTION = re.compile(r"\[([a-z][a-z_]*)\]")
_PART = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")


@cache
def languages() -> tuple[str, ...]:
    """All languages, by the names of their folders."""
    from importlib.resources import files  # a command that reads no text does not pay for it

    found = (each for each in files(__name__).iterdir() if each.joinpath("language.txt").is_file())
    return tuple(sorted(each.name for each in found if each.name != ANY))


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
def table_names() -> frozenset[str]:
    """The names of all tables."""
    from importlib.resources import files

    names = ((folder, each.name) for folder in folders() for each in files(__name__).joinpath(folder).iterdir())
    written = ((folder, name.removesuffix(".txt")) for folder, name in names if name.endswith(".txt"))
    return frozenset(f"{file}.{section}" for folder, file in written for section in _file(file, folder))


@cache
def lines(table: str, *where: str) -> tuple[str, ...]:
    """A table as it is written, of the folders named, else of all."""
    return tuple(line for folder in where or folders() for line in _lines(table, folder))


@cache
def words(table: str, *where: str) -> tuple[str, ...]:
    """The words of a table, each once, in their order."""
    return tuple(dict.fromkeys(" ".join(lines(table, *where)).split()))


@cache
def word_set(table: str, *where: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(words(table, *where))


@cache
def keyed(table: str, *where: str) -> Mapping[str, tuple[str, ...]]:
    """Return what stands behind each key of a table, a line each, with its parts written out."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in where or folders():
        for line in _lines(table, folder):
            key, said = _split(line, ": ")
            found[key] = (*found.get(key, ()), _with_parts(said, table, folder))
    return found


@cache
def text(table: str, key: str, language: str) -> str:
    """The text behind a key in a language; in English where it has none."""
    for folder in (language, ENGLISH):
        for line in _lines(table, folder):
            named, said = _split(line, ": ")
            if named == key:
                return said
    raise KeyError(f"{table}: no text {key}")


@cache
def spellings(table: str, *where: str) -> tuple[tuple[str, str], ...]:
    """The patterns of a table and what each becomes, in their order."""
    return tuple(_split(line, " -> ") for line in lines(table, *where))


@cache
def source(table: str, *where: str) -> str:
    """The wordings of a table as one regular expression, to be part of another: whole words where the language has
    them, but for those behind a `~`. Nothing fits where there are none."""
    alternatives = []
    for folder in where or folders():
        written = _written_out(table, folder)
        free = [each for each in written if each.startswith(ANYWHERE) or not has_whole_words(folder)]
        held = "|".join(each for each in written if each not in free)
        alternatives += [*([rf"\b(?:{held})\b"] if held else []), *(each.removeprefix(ANYWHERE) for each in free)]
    return "|".join(alternatives) or "(?!)"


@cache
def choices(table: str, *where: str) -> str:
    """The wordings of a table as alternatives, held to no boundary: for a rule that says itself what stands around."""
    return "|".join(_free(table, where)) or "(?!)"


@cache
def pattern(table: str, *where: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """The wordings of a table, compiled."""
    return re.compile(source(table, *where), flags)


@cache
def patterns(table: str, *where: str, flags: re.RegexFlag = re.IGNORECASE) -> tuple[re.Pattern[str], ...]:
    """Each line of a table compiled alone, held to no boundary."""
    return tuple(re.compile(each, flags) for each in _free(table, where))


@cache
def keyed_patterns(
    table: str, *, flags: re.RegexFlag = re.IGNORECASE, whole_words: bool = True
) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a table by their keys; with `whole_words` between boundaries where a language has them."""
    written: dict[str, list[str]] = {}
    for folder in folders():
        for key, found in keyed(table, folder).items():
            each = "|".join(found)
            is_held = whole_words and has_whole_words(folder)
            written.setdefault(key, []).append(rf"\b(?:{each})\b" if is_held else each)
    return {key: re.compile("|".join(each), flags) for key, each in written.items()}


def _free(table: str, where: tuple[str, ...]) -> Iterator[str]:
    for folder in where or folders():
        for line in _written_out(table, folder):
            yield line.removeprefix(ANYWHERE)


def _written_out(table: str, folder: str) -> tuple[str, ...]:
    return tuple(_with_parts(line, table, folder) for line in _lines(table, folder))


def _with_parts(line: str, table: str, folder: str) -> str:
    """A pattern with its parts: `{me}` is of its file's [parts], `{technical.names}` the words of another table."""

    def part(match: re.Match[str]) -> str:
        name = match[1]
        return "|".join(sorted(words(name))) if "." in name else _parts(table.partition(".")[0], folder)[name]

    return _PART.sub(part, line)


@cache
def _parts(file: str, folder: str) -> Mapping[str, str]:
    parts: dict[str, str] = {}
    for line in _lines(f"{file}.{PARTS}", folder):
        name, written = _split(line, ": ")
        parts[name] = _PART.sub(lambda match: parts[match[1]], written)
    return parts


def _split(line: str, between: str) -> tuple[str, str]:
    before, found, behind = line.rpartition(between) if between == " -> " else line.partition(between)
    if not found or not before.strip():
        raise ValueError(f"no{between}in {line!r:.60}")
    return before.strip(), behind.strip()


def _lines(table: str, folder: str) -> tuple[str, ...]:
    file, _, section = table.partition(".")
    return _file(file, folder).get(section, ())


@cache
def _file(name: str, folder: str) -> Mapping[str, tuple[str, ...]]:
    """The lines of each section of a file, without comments and blank lines."""
    from importlib.resources import files

    path = files(__name__).joinpath(folder, f"{name}.txt")
    found: dict[str, list[str]] = {}
    section = ""
    for raw in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        line = raw.strip()
        if heading := _SECTION.fullmatch(line):
            section = heading[1]
            if section in found:
                raise ValueError(f"{folder}/{name}.txt: [{section}] stands twice")
            found[section] = []
        elif line and not line.startswith("#"):
            found[section].append(line)
    return {section: tuple(each) for section, each in found.items()}
