"""What the user's words change, though the model named nothing: only one value of one thing gives way to another."""

from __future__ import annotations

import pytest
from fakes.proposals import fact, learnt

from orca_core.domain.settling import Known
from orca_core.rules.learning.outcomes.settling import settle


@pytest.mark.parametrize(
    ("new", "quote", "old"),
    [
        ("User uses Postgres", "we moved everything to Postgres last week", "User uses MySQL"),
        ("User uses Helix", "it's Helix these days", "User uses Vim"),
        ("User's editor is Helix", "I switched to Helix", "User's editor is Vim"),
        ("User now works at Globex", "I work at Globex now", "User works at Acme"),
        ("User lives in Oslo", "I moved to Oslo", "User lives in Bern"),
        ("用户住在杭州", "我搬到杭州了", "用户住在上海"),
        ("用户的编辑器是 Helix", "编辑器换成 Helix 了", "用户的编辑器是 Vim"),
        ("用户改用 Postgres", "我们改用 Postgres 了", "用户用 MySQL"),
        ("User's team uses GitLab", "our team migrated from GitHub to GitLab", "User's team uses GitHub"),
        ("User's standup is at 10:00", "standup moved to 10", "User's standup is at 9:30"),
        ("User drives a Tesla", "I traded the Golf for a Tesla", "User drives a Golf"),
        ("User's phone is a Pixel 9", "I switched phones, it's a Pixel 9 now", "User's phone is an iPhone 14"),
        ("User is vegan", "I went vegan", "User is vegetarian"),
        ("User's manager is Ann", "my manager is Ann now", "User's manager is Bob"),
        ("用户现在用 pnpm", "我从 npm 换成 pnpm 了", "用户用 npm"),
        ("User writes Rust", "I switched from Go to Rust", "User writes Go"),
    ],
)
def test_a_change_that_is_told_takes_the_old_place(new: str, quote: str, old: str) -> None:
    assert settle(fact(new, quote), Known((learnt(1, old),))).supersedes == (1,)


@pytest.mark.parametrize(
    ("new", "quote", "old"),
    [
        ("User's cat Biscuit is deaf", "we got another cat, Biscuit, who is deaf", "User's cat Pixel is deaf"),
        ("User has a cat named Biscuit", "we adopted a cat named Biscuit", "User has a cat named Pixel"),
        ("User now drinks tea in the office", "I now drink tea in the office", "User's office is in Berlin"),
        ("User is learning Rust", "I started learning Rust now", "User is learning Go"),
        ("User now also uses Helix", "I now also use Helix", "User uses Vim"),
        ("User's sister moved to Oslo", "my sister moved to Oslo", "User lives in Bern"),
        ("User's sister lives in Oslo", "my sister moved to Oslo", "User's brother lives in Bern"),
        ("User's team uses Postgres", "our team switched to Postgres", "User uses MySQL for a side project"),
        ("User's staging server runs on Fly", "staging moved to Fly", "User's production server runs on AWS"),
        ("User's work laptop is a ThinkPad", "my work laptop is now a ThinkPad", "User's laptop at home is a MacBook"),
        ("User got a dog named Rex", "we got a dog named Rex", "User has a dog named Max"),
        ("User started playing the cello", "I started playing the cello", "User plays the piano"),
        ("User joined a book club on Mondays", "I joined a book club on Mondays", "User has yoga on Tuesdays"),
        ("用户开始学韩语", "我开始学韩语了", "用户在学法语"),
        ("用户的妹妹搬到杭州了", "我妹妹搬到杭州了", "用户住在上海"),
        ("用户养了一只猫叫豆沙", "我又养了一只猫叫豆沙", "用户养了一只猫叫米糕"),
        ("用户现在晚上去健身房", "我现在晚上去健身房", "用户早上跑步"),
        ("用户周末改去爬山", "周末改去爬山了", "用户工作日坐地铁上班"),
        ("用户现在也喝咖啡", "我现在也喝咖啡", "用户喝茶"),
        ("用户买了一辆特斯拉", "我买了一辆特斯拉", "用户有一辆自行车"),
        (
            "User's daughter started at Lincoln school",
            "my daughter started at Lincoln school",
            "User's son goes to Grant school",
        ),
        (
            "User's meeting with Ann moved to Friday",
            "my meeting with Ann moved to Friday",
            "User's meeting with Bob is on Monday",
        ),
        (
            "User's dentist appointment moved to 5 May",
            "the dentist moved my appointment to 5 May",
            "User's doctor appointment is on 3 May",
        ),
        ("User bought a house in Porto", "we bought a house in Porto", "User lives in Lisbon"),
        ("User now works from home on Fridays", "I now work from home on Fridays", "User works at Acme"),
        ("User now works as a freelancer on Saturdays", "I now freelance on Saturdays", "User works as a nurse"),
        ("User now lives in Berlin during the week", "I now live in Berlin during the week", "User lives in Hamburg"),
        ("User's company moved to Oslo", "our company moved to Oslo", "User lives in Bern"),
        ("User's wife works at Globex", "my wife started at Globex", "User works at Acme"),
        ("User's favourite tea is oolong", "my favourite tea is oolong now", "User's favourite coffee is espresso"),
        ("User switched their blog to Hugo", "I moved my blog to Hugo", "User's docs site uses Sphinx"),
        ("User's API is now written in Go", "the API is now in Go", "User's frontend is written in TypeScript"),
        ("User's backup runs at 3 am now", "backup now runs at 3 am", "User's cron job runs at 5 am"),
        ("User speaks Spanish now", "I speak Spanish now", "User speaks German"),
        ("User now has two cats", "we now have two cats", "User has one dog"),
        ("User now takes 20 mg of iron daily", "I now take 20 mg of iron", "User takes 10 mg of zinc daily"),
        ("User's son is now 9", "my son is 9 now", "User's daughter is 7"),
        ("用户的儿子9岁了", "我儿子9岁了", "用户的女儿7岁"),
        ("用户的测试环境迁到了阿里云", "测试环境迁到阿里云了", "用户的生产环境在腾讯云"),
        ("用户的老婆换到了百度工作", "我老婆换到百度了", "用户在腾讯工作"),
        ("User uses pnpm", "I now use pnpm", "User uses cargo"),
        ("User uses pnpm", "we switched to pnpm", "User uses cargo"),
        ("User uses Redis", "we moved to Redis", "User uses Postgres"),
        ("User uses DuckDB", "I started using DuckDB", "User uses Postgres"),
        ("User's work project uses Postgres", "we moved to Postgres", "User's blog uses MySQL"),
        ("User uses Helix at work", "I switched to Helix", "User uses Vim at home"),
        ("User uses Helix", "my colleague switched to Helix", "User uses Vim"),
        ("User uses Helix", "I plan to switch to Helix", "User uses Vim"),
        ("User uses Helix", "should I switch from Vim to Helix?", "User uses Vim"),
        ("用户用 Rust", "我改用 Rust 了", "用户用 Python"),
        ("用户用 Helix", "我同事改用 Helix 了", "用户用 Vim"),
    ],
)
def test_what_stands_beside_is_left_alone(new: str, quote: str, old: str) -> None:
    assert settle(fact(new, quote), Known((learnt(1, old),))).supersedes == ()


