"""Times as RFC 3339 text, computed: the pure half has no clock and no calendar to import."""


def rfc3339(seconds: int) -> str:
    """Write seconds since 1970 as `2026-01-31T12:00:00Z`."""
    days, rest = divmod(seconds, 86_400)
    year, month, day = _civil(days)
    hour, minute, second = rest // 3600, rest // 60 % 60, rest % 60
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"


def _civil(days: int) -> tuple[int, int, int]:
    """Turn days since 1970 into a date, counting years from March so leap days come last.

    https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    """
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    march_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * march_month + 2) // 5 + 1
    month = march_month + 3 if march_month < 10 else march_month - 9
    year = year_of_era + era * 400 + (1 if month <= 2 else 0)
    return year, month, day
