"""What the page says of variants that are compared: what they found first, then what was run, in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from skate_sim.digits import format_interval
from skate_sim.games import load as load_game
from skate_sim.policy import BotError
from skate_sim.report.bots import introduced
from skate_sim.report.tables import shown
from skate_sim.saving import FolderError
from skate_sim.variant_changes import value_word
from skate_sim.variant_games import games_in_words

if TYPE_CHECKING:
    from skate_sim.comparison_results import ComparisonAnswers
    from skate_sim.drawing import Drawing
    from skate_sim.policy import BotCode

#: Rows of a figure that are told to those who cannot see it.
_MOST_TOLD = 12


def compared(results: ComparisonAnswers) -> dict[str, Any]:
    """The page's words for a comparison, fresh or stored."""
    said, manifest = results.summary(), results.manifest()
    game = load_game(manifest["game"])
    own = [manifest["variants"][name] for name in manifest["variants"]]
    told = {finding.title for finding in said.tables}
    checks = [f"Checks that do not hold: {'; '.join(said.checks)}."] if said.checks else []
    lineups = len(manifest["lineups"] or [])
    turns = [f"Bots took turns in the seats: {lineups:,} lineups, each played equally often, so no seat favours one."]
    return {
        "name": results.name,
        "question": results.question,
        "findings": [*([game.notice] if game.notice else []), *said.findings],
        "sureness": [
            *said.sureness,
            *([said.precision] if said.precision else []),
            *(turns if lineups > 1 else []),
            *(checks or ["All checks of the sums hold in every variant."]),
        ],
        "tables": [shown(finding) for finding in said.tables],
        "more": [shown(finding) for finding in said.everything if finding.title not in told],
        "partial": results.partial,
        "game": game,
        "compared": {
            "seats": " or ".join(str(n) for n in sorted({its["seats"] for its in own})),
            "presets": {its["preset"]: game.presets[its["preset"]] for its in own},
            "games": results.games,
            "games_apart": games_in_words(results.games_by_variant) if _differ(results.games_by_variant) else "",
            "seed": manifest["seed"],
            "lineups": lineups,
            "version": manifest["versions"]["skate_sim"],
            "behaviour": manifest["behaviour_version"],
            "variants": [_variant(words, manifest["variants"][words.name]) for words in said.variants],
            "hidden": len(results.names) - len(said.variants),
        },
        "bots": list(_bots(results, manifest)),
    }


def _differ(games: Mapping[str, int]) -> bool:
    return len(set(games.values())) > 1


def _variant(words: Any, own: Mapping[str, Any]) -> dict[str, Any]:
    """A variant: in which it is not the baseline, and everything in which it is not as printed."""
    changes = [
        (where, _cell(change["from"]), "removed" if change["to"] is None else _cell(change["to"]))
        for where, change in own["changes"].items()
    ]
    return {"words": words, "changes": changes, "preset": own["preset"]}


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_word(one)}" for key, one in value.items())
    return "–" if value is None else value_word(value)


def _bots(results: ComparisonAnswers, manifest: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each bot of any variant: its name, its own words, its parameters with their meanings."""
    seats: dict[tuple[str, str, str], list[str]] = {}
    entries = {}
    names = [name for name in results.shown or results.names if name in manifest["variants"]]
    for name in names:
        for entry in manifest["variants"][name]["bots"]:
            key = (entry["name"], entry["fingerprint"], str(entry["parameters"]))
            seats.setdefault(key, []).append(name)
            entries[key] = entry
    for key, entry in entries.items():
        only = "" if len(seats[key]) == len(names) else f" (in {', '.join(seats[key])})"
        yield introduced(entry, _code(entry, manifest["game"])) | {"only": only}


def _code(entry: Mapping[str, Any], game: str) -> BotCode | None:
    """The bot's code, if it is still what was played."""
    from skate_sim.bot_files import find_code

    try:
        code = find_code(entry["path"] or entry["bot"], load_game(game))
    except (BotError, FolderError, OSError):
        return None
    return code if code.digest == entry["fingerprint"] else None


def alternative(drawing: Drawing) -> str:
    """What a figure shows, for those who cannot see it: its title, and the numbers of up to twelve rows."""
    table = drawing.table
    if drawing.kind == "edited_rows":
        cells = []
        for row in table.head(_MOST_TOLD).to_dict("records"):
            before = format_interval(row["before"], row["before_low"], row["before_high"], row["kind"])
            after = format_interval(row["value"], row["low"], row["high"], row["kind"])
            names = f"{row['label']}, {row['row']}"
            cells.append(f"{names}: {before} with {row['baseline']}, {after} with {row['variant']}")
    elif drawing.kind == "differences":
        scale = 100 if drawing.words["kind"] in ("share", "flag") else 1
        cells = []
        for row in table.head(_MOST_TOLD).to_dict("records"):
            mean, low, high = (scale * row[c] for c in ("difference", "low", "high"))
            number = format_interval(mean, low, high, "points")
            cells.append(f"{row['bot']}, {row['variant']} less {row['baseline']}: {number}")
    else:
        return drawing.title
    return f"{drawing.title}. With 95% intervals: {'; '.join(cells)}"
