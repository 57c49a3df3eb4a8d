"""Numbers as text, with no more digits than their intervals support."""

from __future__ import annotations

import math

#: Decimals of a number that has no uncertainty and may go on for ever, such as 1/3.
_EXACT_DECIMALS = 6
#: Above this ratio of the longer to the shorter side of an interval, "±" would hide that it is lopsided.
_LOPSIDED = 1.25


def digits_for(half_width: float) -> int:
    """Decimals that a number with an interval of this half width supports; negative: it ends in zeros.

    The rule of the Particle Data Group (*Review of Particle Physics*, introduction, "Rounding"): of the half
    width's first three digits, 100 to 354 keep two, 355 to 949 one, and 950 to 999 become 1000 and keep two.
    So the rounding never is more than a seventh of the half width.
    """
    if not math.isfinite(half_width) or half_width <= 0:
        return _EXACT_DECIMALS
    first, exponent = f"{half_width:.2e}".split("e")
    kept = 1 if 3.55 <= float(first) < 9.5 else 2
    carried = 1 if float(first) >= 9.5 else 0
    return kept - 1 - carried - int(exponent)


def format_interval(mean: float, low: float, high: float, kind: str = "share") -> str:
    """A number with its interval: ``26.31% ± 0.09``, or ``0.4% (0.1 to 1.2)`` when the sides are unlike.

    Parameters
    ----------
    kind : str
        Kind of the outcome: a share or a flag is shown in percent, anything else as it is.
    """
    percent = kind in ("share", "flag")
    if not math.isfinite(mean):
        return "–"
    mean, low, high = (100 * x if percent else x for x in (mean, low, high))
    sign = "%" if percent else ""
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{_plain(mean)}{sign} ± ?"
    decimals = digits_for((high - low) / 2)
    if high <= low:
        return f"{_plain(mean)}{sign} ± 0"
    sides = sorted((mean - low, high - mean))
    if sides[0] <= 0 or sides[1] / sides[0] > _LOPSIDED:
        return f"{fixed(mean, decimals)}{sign} ({fixed(low, decimals)} to {fixed(high, decimals)})"
    return f"{fixed(mean, decimals)}{sign} ± {fixed((high - low) / 2, decimals)}"


def interval_text(mean: float, low: float, high: float, kind: str) -> str:
    """A number with its interval; short where the number is at one end of it, as "0 (to 0.04)"."""
    if low < high and mean in (low, high):
        scale, sign = (100, "%") if kind in ("share", "flag") else (1, "")
        decimals = -math.floor(math.log10(scale * (high - low)))
        outwards = 0.5 * 10.0**-decimals
        end = f"to {fixed(scale * high + outwards, decimals)}"
        if mean == high:
            end = f"from {fixed(scale * low - outwards, decimals)}"
        return f"{scale * mean:g}{sign} ({end})"
    return format_interval(mean, low, high, kind)


def fixed(number: float, decimals: int) -> str:
    """A number with this many decimals; negative: zeros before the point. Never ``-0``."""
    rounded = round(number, decimals) + 0.0
    return f"{rounded:.{max(0, decimals)}f}"


def counted(number: int, thing: str) -> str:
    """How many things there are: ``1 game``, ``2,000 games``."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def whole(number: float, low: float, high: float) -> str:
    """A whole number out of a histogram from ``low`` to ``high``: beyond, it is known only as that much or more."""
    sign = "≤" if number < low else "≥" if number > high else ""
    return f"{sign}{number:.0f}"


def _plain(number: float) -> str:
    """A number without trailing zeros."""
    text = fixed(number, _EXACT_DECIMALS)
    return text.rstrip("0").rstrip(".")
