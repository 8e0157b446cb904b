"""Numbers of telephones and accounts, told by their shape from dates, versions, amounts and rows of numbers."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly

from orca_core.rules.text.numerals import has_grouped_digits


@pytest.mark.parametrize(
    "text",
    [
        "call me back on 0470 11 83 29",
        "0470-11-83-29",
        "0470.11.83.29",
        "06.12.34.56.78",
        "73315520",
        "sort code 20-44-91 acct 73315520",
        "座机0755-26001234",
        "020 7946 0958",
        "010 6552-9988",
        "13 88 42 07",
        "19-8804-2231",
        "2026-11-28 73315520",
        "ring 0161 496 0999.",
    ],
)
def test_somebodys_number_is_seen(text: str) -> None:
    assert has_grouped_digits(text)


@pytest.mark.parametrize(
    "text",
    [
        "born on 1990-05-03 at 18:30",
        "20260914",
        "14.09.2026",
        "14-09-2026 9:30",
        "09-14-2026",
        "2026 11 28",
        "2024-09-01 2025-06-30",
        "2019-2023",
        "2019 2021 2024",
        "from 2019-2021 and 2022-2024",
        "2026-09 2026-12",
        "192.168.10.20",
        "10.255.255.254:8080",
        "Chrome 120.0.6099.109",
        "1.21.4-20260914",
        "pi is 3.14159265",
        "52.520008 13.404954",
        "12,345,678 yuan",
        "12 345 678",
        "12.345.678",
        "12000000 users",
        "$12345678",
        "一共12345678元",
        "1200-1500",
        "10000-15000",
        "open 10-12 14-18",
        "sizes 36 38 40 42",
        "RTX 4090, 24 GB",
        "WH-1000XM5",
        "CVE-2024-123456",
        "GB 18030-2022",
        "ISO 9001:2015",
        "98101-1234",
        "02139-4307",
        "#12345678",
        "https://example.org/73315520",
        "width=12345678",
        "1.3.6.1.4.1.311",
        "550e8400-e29b-41d4",
        "sha 12345678ab",
        "1200x1600",
        "1920 1080",
        "",
    ],
)
def test_what_is_nobodys_is_not(text: str) -> None:
    assert not has_grouped_digits(text)


def test_no_text_takes_long() -> None:
    assert grows_linearly(has_grouped_digits, ["1", "1 ", "1-", "1.", "12/", "2026-11-28 ", "2026 ", "0"], 20_000)
