"""Names and identifiers as tokens: whole, split, stemmed, under their other spellings."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text.search_terms import identifier_tokens, stem


@pytest.mark.parametrize(
    ("identifier", "tokens"),
    [
        ("running", {"run"}),
        ("Databases", {"databas"}),
        ("C++", {"c_plus_plus"}),
        ("c#", {"c_sharp"}),
        (".NET", {"dot_net", "net"}),
        ("node.js", {"node_js", "nodej", "node", "js", "javascript"}),
        ("3.11", {"3_11"}),
        ("3.11.4", {"3_11_4", "3_11"}),
        ("v1.2.3", {"1_2_3", "1_2"}),
        ("5433", {"5433"}),
        ("user_service", {"user_service", "user", "servic"}),
        ("getUserName", {"getusernam", "get", "user", "name"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("self-care", {"self_care", "self", "care"}),
        ("docker-compose", {"docker_compose", "docker", "compos"}),
        ("postgres16", {"postgres16", "postgr", "16"}),
        ("PostgreSQL", {"postgresql", "postgr"}),
        ("pg", {"pg", "postgr"}),
        ("K8s", {"k8s", "kubernet"}),
        ("nvim", {"nvim", "neovim"}),
        ("JavaScript", {"javascript"}),
        ("js", {"js", "javascript"}),
        ("GitHub", {"github"}),
        ("iPhone", {"iphon"}),
        ("IPv6", {"ipv6"}),
        ("2FA", {"2fa", "fa"}),
        ("user@example.com", {"user_example_com", "user", "example_com", "exampl", "com"}),
        ("/etc/nginx".lstrip("/"), {"etc_nginx", "etc", "nginx"}),
        (r"C:\Users", {"c_users", "c", "user"}),
        ("foo::bar", {"foo_bar", "foo", "bar"}),
        ("__init__", {"init"}),
        ("R", {"r"}),
    ],
)
def test_an_identifier_is_kept_and_split(identifier: str, tokens: set[str]) -> None:
    assert set(identifier_tokens(identifier)) == tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("postgres", "PostgreSQL"),
        ("Kubernetes", "k8s"),
        ("neovim", "nvim"),
        ("nodejs", "node.js"),
        ("database", "db"),
        ("VSCode", "vs_code"),
        ("snake_case", "snakeCase"),
        ("python3.11", "python"),
        ("golang", "Go"),
    ],
)
def test_two_spellings_of_a_name_meet(one: str, other: str) -> None:
    assert set(identifier_tokens(one)) & set(identifier_tokens(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("java", "JavaScript"), ("c", "C++"), ("c", "C#"), ("git", "GitHub"), ("11", "3.11"), ("sql", "MySQL")],
)
def test_names_that_only_hold_each_other_do_not_meet(one: str, other: str) -> None:
    assert not set(identifier_tokens(one)) & set(identifier_tokens(other))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("running", "run"),
        ("databases", "databas"),
        ("is", "is"),
        ("用户", "用户"),
        ("k8s", "k8s"),
        ("x" * 50, "x" * 50),
    ],
)
def test_only_english_words_have_a_stem(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.from_regex(r"\.?[A-Za-z0-9_]{1,8}([-./:@\\+#][A-Za-z0-9_]{1,8}){0,5}(\+\+|#)?", fullmatch=True))
def test_every_token_is_one_word(identifier: str) -> None:
    for token in identifier_tokens(identifier):
        assert re.fullmatch("[a-z0-9_]+", token)
