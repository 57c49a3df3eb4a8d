"""What holds in every game, whatever the rules, the deck, the seats, the luck and the bots."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given, settings

from skate_sim.simulation import Plan
from tests.rules import Told
from tests.rules.counter import CardCounter
from tests.rules.variants import plans, told

#: The same examples on every machine and in every run.
fixed = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def ended_by(game: Told, number: int) -> int:
    """The seat that ended a round."""
    (end,) = game.events("round_end", round=number)
    return end["seat"]


@fixed
@given(plans())
def test_cards_are_conserved(plan: Plan) -> None:
    """At every event each card is in exactly one place, and the piles have as many cards as they say."""
    for game in told(plan):
        counter = CardCounter(game.setup)
        for event in game.lines[1:]:
            counter.follow(event)
            assert counter.census() == counter.total
            assert sum(counter.sizes) == counter.in_piles()
        assert not any(counter.combos)
        assert counter.rewards == []


@fixed
@given(plans())
def test_score_identity(plan: Plan) -> None:
    """Prestige is what the validated cards and the helmets kept are worth, part by part."""
    for game in told(plan):
        counter, cards = CardCounter(game.setup), game.setup["cards"]
        for event in game.lines[1:]:
            counter.follow(event)
        for seat in game.end:
            worth = Counter()
            for card, count in counter.validated[seat["seat"]].items():
                worth[cards[card]["kind"]] += cards[card]["points"] * count
            parts = seat["tricks"], seat["legendaries"], seat["perfect_landing"]
            assert parts == (worth["trick"], worth["legendary"], worth["last_reward"])
            assert seat["helmets"] == seat["helmets_kept"] * game.setup["rules"]["helmet_points"]
            assert seat["prestige"] == sum(parts) + seat["helmets"]


@fixed
@given(plans())
def test_win_shares(plan: Plan) -> None:
    """The skaters with the most Prestige share the victory in equal parts; nobody else has any."""
    for game in told(plan):
        best = max(seat["prestige"] for seat in game.end)
        winners = [seat["seat"] for seat in game.end if seat["prestige"] == best]
        for seat in game.end:
            assert Fraction(seat["win_share"]) == (Fraction(1, len(winners)) if seat["seat"] in winners else 0)


@fixed
@given(plans())
def test_nobody_acts_after_falling_or_stopping(plan: Plan) -> None:
    """Who has fallen or stopped only takes or loses the reward, and ends the round."""
    for game in told(plan):
        for number in range(1, game.setup["rules"]["rounds"] + 1):
            out: set[int] = set()
            for event in game.events(round=number):
                if event["seat"] in out:
                    assert event["event"] in ("reward", "reward_lost", "round_end")
                if event["event"] in ("fall", "stop"):
                    out.add(event["seat"])
            assert out == set(range(len(game.end)))


@fixed
@given(plans())
def test_one_skater_ends_a_round(plan: Plan) -> None:
    """Of three or more it is the only one left standing; he stops without a further trick, and starts the next."""
    for game in told(plan):
        starter = game.setup["first_seat"]
        for number in range(1, game.setup["rules"]["rounds"] + 1):
            lines, ender = game.events(round=number), ended_by(game, number)
            first = next(e for e in lines if e["seat"] is not None)
            assert first["seat"] == starter
            leaving = [e["seat"] for e in lines if e["event"] in ("fall", "stop")]
            assert leaving[-1] == ender
            assert lines[-1]["event"] == "round_end"
            if len(game.end) > 2:
                assert [(e["event"], e["seat"]) for e in lines[-3:-1]] == [("stop", ender), ("reward", ender)]
                before = max(i for i, e in enumerate(lines) if e["event"] in ("fall", "stop") and e["seat"] != ender)
                assert len(lines) - before == 4
            starter = ender


@fixed
@given(plans())
def test_turns_go_clockwise(plan: Plan) -> None:
    """A turn begins with a trick that no Replay forces, or with Stop; it is that of the next skater standing."""
    for game in told(plan):
        seats = len(game.end)
        for number in range(1, game.setup["rules"]["rounds"] + 1):
            lines, turn = game.events("trick", "fall", "stop", round=number), None
            out: set[int] = set()
            for event in lines[:-1] if seats > 2 else lines:  # the last of three or more stops out of turn
                seat = event["seat"]
                if event["event"] == "stop" or (event["event"] == "trick" and not event["forced"]):
                    if turn is not None:
                        clockwise = ((turn + step) % seats for step in range(1, seats + 1))
                        assert seat == next(other for other in clockwise if other not in out)
                    turn = seat
                assert seat == turn
                if event["event"] != "trick":
                    out.add(seat)


@fixed
@given(plans())
def test_helmets_add_up(plan: Plan) -> None:
    """Helmets gained, minus those placed, plus those returned, are those kept; never more than there are."""
    for game in told(plan):
        rules = game.setup["rules"]
        supply = 10**6 if rules["helmet_supply"] == "unlimited" else rules["helmet_supply"]
        helmets: Counter[int] = Counter()
        placed: set[int] = set()
        for event in game.events("helmet", "fall", "stop"):
            seat = event["seat"]
            if event["event"] == "helmet":
                assert helmets[seat] > 0
                assert seat not in placed, "a second helmet in a combo"
                helmets[seat] -= 1
                placed.add(seat)
                continue
            if seat in placed:
                placed.remove(seat)
                returned = event["event"] == "fall" and rules["placed_helmet_on_fall"] == "returned"
                helmets[seat] += returned
                supply += not returned
            if event["event"] == "fall" and supply > 0:
                helmets[seat] += 1
                supply -= 1
        assert [seat["helmets_kept"] for seat in game.end] == [helmets[seat] for seat in range(len(game.end))]


@fixed
@given(plans())
def test_falls_are_of_three(plan: Plan) -> None:
    """A combo falls by the card that makes three of something, and no combo that is validated has three."""
    for game in told(plan, games=2):
        cards, rules = game.setup["cards"], game.setup["rules"]
        combos: dict[int, list[str]] = {seat["seat"]: [] for seat in game.end}
        worn: dict[int, str] = {}
        for event in game.events("trick", "helmet", "fall", "stop"):
            seat = event["seat"]
            if event["event"] == "trick":
                assert not reason(combos[seat], worn.get(seat), cards, rules), "played on after a fall"
                combos[seat].append(event["card"])
            elif event["event"] == "helmet":
                worn[seat] = event["colour"]
            else:
                found = reason(combos[seat], worn.get(seat), cards, rules)
                assert found == (event["reason"] if event["event"] == "fall" else "")
                combos[seat], worn = [], {s: c for s, c in worn.items() if s != seat}


def reason(combo: list[str], helmet: str | None, cards: dict, rules: dict) -> str:
    """Why a combo falls: nothing, colour, broken or both."""
    colours = Counter(cards[card]["colour"] for card in combo)
    safe = {helmet} if rules["grey_can_fall"] else {helmet, "grey"}
    by_colour = any(count >= 3 for colour, count in colours.items() if colour not in safe)
    by_broken = sum(cards[card]["broken"] for card in combo) >= 3
    return "both" if by_colour and by_broken else "colour" if by_colour else "broken" if by_broken else ""
