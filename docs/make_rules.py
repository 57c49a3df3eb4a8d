"""Write docs/rules.md: the rules as played, from the game's declarations and from the readings, which are written here.

Run ``python docs/make_rules.py`` after a change; a test compares the page with what this makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skate_sim import games
from skate_sim.games import Resolved
from skate_sim.games.skate_legend.cards import conditions

HEAD = """# Skate Legend: the rules as played

Two to five skaters chain tricks over four rounds. A skater who stops in time keeps the Prestige of his combo; one who falls
loses it, and takes a helmet instead. Most Prestige wins.

**Set up.** Shuffle the 120 Trick cards, deal one to each skater, and split the rest into two face-down piles. The reward
pile has three of the nine other Legendary Tricks at random, and Perfect Landing last; only its top card is known. A skater
drawn by lot begins.

**A turn** is one of two. *Do a trick*: add the top card of a pile, or a card of the hand, to the combo. Three cards of a
colour, or three broken skateboards, are a fall: the combo is lost, the skater takes a helmet and is out of the round. If
he stands, he may place a helmet on the card, which makes its colour harmless for this combo; then the card's effect is
obeyed: *Draw* takes a card from a pile into the hand, *Reveal* turns up the top card of a pile, *Replay* is another trick at
once. Or *stop*: validate the combo. Legendary Tricks whose condition the combo does not meet are lost, all else scores.

**A round ends** with the last skater standing, who takes the visible reward into his hand. At three and more skaters, he does
so at once, and validates his combo as it is; of two, he goes on alone until he stops or falls, and the reward is lost if he
falls. He begins the next round. Perfect Landing, in the last round, scores at once.

**In the end**, Prestige is the points of validated cards and 2 for each helmet left. Tied winners share the win.
"""
CARDS = """
## The cards

The printed values; an experiment may edit each of them (see [Edit a card](howto/edit_a_card.md)).
"""
SWITCHES = """
## Where the rules are open: switches

Where the booklet can be played in more than one way, the way is a switch. `rulebook` is the default, `online` follows the
published online adaptation; an experiment may set each switch by itself.
"""
FIXED = """
## Where the rules are silent: readings

Each has tests under its number, in `tests/test_readings.py`. Public are combos, the discard pile, face-up tops, sizes of piles
and hands, Legendaries in hands, helmets and validated cards; hidden are Trick cards in hands, piles, and rewards to come.
"""
READINGS = (
    """One Trick is dealt to each skater, once per game. Hands persist across rounds, have no limit, and score nothing at
    the end.""",
    "The rest is split into two face-down piles; with an odd count, pile 1 has the extra card.",
    """The reward pile is three of the nine other Legendaries at random, or as many as there are rounds before the last,
    and Perfect Landing last. Only its top card is known until it is taken.""",
    "The first skater is drawn at random; seats are clockwise.",
    "A trick is played from either pile (its top card, face up or down) or from the hand.",
    """A fall is at least three broken skateboards, or at least three cards of one of the four colours unless that colour
    is helmeted. It cancels the card's effect and every pending Replay.""",
    """On a fall the combo leaves (Tricks to the discard pile, Legendaries as the switch says), and the skater takes one
    helmet and is out of the round. A helmet gained in the last round still scores.""",
    """A helmet is placed on one's own turn, on the card just played, also on one played by a forced Replay; not on a grey
    card, once per combo, never in reaction to a fall. It makes its colour harmless for all cards of that colour in the
    combo, past and future. The card still counts for points, conditions and broken skateboards. The helmet is gone when
    the combo is validated.""",
    """Effects are mandatory and come after the helmet. Draw: one card from the pile of choice into the hand, face-up tops
    included; Hippy Jump chooses the pile for each of its two cards. Reveal: turns the top card of a pile that is not yet
    face up; nothing if both are. A revealed card stays face up, across rounds, until taken; the card below it is face
    down. Replay: another trick at once, and Stop is not allowed; effects of replayed cards are obeyed before the next
    pending Replay. If no card can be played, pending Replays lapse.""",
    "After the turn, play passes clockwise to the next skater still standing.",
    """Stop needs at least one card in the combo (a switch), except for the lone skater of a two-player game (a switch)
    and when nothing at all can be played.""",
    """Conditions are checked together on the whole combo, before any Legendary that does not meet its own is removed. All
    else is validated.""",
    """With three or more skaters, the moment one is left standing he ends the round: his combo, which may be empty, is
    validated, then he takes the reward into his hand. He gets no further turn.""",
    """With two, the lone skater chooses each turn between Stop (validate, take the reward) and another trick. If he
    falls, the visible reward is discarded: in the last round nobody gets Perfect Landing.""",
    """The next round is started by the skater who ended the round; with two, that is the lone skater, whether he stopped
    or fell.""",
    "Perfect Landing goes to the validated cards of the skater who ended the last round.",
    """When a pile becomes empty and the other has at least two cards, the other is split: its top part (rounded down)
    stays with its face-up card, its bottom part (rounded up) forms the empty pile, face down.""",
    """When both piles are empty and a card is needed for a trick, a Draw or a Reveal (a switch), the discard pile is
    shuffled into two new face-down piles. Combos in play, hands and validated cards stay out.""",
    """If nothing is left anywhere, piles cannot be chosen, Draw and Reveal do nothing, a Replay is obeyed from the hand or
    lapses, and with no hand the only action is Stop.""",
    """Prestige is the points of validated cards (Tricks, Legendaries whose condition was met, Perfect Landing) and 2 per
    helmet (a switch). Most Prestige wins; tied winners share: each of k has a win share of 1/k.""",
)


def page() -> str:
    """The whole page."""
    game = games.load("skate_legend")
    resolved = game.resolve(game, game.default_seats, None, {}, {})
    columns = ["Switch", "What it decides", *(f"`{name}`" for name in game.presets)]
    switches = [[f"`{s.name}`", s.help, *(_plain(s.presets[name]) for name in game.presets)] for s in game.switches]
    parts = [HEAD, CARDS, *_cards(resolved), SWITCHES, _table(columns, switches), FIXED, _readings()]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _cards(resolved: Resolved) -> Iterator[str]:
    """A table of the Trick cards, and one of the Legendary Tricks."""
    rows = {True: [], False: []}
    for key, card in resolved.tables["cards"].items():
        broken = "yes" if card["broken"] else ""
        row = [f"`{key}`", card["name"], card["colour"], str(card["points"]), broken, _effect(card)]
        is_trick = card["kind"] == "trick"
        rows[is_trick].append([*row, str(card["copies"]) if is_trick else _condition(card)])
    columns = ["id", "Name", "Colour", "Points", "Broken skateboard", "Effect"]
    yield _table([*columns, "Copies"], rows[True])
    yield _table([*columns, "Scores if the combo has at least"], rows[False])


def _effect(card: Any) -> str:
    if card["effect"] == "none":
        return ""
    return card["effect"].capitalize() + (f" ×{card['times']}" if card["times"] > 1 else "")


def _condition(card: Any) -> str:
    if card["kind"] == "last_reward":
        return "goes to whoever ends the last round"
    return " and ".join(conditions(card))


def _readings() -> str:
    """The readings, numbered."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(READINGS, 1)) + "\n"


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    Path(__file__).with_name("rules.md").write_text(page(), encoding="utf-8")
