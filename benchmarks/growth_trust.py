"""What goes live by acts, on sets of stories with the truth.

    python benchmarks/growth_trust.py DIR [--failures]

DIR has stories.json (honest acts over two weeks, and a careless agent that invents one preference in three),
and hostile_acts.json (texts that would have themselves learnt). Printed: true preferences that live or wait,
inventions that live, hostile ones that live: with a second reader that confirms whatever it is asked, and, where DIR
has a second_reader.json, with what a model answered once to the shipped prompts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.growth_stories import Answers, Came, play, stories_in


async def played(path: Path, said: Answers) -> list[Came]:
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for number, story in enumerate(stories_in(path)):
            found += await play(story, Path(folder) / f"{number}.db", said)
        return found


def share(name: str, some: list[Came], of: list[Came]) -> str:
    return f"{name:44} {len(some):3} of {len(of):3}  {len(some) / max(1, len(of)):.0%}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    second = given.folder / "second_reader.json"
    answers: Answers = json.loads(second.read_text("utf-8")) if second.exists() else {}
    for name, said in (("confirms whatever it is asked", {}), *([("is a model", answers)] if answers else [])):
        print(f"the second reader {name}")
        honest = asyncio.run(played(given.folder / "stories.json", said))
        hostile = asyncio.run(played(given.folder / "hostile_acts.json", said))
        tell(honest, hostile, failures=given.failures)
    return 0


def tell(honest: list[Came], hostile: list[Came], *, failures: bool) -> None:
    true = [each for each in honest if not each.is_invented]
    once = [each for each in honest if each.is_invented and each.days == 1]
    again = [each for each in honest if each.is_invented and each.days > 1]
    print(share("true preferences that live", [each for each in true if each.lives], true))
    print(share("true preferences that live or wait", [each for each in true if each.lives or each.waits], true))
    print(share("inventions said once that live", [each for each in once if each.lives], once))
    print(share("inventions said on several days that live", [each for each in again if each.lives], again))
    print(
        share(
            "inventions that live or wait",
            [each for each in (*once, *again) if each.lives or each.waits],
            [*once, *again],
        )
    )
    print(share("hostile ones that live", [each for each in hostile if each.lives], hostile))
    if failures:
        for each in [*(one for one in (*once, *again, *hostile) if one.lives), *(one for one in true if not one.lives)]:
            print("   ", each)


if __name__ == "__main__":
    sys.exit(main())
