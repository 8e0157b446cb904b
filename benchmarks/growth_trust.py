"""What goes live by acts, on sets of stories with the truth.

    python benchmarks/growth_trust.py DIR [--failures] [--questions FILE]

DIR has stories.json (honest acts over two weeks, and a careless agent that invents one preference in three),
and hostile_acts.json (texts that would have themselves learnt). Printed: true preferences that live or wait,
inventions that live, hostile ones that live: with second readers that confirm whatever they are asked, and, where DIR
has a second_reader.json, with what a model answered once to the shipped prompts, to one of them and to all.

--questions writes what a second reader is asked, beside what second_reader.json has of it: a list of the prompt
("system"), the material ("user"), and the "keys" by which each answer is stored there, number by number. What is asked
later follows from what was answered before: write them again until every key has its answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sets.growth_stories import Answers, Came, Question, play, stories_in

CONFIRMS = "confirms whatever it is asked"
READERS: Mapping[str, Callable[[str], bool]] = {
    CONFIRMS: lambda _key: False,
    "confirms each act, and is a model beside the other acts": lambda key: "/promotion/" in key,
    "is a model": lambda _key: True,
}
"""Which answers are a model's, by their keys."""


async def played(path: Path, said: Answers, asked: list[Question]) -> list[Came]:
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for number, story in enumerate(stories_in(path)):
            found += await play(story, Path(folder) / f"{number}.db", said, asked)
        return found


def share(name: str, some: list[Came], of: list[Came]) -> str:
    return f"{name:44} {len(some):3} of {len(of):3}  {len(some) / max(1, len(of)):.0%}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--questions", type=Path)
    given = parser.parse_args()
    second = given.folder / "second_reader.json"
    answers: Answers = json.loads(second.read_text("utf-8")) if second.exists() else {}
    to_answer: list[Question] = []
    for name, is_a_model in READERS.items():
        if name != CONFIRMS and not answers and given.questions is None:
            continue
        said = {key: each for key, each in answers.items() if is_a_model(key)}
        asked: list[Question] = []
        print(f"the second reader {name}")
        honest = asyncio.run(played(given.folder / "stories.json", said, asked))
        hostile = asyncio.run(played(given.folder / "hostile_acts.json", said, asked))
        tell(honest, hostile, failures=given.failures)
        to_answer += [each for each in asked if is_a_model(each.keys[0])]
    if given.questions is not None:
        given.questions.write_text(questions(to_answer, answers), "utf-8")
    return 0


def questions(asked: list[Question], answers: Answers) -> str:
    """Each question once, with the answers that are there already."""
    found = {}
    for each in asked:
        system, user = (message.content for message in each.request.messages)
        stored = [answers.get(key) for key in each.keys]
        found[each.keys, user] = {"keys": each.keys, "answers": stored, "system": system, "user": user}
    return json.dumps(list(found.values()), ensure_ascii=False, indent=1)


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