@pytest.mark.parametrize(
    "quote",
    [
        "I live in Oslo",
        "I used to live in Oslo",
        "I plan to move to Oslo",
        "should I move to Oslo?",
        "he moved to Oslo",
    ],
)
def test_without_words_of_a_change_by_now_both_stay(quote: str) -> None:
    settled = settle(fact("User lives in Oslo", quote), Known((learnt(1, "User lives in Bern"),)))

    assert (settled.supersedes, [memory_id for memory_id, _ in settled.undecided]) == ((), [1])


def test_one_new_value_ends_all_that_exclude_each_other() -> None:
    known = (
        learnt(1, "User lives in Bern"),
        learnt(2, "User lives in Rome"),
        learnt(3, "User has lived through a flood"),
    )

    assert settle(fact("User lives in Oslo", "I moved to Oslo"), Known(known)).supersedes == (1, 2)


def test_what_a_person_keeps_is_only_proposed_to_be_changed() -> None:
    settled = settle(
        fact("User lives in Oslo", "I moved to Oslo"), Known((learnt(1, "User lives in Bern", pinned=True),))
    )

    assert settled.store is not None
    assert (settled.supersedes, settled.store.held_because, settled.store.would_replace) == (
        (),
        "contradicts_pinned",
        1,
    )


def test_of_several_that_the_words_may_turn_from_none_gives_way() -> None:
    known = (learnt(1, "User uses Vim"), learnt(2, "User uses Emacs"))
    settled = settle(fact("User uses Helix", "I switched to Helix"), Known(known))
    named = settle(fact("User uses Helix", "I switched from Emacs to Helix"), Known(known))

    assert (settled.supersedes, [memory_id for memory_id, _ in settled.undecided]) == ((), [1, 2])
    assert named.supersedes == (2,)


def test_earlier_words_turn_from_nothing_that_was_said_later() -> None:
    earlier = fact("User uses Helix", "I switched to Helix", rounds=(2,))

    assert settle(earlier, Known((learnt(1, "User uses Vim", (7,), "s"),))).supersedes == ()
