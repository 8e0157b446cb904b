"""docs/adding.md names files that there are, and shows code that the tests run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
RECIPES = (ROOT / "docs" / "adding.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`((?:orca_core|orca_tui|tests|docs|scripts)/[\w/.-]+)`", RECIPES)))
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", RECIPES, re.DOTALL) if "class UiSettings" not in block]


@pytest.mark.parametrize("path", NAMED)
def test_every_file_of_a_recipe_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    "block", BLOCKS, ids=["a pane", "a command", "a record", "its kind", "its view", "a kind of learning"]
)
def test_the_code_of_a_recipe_is_that_of_a_test(block: str) -> None:
    tests = "\n".join(
        (ROOT / path).read_text("utf-8") for path in NAMED if path.startswith("tests/") and path.endswith(".py")
    )

    for part in block.strip().split("\n\n\n"):
        assert part in tests


def test_the_recipe_of_a_setting_names_every_copy_of_the_example() -> None:
    recipe = RECIPES.partition("## A setting")[2].partition("\n## ")[0]

    for path in ROOT.glob("**/config.toml.example"):
        if not path.relative_to(ROOT).parts[0].startswith("."):
            assert f"`{path.relative_to(ROOT)}`" in recipe
