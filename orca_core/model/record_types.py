"""A kind of record, described once by a frozen Struct: its columns, how a row is read and written, and what
history keeps follow from its fields. With it the names of records, times as they are stored, and causes of a state."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cached_property
from hashlib import blake2b
from string import ascii_lowercase
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Generic, Protocol, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct, field, to_builtins
from msgspec.structs import FieldInfo, fields, replace


def timestamp(at: datetime) -> str:
    """`2026-11-20T21:55:10.123456Z`. The time must be aware."""
    in_utc = at.astimezone(UTC).replace(tzinfo=None)
    return f"{in_utc.isoformat(timespec='microseconds')}Z"


def parse_timestamp(text: str) -> datetime:
    """What `timestamp` wrote."""
    return datetime.fromisoformat(text)


class Kind(Struct, frozen=True, order=True):
    """A kind of record. `name` is what is stored, `letter` what a block, a citation and a list of ids show."""

    name: str
    letter: str


MEMORY = Kind("memory", "m")
SUMMARY = Kind("summary", "s")
EPISODE = Kind("episode", "e")
KNOWLEDGE = Kind("knowledge", "k")
TASK = Kind("task", "w")
"""No search finds it and no answer cites it, but a block shows the current one."""
GUIDE = Kind("guide", "g")
"""What was learnt of one tool."""
CALL = Kind("call", "c")
"""A call of a tool: noted where an exchange with the memory agent shows it."""
ACTION = Kind("action", "a")
SUPPORT = Kind("support", "b")
"""Acts, and what speaks for a memory: found by no search, shown in no block."""


class Ref(Struct, frozen=True, order=True):
    """One record, wherever it is spoken of. Its text is what the model is shown: `m7`, `s41`."""

    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"{self.kind.letter}{self.id}"


def memory_ref(memory_id: int) -> Ref:
    return Ref(MEMORY, memory_id)


def summary_ref(summary_id: int) -> Ref:
    return Ref(SUMMARY, summary_id)


def plain_ref(ref: Ref) -> int | str:
    """A reference as JSON has it and a list shows it: a memory is a bare number, anything else its text."""
    return ref.id if ref.kind == MEMORY else str(ref)


class Kinds:
    """The kinds that are known: from what is stored or written back to their references. Raises ValueError where two
    could be taken for each other."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._all = tuple(kinds)
        self._by_letter = {kind.letter: kind for kind in self._all}
        self._by_name = {kind.name: kind for kind in self._all}
        if not len(self._by_letter) == len(self._by_name) == len(self._all):
            raise ValueError("two kinds share a name or a letter")
        for kind in self._all:  # `M7` is read as `m7`, `m21` as a memory: one small letter is told from any other
            if len(kind.letter) != 1 or kind.letter not in ascii_lowercase:
                raise ValueError(f"the letter of a kind is one from a to z, not {kind.letter!r}")

    @property
    def letters(self) -> str:
        return "".join(self._by_letter)

    def named(self, name: str) -> Kind:
        """A kind that is no longer registered keeps its name: what is stored of it can be read."""
        return self._by_name.get(name) or Kind(name, name)

    def ref(self, plain: int | str) -> Ref:
        """From `plain_ref`, or from a reference's own text."""
        if isinstance(plain, int):
            return Ref(MEMORY, plain)
        letter = plain.rstrip("0123456789")
        return Ref(self._by_letter.get(letter) or Kind(letter, letter), int(plain[len(letter) :]))


BUILT_IN_KINDS = Kinds((MEMORY, SUMMARY, EPISODE, KNOWLEDGE, TASK, GUIDE))
"""Those that a block may show."""


_SQL_TYPES = {bool: "INTEGER", int: "INTEGER", float: "REAL", bytes: "BLOB", str: "TEXT"}


