"""Orca's `dataclass` makes what the standard library's makes, only later."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import pytest

from orca_core.domain.dataclass import dataclass

T = TypeVar("T")
WAYS: list[dict[str, bool]] = [
    {},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "order": True},
]


def classes_of(make: Callable[..., Any], way: dict[str, bool]) -> tuple[type, type]:
    """A class, and one that inherits from it; the same whoever makes them."""

    @make(**way)
    class Point:
        """Where."""

        KINDS: ClassVar[int] = 2
        x: int
        y: int = 2
        seen: list[int] = field(default_factory=list, compare=False, repr=False)
        name: str = field(default="", kw_only=True)

        @property
        def sum(self) -> int:
            return self.x + self.y

    @make(**way)
    class Marked(Point):
        mark: str = "."

        def __repr__(self) -> str:
            return f"<{self.mark}>"

    return Point, Marked


@pytest.fixture(params=WAYS, ids=lambda way: "-".join(way) or "plain")
def both(request: pytest.FixtureRequest) -> tuple[tuple[type, type], tuple[type, type]]:
    return classes_of(dataclass, request.param), classes_of(dataclasses.dataclass, request.param)


def outcome(work: Callable[[], object]) -> object:
    """What comes of it, or what is raised."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # what is raised is compared, whatever it is
        return type(error), str(error)


ACTS: dict[str, Callable[[Any], object]] = {
    "made": lambda cls: repr(cls(1)),
    "made by name": lambda cls: repr(cls(x=1, y=3, name="n")),
    "made with too little": lambda cls: cls(),
    "made with too much": lambda cls: cls(1, 2, [], "a", "b", "c"),
    "made with what is no field": lambda cls: cls(1, z=3),
    "own default": lambda cls: cls(1).seen is cls(1).seen,
    "equal": lambda cls: (cls(1) == cls(1), cls(1) == cls(2), cls(1) != cls(1), cls(1) == 1),
    "not compared": lambda cls: cls(1, 2, [1]) == cls(1, 2, [2]),
    "hash": lambda cls: hash(cls(1)) == hash(cls(1)),
    "hash of its fields": lambda cls: hash(cls(1)),
    "in a set": lambda cls: len({cls(1), cls(1), cls(2)}),
    "less": lambda cls: cls(1) < cls(2),
    "assigned": lambda cls: setattr(cls(1), "x", 2),
    "deleted": lambda cls: delattr(cls(1), "x"),
    "has a dict": lambda cls: hasattr(cls(1), "__dict__"),
    "copied": lambda cls: copy.copy(cls(1, 5)).y,
    "copied deeply": lambda cls: copy.deepcopy(cls(1, 5, [7])).seen,
    "replaced": lambda cls: repr(dataclasses.replace(cls(1), y=9)),
    "as a dict": lambda cls: dataclasses.asdict(cls(1)),
    "as a tuple": lambda cls: dataclasses.astuple(cls(1)),
    "fields": lambda cls: [(f.name, f.type, f.kw_only, f.compare) for f in dataclasses.fields(cls)],
    "matched by place": lambda cls: cls.__match_args__,
    "a property": lambda cls: cls(1).sum,
    "a constant": lambda cls: cls(1).KINDS,
    "its words": lambda cls: cls.__doc__ if cls.__name__ == "Point" else None,
    "name of a method": lambda cls: cls.__init__.__qualname__,
    "as JSON": lambda cls: msgspec.json.encode(cls(1)),
}


@pytest.mark.parametrize("index", [0, 1], ids=["own", "inherited"])
@pytest.mark.parametrize("act", ACTS)
def test_does_what_the_standard_library_does(
    both: tuple[tuple[type, type], tuple[type, type]], act: str, index: int
) -> None:
    own, standard = both

    first, again = outcome(lambda: ACTS[act](own[index])), outcome(lambda: ACTS[act](own[index]))

    assert first == again == outcome(lambda: ACTS[act](standard[index]))


MAKERS = {"own": dataclass, "the library's": dataclasses.dataclass}


