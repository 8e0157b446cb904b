"""`orca config prompts`: what Orca says to a model is listed, shown, and replaced by files of the user's own."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from fakes.terminal import OrcaHome

import orca_core
from orca_core import prompts
from orca_core.config.file import NO_PROMPTS, OLD_PROMPTS
from orca_core.model.learning import Subject
from orca_tui.words.prompt_words import PROMPT_WORDS


def own(home: OrcaHome, name: str, text: str | bytes) -> Path:
    (home.path / "agents").mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home.path / "agents" / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o600)
    return path


def listed(home: OrcaHome) -> dict[tuple[str, str], dict[str, object]]:
    ran = home.orca("config", "prompts", "--json")
    return {(each["name"], each["language"]): each for each in ran.json["prompts"]}


def test_every_prompt_has_its_words_and_every_job_its_prompt() -> None:
    assert PROMPT_WORDS.keys() == prompts.names()
    assert set(prompts.REPLACEABLE) < prompts.names()


def test_what_can_be_replaced_is_read_by_a_job() -> None:
    text = "\n".join(path.read_text("utf-8") for path in Path(orca_core.__file__).parent.rglob("*.py"))

    by_name = [name for name in prompts.REPLACEABLE if not name.startswith("verifier_")]
    assert [name for name in by_name if f'"{name}"' not in text] == []
    assert 'f"{FRAME}_{subject.value}"' in text
    criteria = {name for name in prompts.names() if name.startswith("verifier_")}
    assert criteria <= {f"verifier_{each}" for each in Subject}
    assert criteria <= set(prompts.REPLACEABLE)


def test_a_former_prompt_is_one_that_there_is_no_more_and_names_one_that_is_read() -> None:
    assert (OLD_PROMPTS.keys() | NO_PROMPTS).isdisjoint(prompts.names())
    assert set(OLD_PROMPTS.values()) <= set(prompts.REPLACEABLE)


@pytest.mark.parametrize(
    ("name", "language", "told"),
    [
        ("second_reader.md", "C.UTF-8", "second_reader.md is no longer read, verifier.md is"),
        ("second_reader.zh.md", "zh_CN.UTF-8", "second_reader.zh.md 不再读取，现在读取的是 verifier.zh.md"),
        ("promotion_reader.md", "C.UTF-8", "promotion_reader.md is no longer read, verifier_feedback.md is"),
        ("cue_writer.zh.md", "zh_CN.UTF-8", "cue_writer.zh.md 不再读取"),
    ],
)
@pytest.mark.parametrize("config", [None, "profile = 'me'\n"])
def test_one_s_own_prompt_of_a_former_name_is_told_at_each_start_and_by_the_doctor(
    home: OrcaHome, name: str, language: str, told: str, config: str | None
) -> None:
    if config is not None:
        home.configure(config)
    own(home, name, "Judge them.")

    started = home.orca("memory", "list", LC_ALL=language)
    doctor = home.orca("doctor", LC_ALL=language)

    assert [line for line in started.stderr.splitlines() if told in line]
    assert told in " ".join(doctor.stdout.split())


def test_one_s_own_prompts_that_are_read_are_no_warning(home: OrcaHome) -> None:
    own(home, "verifier.md", "Judge them.")
    own(home, "notes.md", "About my prompts.")

    assert "no longer read" not in home.orca("memory", "list").stderr


def test_all_are_listed_with_what_they_are_for(home: OrcaHome) -> None:
    ran = home.orca("config", "prompts")

    assert ran.status == 0
    assert [line.split()[:3] for line in ran.stdout.splitlines()[:2]] == [
        ["memory_extractor", "en", "built-in"],
        ["memory_extractor", "zh", "built-in"],
    ]
    assert "memory_block" in ran.stdout
    assert f"{home.path}/agents/NAME.LANGUAGE.md" in ran.stderr
    assert ran.stdout == home.orca("config", "prompts", "list").stdout
    assert {name for name, _language in listed(home)} == prompts.names()
    assert "记" in home.orca("config", "prompts", LANG="zh_CN.UTF-8").stdout


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        ({}, {"en": None, "zh": None}),
        ({"summarizer.md": "all {max_words}"}, {"en": "summarizer.md", "zh": "summarizer.md"}),
        ({"summarizer.zh.md": "中文 {max_words}"}, {"en": None, "zh": "summarizer.zh.md"}),
        (
            {"summarizer.md": "all {max_words}", "summarizer.zh.md": "中文 {max_words}"},
            {"en": "summarizer.md", "zh": "summarizer.zh.md"},
        ),
        ({"summarizer.md": "  \n"}, {"en": None, "zh": None}),
        ({"memory_block.md": "mine"}, {"en": None, "zh": None}),
    ],
)
def test_which_file_counts(home: OrcaHome, files: dict[str, str], counts: dict[str, str | None]) -> None:
    for name, text in files.items():
        own(home, name, text)

    found = listed(home)

    for language, name in counts.items():
        path = found["summarizer", language]["path"]
        assert path == (None if name is None else str(home.path / "agents" / name))
        shown = home.orca("config", "prompts", "show", "summarizer", "--language", language).stdout
        expected = prompts.builtin(f"summarizer.{language}") if name is None else files[name]
        assert shown.strip() == expected.strip()


def test_what_ones_own_lacks_is_one_clear_line(home: OrcaHome) -> None:
    path = own(home, "memory_extractor.md", "Read it. {tags}")

    for arguments in (["config", "prompts"], ["config", "prompts", "show", "memory_extractor"]):
        ran = home.orca(*arguments)
        told = [line for line in ran.stderr.splitlines() if " lacks {" in line]
        assert (ran.status, len(told)) == (0, 1)
        assert f"{path} lacks {{max_chars}} {{max_facts}}" in told[0]
    [check] = [each for each in home.orca("doctor", "--json").json["checks"] if each["name"] == "prompts"]
    assert (check["state"], "{max_facts}" in check["evidence"][0]["text"]) == ("warn", True)


def test_one_that_can_not_be_read_is_one_line(home: OrcaHome) -> None:
    own(home, "summarizer.md", b"\xff\xfe\xff")

    ran = home.orca("config", "prompts", "show", "summarizer")

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "summarizer.md: can't be read" in ran.stderr
    assert listed(home)["summarizer", "en"]["problem"] is not None


def test_hostile_words_of_ones_own_reach_the_terminal_clean(home: OrcaHome) -> None:
    own(home, "summarizer.md", "clip\x1b]52;c;ZXZpbA==\x1b\\ \u202egpj {max_words}\n[link=x]")

    ran = home.orca("config", "prompts", "show", "summarizer")

    assert not {"\x1b", "\u202e"} & set(ran.stdout)
    assert "[link=x]" in ran.stdout


def test_a_copy_is_private_and_never_written_over(home: OrcaHome) -> None:
    ran = home.orca("config", "prompts", "copy", "summarizer", "--json")

    written = [Path(each) for each in ran.json["written"]]
    assert [each.name for each in written] == ["summarizer.en.md", "summarizer.zh.md"]
    assert {stat.S_IMODE(each.stat().st_mode) for each in written} == {0o600}
    assert stat.S_IMODE(written[0].parent.stat().st_mode) == 0o700
    assert written[1].read_text("utf-8").strip() == prompts.builtin("summarizer.zh")

    written[0].write_text("mine {max_words}", "utf-8")
    refused = home.orca("config", "prompts", "copy", "summarizer", "--language", "en")
    assert (refused.status, "--force" in refused.stderr) == (2, True)
    assert written[0].read_text("utf-8") == "mine {max_words}"
    assert home.orca("config", "prompts", "copy", "summarizer", "--language", "en", "--force").status == 0
    assert written[0].read_text("utf-8").strip() == prompts.builtin("summarizer.en")


def test_a_link_is_not_written_through(home: OrcaHome, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (home.path / "agents").mkdir(mode=0o700, parents=True)
    (home.path / "agents" / "summarizer.en.md").symlink_to(tmp_path / "mine")

    ran = home.orca("config", "prompts", "copy", "summarizer", "--language", "en", "--force")

    assert (ran.status, (tmp_path / "mine").read_text()) == (2, "mine")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "nope"], "there is no prompt nope"),
        (["show", "../../etc/passwd"], "there is no prompt"),
        (["show", "summarizer", "--language", "fr"], "summarizer has no text in fr — one of en, zh"),
        (["copy", "memory_block"], "memory_block can't be replaced"),
        (["copy", "summarizer", "--language", "../x"], "has no text in"),
        (["edit", "summarizer"], "there is no terminal for an editor"),
    ],
)
def test_what_can_not_be_is_one_line_and_status_2(home: OrcaHome, arguments: list[str], complaint: str) -> None:
    ran = home.orca("config", "prompts", *arguments)

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert complaint in ran.stderr


def test_editing_begins_with_the_built_in_text(home: OrcaHome, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\ncat "$1" > "$1.seen"\nprintf "mine {max_words}" > "$1"\n')
    editor.chmod(0o700)

    with home.at_a_terminal("config", "prompts", "edit", "summarizer", VISUAL=str(editor)) as typist:
        assert typist.end() == 0

    path = home.path / "agents" / "summarizer.en.md"
    assert str(path) in typist.seen
    assert path.read_text("utf-8") == "mine {max_words}"
    assert path.with_name(f"{path.name}.seen").read_text("utf-8").strip() == prompts.builtin("summarizer.en")
    assert listed(home)["summarizer", "en"]["source"] == "own"