class Codec(Struct, frozen=True):
    """A type's three forms: the value that code holds, the plain JSON value that history keeps, and the column. None
    where two of them are the same."""

    to_plain: Callable[[Any], Any] | None = None
    from_plain: Callable[[Any], Any] | None = None
    plain_to_column: Callable[[Any], Any] | None = None
    from_column: Callable[[Any], Any] | None = None

    def plain(self, value: Any) -> Any:
        return value if value is None or self.to_plain is None else self.to_plain(value)

    def value(self, plain: Any) -> Any:
        return plain if plain is None or self.from_plain is None else self.from_plain(plain)

    def column(self, plain: Any) -> Any:
        return plain if plain is None or self.plain_to_column is None else self.plain_to_column(plain)


def codec_of(annotation: Any) -> Codec:
    """How a type is stored. Raises TypeError for one that no column can hold."""
    annotation = _without_none(annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Mapping:
        return Codec(dict, None, to_json, msgspec.json.decode)
    if origin is tuple and inner[0] in (int, float, str):
        return Codec(list, tuple, to_json, msgspec.json.Decoder(annotation).decode)
    if annotation is bool:
        return Codec(plain_to_column=int, from_column=bool)
    if annotation is datetime:
        return Codec(timestamp, parse_timestamp, None, parse_timestamp)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return Codec(to_builtins, annotation, None, {each.value: each for each in annotation}.__getitem__)
    if annotation in _SQL_TYPES:
        return Codec()
    raise TypeError(f"no column holds {annotation}")


def sql_type_of(annotation: Any) -> str:
    """What its column is declared as; most is text."""
    return _SQL_TYPES.get(_without_none(annotation), "TEXT")


def is_optional(annotation: Any) -> bool:
    return _without_none(annotation) is not annotation


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    [inner] = [each for each in get_args(annotation) if each is not type(None)]
    return inner


def to_json(value: Any) -> str:
    """Compact, as it is stored."""
    return msgspec.json.encode(value).decode()


class Record(Protocol):
    """What every record has, whatever its kind: a number within it."""

    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=Record)

Values = Mapping[str, Any]
"""Fields of a record, by their columns."""

When = tuple[str, tuple[str, ...]]
"""A column and the values that it has then."""

NO_DEFAULT = object()
"""Of a column whose field has no default."""


class _ChangeableMark(Struct, frozen=True):
    pass


class Editable(Struct, frozen=True):
    """In `Annotated[…]`: a person writes the field. The option of `edit`, the entry of the form, the check and the word
    in history follow; where it `has_row`, a row of the record in full and a member of JSON, too. `name` is what it is
    called where it is given (else as the field), `option` on the command line, `what` in errors (else as its label);
    `most` counts characters, `most_items` the texts of a list. `field` and `type` are filled in by the type of
    record."""

    label: str
    help: str
    name: str = ""
    option: str = ""
    what: str = ""
    metavar: str = "TEXT"
    most: int = 2000
    most_items: int = 500
    is_needed: bool = False
    is_area: bool = False
    are_tags: bool = False
    has_row: bool = True
    field: str = ""
    type: Any = str

    @property
    def is_list(self) -> bool:
        """Whether it holds several texts."""
        return get_origin(self.type) is tuple


class StoredAs(Struct, frozen=True):
    """In `Annotated[…]`: the column is not called as the field is."""

    column: str


T = TypeVar("T")
Changeable: TypeAlias = Annotated[T, _ChangeableMark()]
"""The type of a field that an operation may change, and that history keeps: `weight: Changeable[float]`."""


class Column(Struct, frozen=True):
    """A column of a record's table, and the field that it holds: `path` leads to it. `default` is what the column holds
    in a record made before the field existed; NO_DEFAULT where the field has none."""

    name: str
    path: tuple[str, ...]
    codec: Codec
    is_changeable: bool
    sql_type: str
    is_optional: bool
    default: Any


class _Group(Struct, frozen=True):
    """Fields that stand together as a value of their own: columns `first` up to `end`."""

    first: int
    end: int
    make: Callable[..., Any]


