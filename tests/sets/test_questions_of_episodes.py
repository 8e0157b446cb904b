"""The questions of a set of episodes, and a model's answers to them, as a person hands them over."""

from __future__ import annotations

import json
from pathlib import Path

from sets.episodes import asked_in, careless, measured, recorded, records_of, sessions_of
from sets.questions import as_lines, texts_of

ROUNDS = [
    {"user": [{"text": "nginx answers 502 since the deploy", "source": "typed"}], "assistant": "hm"},
    {"user": [{"text": "raised the keepalive timeout. it works now", "source": "typed"}], "assistant": "good"},
]
EPISODE = {
    "trigger": "nginx answers 502 since the deploy", "target": "nginx", "steps": ["raised the keepalive timeout"],
    "outcome": "success", "outcome_quote": "it works now", "tags": [], "live": True, "why": "honest",
}  # fmt: skip
INVENTED = {**EPISODE, "steps": ["rebooted the box", "cleared the cache"], "live": False, "why": "invented"}
TOO_LONG = {**EPISODE, "trigger": "nginx " * 50}


def set_in(folder: Path, *episodes: dict[str, object]) -> Path:
    rows = [{"name": "web", "rounds": ROUNDS, "episodes": list(episodes)}]
    (folder / "episodes.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def answered(folder: Path, *says_so: bool) -> Path:
    said = [{"fact": number, "says_so": each, "words": "it works now"} for number, each in enumerate(says_so, 1)]
    path = folder / "answers.jsonl"
    path.write_text(json.dumps({"n": 1, "text": json.dumps({"answers": said})}) + "\n", encoding="utf-8")
    recorded_at, asked = folder / "recorded.jsonl", [question for question, _ in asked_in(folder)]
    recorded_at.write_text(as_lines(records_of(folder, asked, texts_of(path))), encoding="utf-8")
    return recorded_at


def test_a_question_is_the_verifier_s_own(tmp_path: Path) -> None:
    [(question, asked)] = asked_in(set_in(tmp_path, EPISODE))

    assert [question[key] for key in ("n", "set", "name", "part")] == [1, tmp_path.name, "web", "episodes"]
    assert "{criteria}" not in str(question["system"])
    assert [each["fact"] for each in json.loads(str(question["user"]))["facts"]] == [1, 2, 3]
    assert len(asked) == 3


def test_what_a_model_answers_decides(tmp_path: Path) -> None:
    folder = set_in(tmp_path, EPISODE, INVENTED)
    [sessions] = sessions_of(folder).values()
    every = (True, True, True, True, True, True, True)

    fooled = measured(sessions, recorded(answered(folder, *every)))
    assert (fooled.of, fooled.honest, len(fooled.lived), len(fooled.whole)) == (2, 1, 1, 1)
    in_part = measured(sessions, recorded(answered(folder, *every[:4], True, False, True)))
    assert (len(in_part.lived), in_part.whole, in_part.held) == (1, [], [])
    strict = measured(sessions, recorded(answered(folder, *[False] * 7)))
    assert (strict.lived, len(strict.held)) == ([], 1)


def test_by_its_truth_all_is_well_and_what_breaks_a_form_counts_as_held(tmp_path: Path) -> None:
    [sessions] = sessions_of(set_in(tmp_path, EPISODE, INVENTED, TOO_LONG)).values()

    found = measured(sessions)
    assert (found.lived, found.lost) == ([], [])
    assert [line.split(" · ")[1] for line in found.held] == ["too_long"]


def test_a_careless_one_errs_in_about_one_of_twenty(tmp_path: Path) -> None:
    folder = set_in(tmp_path, EPISODE)
    [(_question, [first, *_])] = asked_in(folder)
    errs = sum(not careless(seed)(first).says_so for seed in range(400))  # type: ignore[union-attr]

    assert 8 <= errs <= 36
