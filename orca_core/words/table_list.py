"""Which tables there are, by file and section, and how each is read. A language's folder has all of them, or says in
`language.without` which it needs none of."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.words.reading import Kind

_W, _L, _C = Kind.WORDS, Kind.LINES, Kind.CHARACTERS
_S, _P = Kind.WORDINGS, Kind.PATTERNS

_FILES: Mapping[str, Mapping[str, Kind]] = {
    "language": {
        "matching": _L,
        "script": _P,
        "grammar": _W,
        "simplified": _W,
        "limits": Kind.KEYED_TEXTS,
        "without": _W,
    },
    "search": {
        "stop": _W,
        "stop_characters": _C,
        "weak_characters": _C,
        "asking": _S,
        "question": _S,
        "with_humps": _W,
        "aliases": Kind.SPELLINGS,
    },
    "concepts": {"words": Kind.KEYED_WORDS, "cased": Kind.KEYED_WORDS, "passed_over": _W},
    "technical": {
        "words": _W,
        "otherwise": Kind.KEYED_WORDS,
        "names": _W,
        "short_names": _W,
        "behind_names": _W,
        "leaning": _W,
        "phrases": _L,
        "misreadings": _W,
        "file_extensions": _W,
        "commands": _W,
        "html_tags": _W,
        "error_numbers": _W,
        "shapes": Kind.KEYED_PATTERNS,
        "names_in_use": Kind.KEYED_PATTERNS,
    },
    "wording": {
        **dict.fromkeys(
            (
                *("instruction", "preference", "answering", "working", "event", "project", "condition"),
                *("secret", "account_number", "url"),
            ),
            _P,
        ),
        "answering_tags": _W,
    },
    "comparing": {
        "weekdays": _S,
        "weekday_spellings": Kind.SPELLINGS,
        "referring": _S,
        "names": Kind.SPELLINGS,
        "spellings": Kind.SPELLINGS,
        "negation": _S,
        "persons_told": Kind.SPELLINGS,
        "phrasing": _S,
    },
    "time": {
        "sentences": Kind.KEYED_TEXTS,
    },
    "relative": {
        "days": Kind.KEYED_PATTERNS,
        "lasting": _P,
        "written_out": Kind.KEYED_TEXTS,
        **dict.fromkeys(("weekdays", "several_weekdays"), Kind.KEYED_PATTERNS),
    },
    "numbers": {
        "values": Kind.KEYED_WORDS,
        "units": Kind.KEYED_WORDS,
        "no_number": _P,
        "counters": _C,
        "months": Kind.KEYED_WORDS,
        "ordinal_endings": _S,
        "of_month": _S,
        "before_month": _S,
        "afternoon": _S,
        "half_past": _S,
        "before_afternoon": _S,
        "to_an_hour": _P,
        "otherwise": Kind.KEYED_PATTERNS,
    },
    "asserting": {
        **dict.fromkeys(("the_user_first", "to_the_assistant", "stock", "kinds", "risky"), _S),
        **dict.fromkeys(("named", "forbidden"), _P),
        "paraphrases": Kind.SPELLINGS,
        "generic": _W,
        "common": _W,
    },
    "ordinary": {"stems": _W},
    "places": {"places": _W},
    "consolidating": {"commands": _W, "persons": _P},
    "work": {
        "outcomes": Kind.KEYED_TEXTS,
        "told": Kind.KEYED_TEXTS,
        "noted": Kind.KEYED_TEXTS,
        "stock": _S,
        "keys": _P,
        "joins": Kind.KEYED_TEXTS,
        "sections": Kind.KEYED_WORDS,
        "speakers": Kind.KEYED_TEXTS,
        "tools": Kind.KEYED_TEXTS,
    },
    "summary": {"labels": Kind.KEYED_TEXTS, "marks": Kind.KEYED_TEXTS},
    "recall": {
        **dict.fromkeys(
            ("everything", "open", "open_of_mine", "remembering", "idiom", "past_work", "work_of_others"), _P
        ),
        **dict.fromkeys(
            (
                *("about_me", "not_about_me", "to_orca", "asks", "asks_else", "how_or_why", "habit_or_choice"),
                *("of_what_was_told", "to_be_told", "opening", "supposes", "sets_aside", "and_asks"),
            ),
            _S,
        ),
    },
    "remember": {
        **dict.fromkeys(
            ("to_the_end_of_the_line", "to_the_end_of_the_sentence", "command", "to_be_forgotten", "nothing_to_forget"),
            _P,
        ),
        **dict.fromkeys(
            (
                *("mentions_remembering", "mentions_forgetting", "opening", "not_meant", "text_at_hand", "courtesy"),
                *("favour", "asks", "only_points", "leading", "particles", "instead"),
                *("mine", "former", "present", "around", "people"),
            ),
            _S,
        ),
        "abbreviations": _W,
    },
    "demo": {
        **dict.fromkeys(
            (
                *("question", "first_person", "goes_on", "joins", "others", "says_nothing", "theirs", "wishes"),
                *("trouble", "works", "did"),
            ),
            _S,
        ),
        "knowledge": Kind.KEYED_TEXTS,
        "guides": Kind.KEYED_TEXTS,
    },
}

PARTS = "parts"
"""The section of a file that names pieces of its patterns: `{me}`."""

TABLES: Mapping[str, Kind] = {
    **{f"{file}.{section}": kind for file, sections in _FILES.items() for section, kind in sections.items()},
    **{f"{file}.{PARTS}": Kind.KEYED_PATTERNS for file in _FILES},
}
"""Every table, by its name."""
