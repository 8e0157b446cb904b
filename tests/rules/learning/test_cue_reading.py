"""How an answer is read that was asked for cues."""

from __future__ import annotations

import pytest

from orca_core.rules.learning.agent.cue_reading import read_cues


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ('{"memories": [{"id": 7, "cues": ["slow build"]}]}', {7: ["slow build"]}),
        ('{"memories": [{"id": "m7", "cues": ["slow build"]}, {"id": 8, "cues": []}]}', {7: ["slow build"], 8: []}),
        ('<think>{"memories": []}</think>Sure:\n```json\n[{"id": 7, "cues": ["a", 3]}]\n```', {7: ["a", 3]}),
        ('{"7": ["slow build"], "8": "one | two"}', {7: ["slow build"], 8: ["one", "two"]}),
        ('{"memories": {"7": ["slow build"]}}', {7: ["slow build"]}),
        ('{"id": 7, "cues": ["slow build"]}', {7: ["slow build"]}),
        ('{"memories": []}', {}),
        ('{"memories": [{"id": 7, "cues": ["whole"]}, {"id": 8, "cues": ["cut o', {7: ["whole"]}),
        ("I can't do that.", None),
        ('{"facts": []}', None),
        ('{"memories": [{"id": true, "cues": ["a"]}]}', None),
        ('{"memories": [{"name": "x"}]}', None),
        ("", None),
    ],
)
def test_an_answer_is_read_by_its_shape(answer: str, read: object) -> None:
    assert read_cues(answer) == read
