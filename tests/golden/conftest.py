"""`pytest tests/golden --golden-update` writes the golden files anew: look at what `git diff` says of them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "files"
Compare = Callable[[str, Mapping[str, str]], str]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")


@pytest.fixture
def compare(request: pytest.FixtureRequest) -> Compare:
    """Return what differs between texts and the files in a folder of these names; or write those, and return ""."""

    def compared(folder: str, texts: Mapping[str, str]) -> str:
        place = FILES / folder
        frozen = {each.name: each.read_text("utf-8") for each in sorted(place.glob("*"))}
        if request.config.getoption("--golden-update", default=False):
            place.mkdir(parents=True, exist_ok=True)
            for name in frozen.keys() - texts.keys():
                (place / name).unlink()
            for name, text in texts.items():
                (place / name).write_text(text, "utf-8")
            return ""
        return "\n".join(
            line
            for name in sorted(frozen | texts)
            for line in difflib.unified_diff(
                frozen.get(name, "").split("\n"),
                texts.get(name, "").split("\n"),
                f"frozen {name}",
                f"now {name}",
                "",
                "",
                2,
                "",
            )
        )

    return compared
