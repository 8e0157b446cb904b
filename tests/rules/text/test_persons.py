"""What is said of oneself is told of the user, by its beginning alone."""

from __future__ import annotations

import pytest

from orca_core.rules.text.spelling import in_the_third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I use vim", "User uses vim"),
        ("we deploy on Fridays", "User deploys on Fridays"),
        ("I'm a nurse", "User is a nurse"),
        ("I’m a nurse", "User is a nurse"),
        ("I've been to Rome", "User has been to Rome"),
        ("I have two cats", "User has two cats"),
        ("I also have a dog", "User also has a dog"),
        ("I do nights", "User does nights"),
        ("I go home at six", "User goes home at six"),
        ("I teach physics", "User teaches physics"),
        ("I study law", "User studies law"),
        ("I play chess", "User plays chess"),
        ("I usually drink tea", "User usually drinks tea"),
        ("I don't drive", "User does not drive"),
        ("I can't swim", "User can not swim"),
        ("I moved to Oslo", "User moved to Oslo"),
        ("I grew up in Lima", "User grew up in Lima"),
        ("my wife is a cellist", "User's wife is a cellist"),
        ("Our CI is Drone", "User's CI is Drone"),
        ("我用 vim", "用户用 vim"),
        ("我们在深圳", "用户在深圳"),
        ("我的猫叫豆腐", "用户的猫叫豆腐"),
        ("咱們的貓叫豆腐", "用户的貓叫豆腐"),
        ("我女儿三岁", "用户的女儿三岁"),
        # of another, or of nobody
        ("You use vim", "You use vim"),
        ("it is mine", "it is mine"),
        ("myself", "myself"),
        ("Iceland is cold", "Iceland is cold"),
        ("他用 vim", "他用 vim"),
        ("", ""),
    ],
)
def test_it_is_told_as_another_would_put_it(said: str, told: str) -> None:
    assert in_the_third_person(said) == told
