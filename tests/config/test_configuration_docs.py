"""The documentation has every key with its default."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from orca_core.config.config_edit import example_text
from orca_core.settings import ProviderSettings, Settings

DOCS = (Path(__file__).parent.parent.parent / "docs" / "configuration.md").read_text(encoding="utf-8")


def fields(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, msgspec.structs.FieldInfo]]:
    for field in msgspec.structs.fields(kind):
        name = f"{path}.{field.name}" if path else field.name
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from fields(field.type, name)
        elif field.name != "providers":
            yield name, field


def keys(kind: type[msgspec.Struct]) -> Iterator[tuple[str, object]]:
    for name, field in fields(kind):
        yield name, field.default


def test_every_key_is_documented() -> None:
    wanted = [key for key, _ in keys(Settings)] + [f"<provider>.{key}" for key, _ in keys(ProviderSettings)]

    assert [key for key in wanted if f"| `{key}` |" not in DOCS] == []


def test_the_defaults_are_those_of_the_code() -> None:
    wrong = [
        (key, default)
        for key, default in keys(Settings)
        if isinstance(default, bool | int | str) and not key.endswith("_idle")
        if f"| `{key}` |" in DOCS
        and f"`{str(default).lower() if isinstance(default, bool) else repr(default).replace(chr(39), chr(34))}`"
        not in DOCS.split(f"| `{key}` |")[1].split("\n")[0]
    ]

    assert wrong == []


def test_every_key_stands_in_the_example() -> None:
    names = [key.rpartition(".")[2] for key, _ in (*keys(Settings), *keys(ProviderSettings))]

    assert [name for name in names if f"{name} =" not in example_text() and f"[{name}]" not in example_text()] == []


def test_every_number_has_both_limits() -> None:
    """The sentence for a number beyond them names both."""
    numbers = [
        (name, each)
        for kind in (Settings, ProviderSettings)
        for name, field in fields(kind)
        for each in parts(msgspec.inspect.type_info(field.type))
        if isinstance(each, msgspec.inspect.IntType | msgspec.inspect.FloatType)
    ]

    assert len(numbers) > 30
    assert [
        name for name, each in numbers if (each.ge is None and each.gt is None) or (each.le is None and each.lt is None)
    ] == []


def parts(kind: msgspec.inspect.Type) -> list[msgspec.inspect.Type]:
    if isinstance(kind, msgspec.inspect.Metadata):
        return parts(kind.type)
    return list(kind.types) if isinstance(kind, msgspec.inspect.UnionType) else [kind]
