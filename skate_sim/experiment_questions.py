"""Checks of what an experiment asks beyond its games: the baseline, the precision, and what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from skate_sim.expectations import Expectation
from skate_sim.experiment_check import ExperimentError, Reporter, checked_bots, checked_players
from skate_sim.games import Game, choices_text
from skate_sim.observed import display_names
from skate_sim.precision import outcomes_with_precision

if TYPE_CHECKING:
    from skate_sim.experiment import Experiment
    from skate_sim.experiment_file import ExperimentFile


def check_questions(parsed: ExperimentFile, game: Game, each: Mapping[str, Experiment], report: Reporter) -> None:
    """Check them.

    Parameters
    ----------
    each : mapping of str to Experiment
        The variants, or the experiment itself under the name "".

    Raises
    ------
    ExperimentError
        The first mistake, with its line.
    """
    has_variants = "" not in each
    precision, valid = parsed.precision, outcomes_with_precision(game)
    if precision and precision.outcome not in ("", *valid):
        found = f"no outcome {precision.outcome!r} that precision can be asked of"
        raise report.error(("precision", "outcome"), f"{found}; {choices_text(precision.outcome, valid)}")
    if precision and precision.of == "differences" and not has_variants:
        raise report.error(("precision", "of"), "found differences but no variants; they are between variants")
    for number, expectation in enumerate(parsed.expect):
        if expectation.versus:
            wrong = _wrong_pair(expectation, game, parsed, report)
        else:
            wrong = _wrong(expectation, game, each, parsed.baseline or next(iter(each)))
        if wrong:
            key, message = wrong
            raise _error(report, number, key, message)


def _wrong_pair(e: Expectation, game: Game, parsed: ExperimentFile, report: Reporter) -> tuple[str, str] | None:
    """Key and message of a mistake in an expectation of one bot against another."""
    if parsed.pairs is None:
        return "versus", "found no pairs in the experiment; versus needs that section"
    if e.variant or e.difference or e.seat:
        return "versus", "found versus with a variant, a seat or a difference; it stands alone with outcome and bot"
    shares = [o.name for o in game.outcomes if o.name in game.headlines.values()]
    if e.outcome not in shares:
        return "outcome", f"found {e.outcome!r}; pairs are compared by {' or '.join(dict.fromkeys(shares))}"
    chosen = checked_bots(parsed, checked_players(parsed, game, report), game, report)
    bots = display_names({bot.identity: bot for bot in chosen}.values())
    for key, name in (("bot", e.bot), ("versus", e.versus)):
        if name not in bots or (key == "versus" and name == e.bot):
            return key, f"no bot {name!r} to compare; {choices_text(name, [b for b in bots if b != e.bot])}"
    return None


def _error(report: Reporter, number: int, key: str, message: str) -> ExperimentError:
    return report.error(("expect", number, key), message)


def _wrong(e: Expectation, game: Game, each: Mapping[str, Experiment], baseline: str) -> tuple[str, str] | None:
    """Key and message of a mistake in an expectation."""
    outcomes = {o.name: o for o in game.outcomes if o.axis is None and o.kind != "label"}
    if e.outcome not in outcomes:
        return "outcome", f"no outcome {e.outcome!r} to expect something of; {choices_text(e.outcome, outcomes)}"
    has_variants = "" not in each
    if has_variants and e.variant not in each:
        found = f"no variant {e.variant!r}" if e.variant else "found no variant, but the experiment has some"
        return "variant", f"{found}; {choices_text(e.variant, each)}"
    if not has_variants and (e.variant or e.difference):
        return "variant" if e.variant else "difference", "found no variants in the experiment; this needs them"
    if e.difference and e.variant == baseline:
        return "variant", f"found {baseline}, the baseline, which has no difference to itself; name another variant"
    experiment = each[e.variant]
    if outcomes[e.outcome].level == "game":
        wrong = "bot" if e.bot else "seat" if e.seat else ""
        return (wrong, f"{e.outcome} is of the game as a whole; leave out {wrong}") if wrong else None
    bots = display_names({bot.identity: bot for bot in experiment.bots}.values())
    if e.bot and e.bot not in bots:
        return "bot", f"no bot {e.bot!r}; {choices_text(e.bot, bots)}"
    if e.seat and e.seat > experiment.players:
        return "seat", f"found {e.seat}; seats are 1 to {experiment.players}"
    if not e.bot and not e.seat:
        return "outcome", f"{e.outcome} is of a bot; name it, as in bot: {bots[0]}, or a seat"
    return None
