"""A third language is a folder: a handful of German words, and every rule that they are for honours them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from fakes.table_reader import problems

import orca_core

pytestmark = pytest.mark.long

GERMAN = {
    "language": """
        [matching]
        whole words
        [grammar]
        der die das und ist ich wir nicht mit ein eine welche welcher wo was mein meine auf
        [without]
        language.script language.simplified language.limits
        search.question search.stop_characters search.weak_characters
        technical.misreadings technical.otherwise technical.behind_names technical.shapes technical.names_in_use
        comparing time asserting relative numbers.afternoon numbers.half_past numbers.otherwise consolidating tooling importing demo summary work ordinary places
        wording.preference wording.answering wording.answering_tags wording.working wording.event wording.project wording.secret wording.account_number
        recall.everything recall.idiom recall.past_work recall.work_of_others recall.remembering recall.to_be_told recall.not_about_me recall.to_orca
        recall.asks recall.asks_else recall.how_or_why recall.habit_or_choice recall.of_what_was_told recall.opening
        recall.supposes recall.sets_aside recall.open recall.open_of_mine recall.and_asks
        remember.to_the_end_of_the_line remember.nothing_to_forget remember.to_be_forgotten remember.command
        remember.not_meant remember.text_at_hand remember.favour remember.around remember.abbreviations remember.asks
        remember.opening remember.courtesy remember.only_points remember.particles remember.mentions_forgetting
        remember.leading remember.instead remember.people remember.mine remember.former remember.present
        numbers.units numbers.no_number numbers.counters numbers.of_month numbers.before_afternoon numbers.to_an_hour
    """,
    "search": """
        [stop]
        der die das und ist ich welche welcher benutze
        [asking]
        weisst du noch
    """,
    "concepts": """
        [words]
        database: datenbank datenbanken
        pet: haustier katze
        [passed_over]
        katzenauge
    """,
    "technical": """
        [words]
        speicherleck rechenzentrum
        [leaning]
        rechner netz
        [phrases]
        offene schnittstelle
    """,
    "wording": """
        [instruction]
        ^(?:antworte|sprich) (?:immer|stets)\\b
        [condition]
        \\bfalls\\b
    """,
    "numbers": """
        [values]
        3: drei
        [months]
        5: mai
        10: oktober okt
        [ordinal_endings]
        \\.
        [before_month]
        im|seit
    """,
    "recall": """
        [about_me]
        ich|mein(?:e[nmrs]?)?|wir|unser(?:e[nmrs]?)?
    """,
    "remember": """
        [mentions_remembering]
        merke
        [to_the_end_of_the_sentence]
        (?:bitte )?merke dir,? dass[ ]
    """,
}
RULES = """
import json, sys
from orca_core.model.llm import Source, Span
from orca_core.rules.requests import question_signs, remember_and_forget
from orca_core.rules.memory.round_summaries import summarise_round
from orca_core.rules.learning import fact_extraction
from orca_core.rules.retrieval import ranking
from orca_core.rules.text import concepts, dates, numerals, search_terms, spelling
from orca_core import prompts
print(json.dumps({
    "language": spelling.language_of("Ich wohne nicht mit der Katze in Bonn"),
    "english": spelling.language_of("the cat is in the house"),
    "chinese": spelling.language_of("我家的猫在睡觉"),
    "stop words": sorted(search_terms.query_terms("Welche Datenbank ist das?").tokens),
    "concepts": sorted(concepts.concepts_of("Unsere Datenbank und meine Katze")),
    "passed over": sorted(concepts.concepts_of("Katzenauge")),
    "technical": question_signs.technical_signs("ein Speicherleck"),
    "leaning": question_signs.technical_signs("der Rechner ist nicht im Netz"),
    "instruction": remember_and_forget.remembered_type("Antworte immer kurz"),
    "condition": ranking.is_conditional("falls es regnet"),
    "remember": remember_and_forget.remember_request([Span("Bitte merke dir, dass ich in Bonn wohne.")]),
    "recall": question_signs.recall_question("Wo wohne ich?") is not None,
    "numbers": numerals.numbers_in("drei Katzen"),
    "dates": [dates.take_dates(text)[1] for text in ("am 3. Mai 2026", "seit Oktober", "May 3rd")],
    "limit": fact_extraction.max_fact_chars("de"),
    "label": summarise_round([Span("Ich wohne nicht in der Stadt")], "Gut.", 400).content.splitlines()[0],
    "prompt": prompts.builtin("summary.de") == prompts.builtin("summary.en"),
}))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the core with one more folder of words, and not a line of code changed."""
    copytree(
        Path(orca_core.__file__).parent,
        tmp_path / "orca_core",
        ignore=lambda _folder, names: {"__pycache__"} & {*names},
    )
    folder = tmp_path / "orca_core" / "words" / "de"
    folder.mkdir()
    for name, text in GERMAN.items():
        lines = [line.strip() for line in text.splitlines()]
        (folder / f"{name}.txt").write_text("\n".join(filter(None, lines)) + "\n", "utf-8")
    return tmp_path


def test_a_third_language_is_a_folder(place: Path) -> None:
    assert problems(place / "orca_core" / "words") == []

    done = subprocess.run(
        [sys.executable, "-c", RULES],
        env={**os.environ, "PYTHONPATH": str(place)},
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == {
        "language": "de",
        "english": "en",
        "chinese": "zh",
        "stop words": ["datenbank", "k_database"],
        "concepts": ["database", "pet"],
        "passed over": [],
        "technical": ["Speicherleck"],
        "leaning": ["Rechner", "Netz"],
        "instruction": "instruction",
        "condition": True,
        "remember": "ich in Bonn wohne",
        "recall": True,
        "numbers": ["3"],
        "dates": [["d_5", "d_5_3", "2026", "d_2026_5", "d_2026_5_3"], ["d_10"], ["d_5", "d_5_3"]],
        "limit": 200,
        "label": "User asked: Ich wohne nicht in der Stadt",
        "prompt": True,
    }
