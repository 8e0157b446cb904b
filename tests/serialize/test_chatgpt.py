"""ChatGPT's export: a tree of messages, and what of it is the person's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fakes.foreign_files import MARCH, conversation, entries, message
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.import_export import ForeignChat, ForeignText
from orca_core.serialize.foreign_entries import CHAT_CHARS, Node, path_to_the_end


def chat_in(document: object) -> ForeignChat:
    [chat] = [each for each in entries(document) if isinstance(each, ForeignChat)]
    return chat


def said_in(document: object) -> list[str]:
    return [each.text for each in chat_in(document).messages]


def texts_in(document: object) -> list[tuple[str, bool]]:
    return [(each.text, each.instructs) for each in entries(document) if isinstance(each, ForeignText)]


def test_a_chat_is_what_its_person_wrote_with_title_date_and_place() -> None:
    chat = chat_in([conversation([None, message("user", "I live in Rome"), message("assistant", "Nice")], "Moving")])

    [said] = chat.messages
    assert (chat.title, said.text, said.place) == ("Moving", "I live in Rome", '[0].mapping["node-1"]')
    assert said.said_at == datetime(2024, 3, 5, 12, 0, 0, 500_000, UTC)


def test_what_was_edited_away_is_not_read() -> None:
    chat = conversation([message("user", "first"), message("assistant", "a"), message("user", "last")])
    chat["mapping"]["edited"] = {"id": "edited", "message": message("user", "gone"), "parent": "node-1", "children": []}

    assert said_in([chat]) == ["first", "last"]


def test_without_a_last_message_named_the_latest_end_is_it() -> None:
    chat = conversation([message("user", "first"), message("user", "old", at=MARCH)], current_node=None)
    later = message("user", "new", at=MARCH + 60)
    chat["mapping"]["later"] = {"id": "later", "message": later, "parent": "node-0", "children": []}

    assert said_in([chat]) == ["first", "new"]
    assert said_in([{**chat, "current_node": "nowhere"}]) == ["first", "new"]


def test_a_parent_that_is_missing_is_a_root() -> None:
    chat = conversation([message("user", "first"), message("user", "last")])
    chat["mapping"]["node-0"]["parent"] = "lost"

    assert said_in([chat]) == ["first", "last"]


def test_of_several_roots_the_one_counts_that_leads_to_the_last_message() -> None:
    chat = conversation([message("user", "first"), message("user", "last")])
    chat["mapping"]["other"] = {"id": "other", "message": message("user", "alone"), "parent": None, "children": []}

    assert said_in([chat]) == ["first", "last"]


TREES = st.dictionaries(st.integers(0, 12), st.none() | st.integers(0, 14), max_size=12)


@given(TREES, st.none() | st.integers(0, 14))
def test_no_tree_is_walked_in_a_circle_and_each_step_leads_to_a_child(
    parents: dict[int, int | None], current: int | None
) -> None:
    nodes = {str(name): Node(None if parent is None else str(parent), None, "") for name, parent in parents.items()}

    path = path_to_the_end(nodes, None if current is None else str(current))

    assert len(set(path)) == len(path)
    assert all(nodes[after].parent == before for before, after in zip(path, path[1:], strict=False))
    assert bool(path) == bool(nodes)
    if current is not None and str(current) in nodes:
        assert path[-1] == str(current)
    # It begins where nothing leads further back, or where a circle closes.
    assert not path or nodes[path[0]].parent not in nodes or nodes[path[0]].parent in path


def test_what_the_assistant_put_down_is_read_on_every_branch() -> None:
    noted = message("assistant", "Lives in Rome.", recipient="bio")
    chat = conversation([message("user", "hello"), noted])
    again = message("assistant", "Has a cat.", recipient="bio")
    chat["mapping"]["beside"] = {"id": "beside", "message": again, "parent": "node-0", "children": []}

    assert texts_in([chat]) == [("Lives in Rome.", False), ("Has a cat.", False)]
    assert said_in([chat]) == ["hello"]


def test_the_list_of_memories_that_a_chat_was_begun_with_is_read() -> None:
    listed = message("assistant")
    listed["content"] = {"content_type": "model_editable_context", "model_set_context": "1. [2024-01-02]. Likes tea."}

    assert texts_in([conversation([listed])]) == [("1. [2024-01-02]. Likes tea.", False)]


def test_custom_instructions_are_read_where_either_kind_of_export_has_them() -> None:
    content = {
        "content_type": "user_editable_context",
        "user_profile": "The user said this of themselves:\n```I live in Rome```",
        "user_instructions": "And this of answers:\n```Be brief```",
    }
    old = {**message("user"), "content": content}
    standing = {"about_user_message": "I live in Bonn", "about_model_message": "Be kind"}
    new = {**message("system", ""), "metadata": {"user_context_message_data": standing}}

    assert texts_in([conversation([old, new])]) == [
        ("I live in Rome", False),
        ("Be brief", True),
        ("I live in Bonn", False),
        ("Be kind", True),
    ]


def test_only_words_of_the_person_are_read() -> None:
    spoken = {"content_type": "audio_transcription", "text": "I play the oboe", "direction": "in"}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    mixed = message("user", picture, "look", spoken)
    mixed["content"]["content_type"] = "multimodal_text"
    hidden = message("user", "hidden", metadata={"is_visually_hidden_from_conversation": True})
    code = {**message("user", "x = 1"), "content": {"content_type": "code", "text": "x = 1"}}
    others = [message(role, f"I am the {role}") for role in ("assistant", "system", "tool")]

    assert said_in([conversation([mixed, hidden, code, *others])]) == ["look\nI play the oboe"]


def test_of_a_long_message_and_of_a_long_chat_only_so_much_is_kept() -> None:
    [said] = said_in([conversation([message("user", "x" * 10_000_000)])])
    long_chat: Any = conversation([message("user", "y" * 19_000)] * (CHAT_CHARS // 19_000 + 50))

    assert len(said) == 20_000
    assert sum(map(len, said_in([long_chat]))) <= CHAT_CHARS + 20_000


def test_fields_of_wrong_kinds_are_passed_over() -> None:
    odd = message("user", "hello", at="soon", metadata=[1], author={"role": "user"})
    broken = [None, 5, "x", {"message": 5}, {"message": {"author": 5, "content": "x"}}, {"message": odd, "parent": 5}]
    chat = {"title": 5, "create_time": True, "mapping": {str(at): each for at, each in enumerate(broken)}}

    [said] = chat_in([chat]).messages

    assert (said.text, said.said_at) == ("hello", None)
