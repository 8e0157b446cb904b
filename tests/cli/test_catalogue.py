"""The catalogue holds every sentence of the interface, in Chinese, and the compiled file is the same."""

from __future__ import annotations

import re
import string
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import click
import pytest

import orca_tui
from orca_tui.language import LOCALE_FOLDER, language_of

PO = LOCALE_FOLDER / "zh" / "LC_MESSAGES" / "orca.po"
CHINESE = re.compile("[\u4e00-\u9fff]")


def load_script() -> ModuleType:
    path = Path(orca_tui.__file__).parent.parent / "scripts" / "catalogue"
    loader = SourceFileLoader("catalogue", str(path))
    spec = spec_from_loader("catalogue", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


catalogue = load_script()
ENTRIES = catalogue.parse_po(PO.read_text("utf-8"))
needed_sentences = cache(catalogue.needed_sentences)


def fields_of(sentence: str) -> set[str]:
    return {name for _text, name, _format, _conversion in string.Formatter().parse(sentence) if name is not None}


def test_every_sentence_of_the_interface_has_an_entry() -> None:
    assert sorted(set(needed_sentences()) - set(ENTRIES)) == []


def test_no_entry_is_for_a_sentence_that_nothing_says() -> None:
    assert sorted(set(ENTRIES) - set(needed_sentences()) - {""}) == []


def test_every_translation_is_chinese() -> None:
    assert [sentence for sentence, (_plural, said) in ENTRIES.items() if sentence and not CHINESE.search(said)] == []


def test_a_translation_keeps_the_fields() -> None:
    assert [sentence for sentence in ENTRIES if sentence and not keeps_its_fields(sentence)] == []


def keeps_its_fields(sentence: str) -> bool:
    """A plural may leave one out that the singular has no need of, and none is new."""
    plural, translation = ENTRIES[sentence]
    if plural is None:
        return fields_of(translation) == fields_of(sentence)
    return fields_of(translation) <= fields_of(sentence) | fields_of(plural)


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    assert PO.with_suffix(".mo").read_bytes() == catalogue.mo_bytes(ENTRIES)


def test_clicks_sentences_are_still_clicks() -> None:
    source = "".join(path.read_text("utf-8") for path in Path(click.__file__).parent.glob("*.py"))
    written = [ascii(sentence)[1:-1] for sentence in catalogue.CLICK_SENTENCES]

    assert [sentence for sentence in written if sentence not in source] == []


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ('_("said")', ["said"]),
        ('NAMES = {1: N_("later")}', ["later"]),
        ('raise InvalidInput(template="no {x}", hint="a" if x else "b", x=1)', ["no {x}", "a", "b"]),
        ('class A:\n    template: ClassVar[str] = "{x} is full"\n    hint_template = "wait"', ["{x} is full", "wait"]),
        ('Finding("database", "ok", "fine", "do this")', ["database", "fine", "do this"]),
        ('Check("database", run)', ["database"]),
        ('say.warns("fine", "do this", count=1)', ["fine", "do this"]),
        ('say.repaired("done", "it is made", count=1)', ["it is made"]),
        ("_(word)", []),
    ],
)
def test_sentences_are_found_where_they_are_said(source: str, sentences: list[str]) -> None:
    assert sorted(catalogue.sentences_of_source(source)) == sorted(sentences)


@pytest.mark.parametrize(
    ("environ", "chosen", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "auto", "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "auto", "en"),
        ({"LC_MESSAGES": "zh_TW", "LANG": "en_US.UTF-8"}, "auto", "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, "auto", "zh"),
        ({"LANG": "de_DE.UTF-8"}, "auto", "en"),
        ({}, "auto", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "en", "en"),
        ({}, "zh", "zh"),
    ],
)
def test_the_language_is_the_chosen_one_or_that_of_the_locale(
    environ: dict[str, str], chosen: str, language: str
) -> None:
    assert language_of(environ, chosen) == language