@pytest.mark.parametrize("above", MAKERS)
@pytest.mark.parametrize("is_frozen", [False, True])
@pytest.mark.parametrize("was_frozen", [False, True])
def test_what_inherits_from_a_data_class_is_what_the_library_makes(
    above: str, is_frozen: bool, was_frozen: bool
) -> None:
    def inherited(make_above: Callable[..., Any], make: Callable[..., Any]) -> object:
        @make_above(frozen=was_frozen)
        class Above:
            x: int

        @make(frozen=is_frozen)
        class Below(Above):
            y: int = 2

        return repr(Below(1)), Below(1) == Below(1), Below.__hash__ is None

    expected = outcome(lambda: inherited(dataclasses.dataclass, dataclasses.dataclass))

    assert outcome(lambda: inherited(MAKERS[above], dataclass)) == expected
    assert outcome(lambda: inherited(dataclass, MAKERS[above])) == expected


def with_own_assigning(make: Callable[..., Any]) -> object:
    @make(frozen=True)
    class Loose:
        x: int

        def __setattr__(self, name: str, value: object) -> None: ...

    return Loose(1)


def with_own_state(make: Callable[..., Any]) -> object:
    @make(frozen=True, slots=True)
    class Counting:
        x: int

        def __getstate__(self) -> int:
            return self.x + 1

        def __setstate__(self, state: int) -> None:
            object.__setattr__(self, "x", state)

    return copy.copy(Counting(1)).x


def looked_at(make: Callable[..., Any]) -> object:
    @make(frozen=True)
    class Seen:
        x: int
        y: int = 2

    return str(inspect.signature(Seen)), Seen.__init__.__annotations__, Seen.__doc__


def told_of(make: Callable[..., Any]) -> object:
    @make(frozen=True)
    class Seen:
        x: int

    return repr(Seen.__dataclass_params__)


def changed_before_its_first_use(make: Callable[..., Any]) -> object:
    @make
    class Changed:
        x: int

    def begin(self: Any, x: int) -> None:
        self.x = x + 1

    Changed.__init__ = begin
    return Changed(1), Changed(1)


def wrong_at_first(make: Callable[..., Any]) -> object:
    @make(frozen=True)
    class Picky:
        x: int

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError(self.x)

    return [outcome(lambda x=x: repr(Picky(x))) for x in (-1, -1, 1)]


@pytest.mark.parametrize(
    "work",
    [with_own_assigning, with_own_state, looked_at, told_of, changed_before_its_first_use, wrong_at_first],
    ids=lambda work: work.__name__,
)
def test_is_what_the_library_makes(work: Callable[[Callable[..., Any]], object]) -> None:
    expected, found = outcome(lambda: work(dataclasses.dataclass)), outcome(lambda: work(dataclass))

    assert str(found) == str(expected)


@pytest.mark.parametrize("slots", [False, True])
def test_nothing_frozen_is_assigned(slots: bool) -> None:
    own, _ = classes_of(dataclass, {"frozen": True, "slots": slots})

    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'z'"):
        own(1).z = 2


@dataclass(frozen=True, slots=True)
class Held(Generic[T]):
    value: T
    mark: str = ""


class Listed(Held[int]):
    """A subclass that is no data class."""

    def __init__(self, value: int) -> None:
        super().__init__(value, "l")


def test_is_pickled_and_read_from_json() -> None:
    assert pickle.loads(pickle.dumps(Held(1, "m"))) == Held(1, "m")
    assert msgspec.json.decode(b'{"value": 3}', type=Held[int]) == Held(3)


def test_a_subclass_begins_it() -> None:
    assert (Listed(4).value, Listed(4).mark) == (4, "l")


@dataclass
class Refused(ValueError):
    why: str


def test_an_error_is_a_data_class_too() -> None:
    with pytest.raises(Refused) as raised:
        raise Refused("no")

    assert raised.value == Refused("no")
    assert Refused.__hash__ is None


@dataclass(slots=True)
class Counted:
    ends: list[str]

    def __post_init__(self) -> None:
        self.ends.append("begun")


class CountedMore(Counted):
    def __post_init__(self) -> None:
        self.ends.append("begun by the heir")


def test_what_is_to_happen_at_the_end_of_a_beginning_happens() -> None:
    assert Counted([]).ends == ["begun"]
    assert CountedMore([]).ends == ["begun by the heir"]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way) or "plain")
def test_a_field_that_nobody_gives_has_its_default(way: dict[str, bool]) -> None:
    def made(make: Callable[..., Any]) -> type:
        @make(**way)
        class Counted:
            name: str
            seen: int = field(init=False, default=5)

        return Counted

    ours, theirs = made(dataclass)("a"), made(dataclasses.dataclass)("a")
    assert (ours.name, ours.seen) == (theirs.name, theirs.seen) == ("a", 5)