class RecordType(Generic[R]):
    """A kind's table and fields. `text` is what a record is found by, embedded and shown as; `index` names the table of
    its words, where it is not called as the table. A search finds what is `live`; what is `embedded` gets a vector.
    `unmade` are the plain fields that a record has when its making is taken back: its row stays, for the making can be
    done again. None: it can't be taken back. No two records of a kind say the same where `is_text_unique`. `restarts`
    names the time from which a record's age counts: it becomes the operation's whenever a record is live again. A kind
    without `text` is found by no search. `part_of` names a column, and the table of what it points to: that is touched
    with every change of the record. `says` names the fields that are what a record says: the column `says` keeps their
    fingerprint, to tell whether it says what was read of it (`read_as`)."""

    def __init__(
        self,
        kind: Kind,
        record: type[R],
        table: str,
        *,
        text: str,
        unmade: Values | None,
        index: str = "",
        live: When | None = None,
        embedded: When | None = None,
        is_text_unique: bool = False,
        restarts: str = "",
        part_of: tuple[str, str] | None = None,
        says: tuple[str, ...] = (),
    ) -> None:
        assert unmade is None or unmade, f"a {kind.name} whose making is taken back must differ by a field"
        self.kind = kind
        self.index_name = index or table
        self.live = live
        self.embedded = embedded
        self.record = record
        self.table = table
        self.text_column = text
        self.is_text_unique = is_text_unique
        self.restarts = restarts
        self.part_of = part_of
        self.says = says
        self.unmade = unmade

    @cached_property
    def _layout(self) -> tuple[Sequence[Column], Sequence[_Group]]:
        """Read out of the fields at the first look: of most kinds a start asks for no row."""
        columns, groups = _columns_of(self.record)
        changeable = {column.name for column in columns if column.is_changeable}
        assert set(self.unmade or ()) <= changeable, f"no operation may change all of {self.unmade}"
        return columns, groups

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(self._layout[0])

    @cached_property
    def _groups(self) -> Sequence[_Group]:
        return self._layout[1]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def changeable(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.is_changeable)

    @cached_property
    def editable(self) -> Mapping[str, Editable]:
        """The fields that a person writes, by the names under which they are given."""
        found = {}
        for each in fields(self.record):  # type: ignore[arg-type]  # a record is a Struct
            inner, marks = _without_marks(each.type)
            for mark in marks:
                if isinstance(mark, Editable):
                    name = mark.name or each.name
                    found[name] = replace(mark, name=name, field=each.name, type=inner)
        return found

    def rows(self, record: R) -> list[tuple[Editable, Any]]:
        """The written fields that have a row and a member of their own, with what this record says there."""
        return [(each, getattr(record, each.field)) for each in self.editable.values() if each.has_row]

    @cached_property
    def _by_name(self) -> Mapping[str, Column]:
        return {column.name: column for column in self.columns}

    @cached_property
    def _read(self) -> Sequence[tuple[int, Callable[[Any], Any]]]:
        """The columns that do not hold their values as they are."""
        return [
            (place, column.codec.from_column)
            for place, column in enumerate(self.columns)
            if column.codec.from_column is not None
        ]

    def ref(self, record: R) -> Ref:
        return Ref(self.kind, record.id)

    @property
    def is_indexed(self) -> bool:
        """Whether a search finds its records."""
        return bool(self.text_column)

    @property
    def may_wait(self) -> bool:
        """Whether one may be a candidate, which a person is to decide about."""
        return "held_because" in self.names

    def text(self, record: R) -> str:
        return str(getattr(record, self.text_column))

    def made_at(self, record: R) -> datetime | None:
        """Its creation time, where it has one."""
        made_at = getattr(record, "created_at", None)
        assert made_at is None or isinstance(made_at, datetime)
        return made_at

    def fingerprint(self, record: R) -> str:
        """Of what it says: the same words have the same."""
        said = json.dumps(self.plain(record, self.says), ensure_ascii=False)
        return blake2b(said.encode(), digest_size=8).hexdigest()

    def from_row(self, row: Sequence[Any]) -> R:
        """A record from its columns, in their order."""
        values = list(row)
        for place, read in self._read:
            if values[place] is not None:
                values[place] = read(values[place])
        for group in self._groups:
            values[group.first : group.end] = [group.make(*values[group.first : group.end])]
        return self.record(*values)

    def to_row(self, record: R) -> dict[str, Any]:
        """Every column of a record, its id too."""
        plain = self.plain(record, self.names)
        return {column.name: column.codec.column(plain[column.name]) for column in self.columns}

    def plain(self, record: R, names: Sequence[str]) -> dict[str, Any]:
        """Some fields as plain JSON values."""
        return {name: self._by_name[name].codec.plain(self._value(record, self._by_name[name])) for name in names}

    def changeable_fields(self, record: R) -> dict[str, Any]:
        """What history keeps of a record when it is made: every field that an operation may change."""
        return self.plain(record, self.changeable)

    def changed(self, record: R, plain: Values, further: Values = MappingProxyType({})) -> R:
        """The record with these changeable fields, given as plain values, and with further ones as they are."""
        given: dict[str, Any] = dict(further)
        for name, each in plain.items():
            column = self._by_name[name]
            first, *within = column.path
            value = column.codec.value(each)
            if within:
                value = replace(given.get(first, getattr(record, first)), **{within[0]: value})
            given[first] = value
        return replace(record, **given)  # type: ignore[type-var]  # a record is a Struct

    def columns_from_plain(self, plain: Values) -> dict[str, Any]:
        """Fields as their columns hold them."""
        return {name: self._by_name[name].codec.column(value) for name, value in plain.items()}

    def _value(self, record: R, column: Column) -> Any:
        value: Any = record
        for step in column.path:
            value = getattr(value, step)
        return value


