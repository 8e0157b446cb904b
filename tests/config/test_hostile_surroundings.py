"""Files that are none, paths that are none, values that hold what nobody can see: each is a sentence, and at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orca_core.config.config_file import home_of, parse_settings, read_settings
from orca_core.model.errors import ConfigError

UNDECODABLE = os.fsdecode(b"/tmp/caf\xe9")


def test_a_pipe_is_no_configuration(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    os.mkfifo(path)

    with pytest.raises(ConfigError, match=r"config\.toml: is no regular file"):
        read_settings({"ORCA_HOME": str(tmp_path)})


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/"])
def test_a_device_and_a_folder_are_no_configuration(path: str) -> None:
    with pytest.raises(ConfigError, match="is no regular file"):
        read_settings({}, Path(path))


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"ORCA_HOME": UNDECODABLE}, r"\$ORCA_HOME names no folder that can be used \(its bytes are not UTF-8\)"),
        ({"ORCA_HOME": "~nosuchuser/x"}, r"\$ORCA_HOME names no folder that can be used \(there is no such user\)"),
        ({"ORCA_CONFIG": "~nosuchuser/x"}, r"\$ORCA_CONFIG names no folder"),
    ],
)
def test_a_path_that_is_none_is_a_sentence(environ: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_settings(environ)


def test_a_home_of_the_system_that_is_not_utf_8_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", UNDECODABLE)

    with pytest.raises(ConfigError, match=r"\$HOME names no folder that can be used"):
        home_of({})


PROVIDER = 'provider = "x"\n[x]\nmodel = "m"\nbase_url = '


@pytest.mark.parametrize(
    "text",
    [
        PROVIDER + '"https://example.org/\\u001b]0;x\\u0007"',
        PROVIDER + '"https://example.org/\\nv1"',
        PROVIDER + '"https://example.org/\\u202e"',
        PROVIDER + '"https://example.org:99999/v1"',
        PROVIDER + '"https://example.org/v1"\ntimeout = "5s"\napi_key_cmd = ["op\\u0000"]',
        'database = "/tmp/a\\u0000b"',
        "[keys]\nquit = 5",
        '[keys]\nquit = ["ctrl+q"]',
        '[keys]\nquit = "ctrl+q\\u001b"',
    ],
)
def test_what_nobody_can_see_and_no_text_is_refused(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_settings(text)

    assert str(caught.value).isprintable()
