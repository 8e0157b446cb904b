"""The demo's cues: how one asks for what a memory speaks of, by a few rules."""

from __future__ import annotations

import json

from orca_core import words
from orca_core.rules.text.cues import MAX_CUES
from orca_core.rules.text.lexicon import concepts_of


def cues_for(content: str) -> tuple[str, ...]:
    """A question in each language for each thing that the memory speaks of: "which editor", "哪个编辑器"."""
    asked = [
        words.text("demo.cues", "which", language).format(named[0].split()[0].replace("_", " "))
        for concept in sorted(concepts_of(content))
        for language in words.languages()
        if (named := words.keyed("concepts.words", language).get(concept, ()))
    ]
    return tuple(dict.fromkeys(asked))[:MAX_CUES]


def answers_to(material: str) -> str | None:
    """The answer to a request for cues, as the memory agent's JSON; None where the material is of another kind."""
    try:
        asked = json.loads(material)
    except ValueError:
        return None
    if not isinstance(asked, dict) or asked.keys() != {"memories"}:
        return None
    rows = [{"id": row["id"], "cues": cues_for(str(row["text"]))} for row in asked["memories"]]
    return json.dumps({"memories": rows}, ensure_ascii=False)