def _columns_of(record: type[Any]) -> tuple[list[Column], list[_Group]]:
    """The columns of a record's fields, and which of them stand together."""
    columns: list[Column] = []
    groups: list[_Group] = []
    for each in fields(record):
        inner, _marks = _without_marks(each.type)
        if not (isinstance(inner, type) and issubclass(inner, Struct)):
            columns.append(_column(each))
            continue
        parts = [_column(part, within=each.name) for part in fields(inner)]
        # Groups are put together in reading order: those before have become one value each.
        first = len(columns) - sum(group.end - group.first - 1 for group in groups)
        groups.append(_Group(first, first + len(parts), inner))
        columns += parts
    return columns, groups


def _column(each: FieldInfo, within: str = "") -> Column:
    annotation, marks = _without_marks(each.type)
    own = next((mark.column for mark in marks if isinstance(mark, StoredAs)), each.name)
    name, path = (f"{within}_{own}", (within, each.name)) if within else (own, (each.name,))
    is_changeable = any(isinstance(mark, _ChangeableMark) for mark in marks)
    codec, sql_type, may_be_none = codec_of(annotation), sql_type_of(annotation), is_optional(annotation)
    return Column(name, path, codec, is_changeable, sql_type, may_be_none, _default(each, codec))


def _without_marks(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """A field's type, and what is said beside it in `Annotated[…]`."""
    if get_origin(annotation) is not Annotated:
        return annotation, ()
    return annotation.__origin__, annotation.__metadata__


def _default(each: FieldInfo, codec: Codec) -> Any:
    """The default of a field as its column holds it."""
    if each.default is not NODEFAULT:
        return codec.column(codec.plain(each.default))
    return NO_DEFAULT if each.default_factory is NODEFAULT else codec.column(codec.plain(each.default_factory()))


STOPPED = "stopped"
"""The kind of a cause: somebody stopped it."""


class Cause(Struct, frozen=True):
    """What happened, and what can be done about it. The templates are message ids of the catalogue, as an error's
    are."""

    kind: str
    template: str
    hint_template: str = ""
    fields: dict[str, str | int | float] = field(default_factory=dict)

    def __str__(self) -> str:
        """What happened and what can be done about it, in English, as an error says it."""
        return f"{self.sentence} — {self.way_out}" if self.hint_template else self.sentence

    @property
    def sentence(self) -> str:
        """What happened, in English."""
        return self.template.format(**self.fields)

    @property
    def way_out(self) -> str:
        """What can be done about it, in English; empty where nothing can."""
        return self.hint_template.format(**self.fields)


def cause_of_sentence(sentence: str | None) -> Cause | None:
    """A cause with its sentence alone; None where there is no sentence."""
    return Cause("told", "{sentence}", fields={"sentence": sentence}) if sentence else None
