"""Cheating around the turns: the piles, the end of a round, the setup, the scores, the transcript itself."""

from __future__ import annotations

from collections import Counter

from .. import readings
from .tools import Lines, cards_of_kind, changed, inserted, other_seat, starts_round, swapped, tampering, without

# Splits and reshuffles


@tampering("split", readings.SPLIT)
def split_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("split", readings.SPLIT)
def wrong_split_sizes(lines: Lines, at: int) -> Lines | None:
    first, second = lines[at]["sizes"]
    return changed(lines, at, sizes=[first + 1, second - 1])


@tampering("split", readings.SPLIT)
def smaller_part_moved(lines: Lines, at: int) -> Lines | None:
    first, second = lines[at]["sizes"]
    return changed(lines, at, sizes=[second, first]) if first != second else None


@tampering("split", readings.SPLIT)
def wrong_pile_split(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, pile=3 - lines[at]["pile"])


@tampering("split", readings.SPLIT)
def late_split(lines: Lines, at: int) -> Lines | None:
    return swapped(lines, at)


@tampering("split", readings.SPLIT, readings.FALL, readings.DRAW, readings.REVEAL, readings.REPLAY)
def split_twice(lines: Lines, at: int) -> Lines | None:
    goes_on = lines[at + 1]["event"] in ("trick", "fall", "draw", "reveal")
    return inserted(lines, at + 1, lines[at]) if goes_on else None


@tampering("reshuffle", readings.RESHUFFLE, readings.NOTHING_LEFT)
def reshuffle_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("reshuffle", readings.RESHUFFLE)
def wrong_reshuffle_sizes(lines: Lines, at: int) -> Lines | None:
    """As if one more card had been in the discard pile."""
    first, second = lines[at]["sizes"]
    return changed(lines, at, sizes=[first, second + 1] if first > second else [first + 1, second])


@tampering("reshuffle", readings.RESHUFFLE)
def late_reshuffle(lines: Lines, at: int) -> Lines | None:
    return swapped(lines, at)


@tampering("trick", readings.RESHUFFLE)
def reshuffle_with_cards_left(lines: Lines, at: int) -> Lines | None:
    first, second = lines[0]["piles"]
    reshuffle = {"event": "reshuffle", "round": 1, "seat": None, "sizes": [first, second]}
    return inserted(lines, at, reshuffle) if at == 1 and first else None


@tampering("draw", readings.UNSEEN)
def card_that_lies_elsewhere(lines: Lines, at: int) -> Lines | None:
    """A face-down card all of whose copies have been seen, and no reshuffle has brought any back."""
    if lines[at]["face_up"] or any(line["event"] == "reshuffle" for line in lines[:at]):
        return None
    turned_over = [
        line["card"]
        for line in lines[1:at]
        if line["event"] == "reveal"
        or (line["event"] in ("trick", "draw") and line.get("source") != "hand" and not line["face_up"])
    ]
    seen = Counter(turned_over + lines[0]["dealt"])
    for card in cards_of_kind(lines, "trick"):
        if seen[card] == lines[0]["cards"][card]["copies"]:
            return changed(lines, at, card=card)
    return None


# The end of a round


@tampering("reward", readings.LAST_STANDING, readings.PERFECT_LANDING)
def reward_to_another_seat(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("reward", readings.LAST_STANDING, readings.PERFECT_LANDING)
def hidden_reward_taken(lines: Lines, at: int) -> Lines | None:
    others = [card for card in lines[0]["rewards"] if card != lines[at]["card"]]
    return changed(lines, at, card=others[-1]) if others else None


@tampering("reward", readings.LAST_STANDING, readings.PERFECT_LANDING)
def reward_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("reward", readings.NEXT_STARTER)
def two_rewards(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at, lines[at])


@tampering("reward", readings.LAST_STANDING, readings.PERFECT_LANDING)
def reward_not_taken(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, event="reward_lost")


@tampering("reward_lost", readings.LONE_SKATER)
def reward_after_a_fall(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, event="reward")


@tampering("round_end", readings.NEXT_STARTER)
def round_ended_by_another_seat(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"]))


@tampering("round_end", readings.NEXT_STARTER)
def round_end_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("trick", readings.CLOCKWISE)
def wrong_starter(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seat=other_seat(lines, lines[at]["seat"])) if starts_round(lines, at) else None


@tampering("trick", readings.ROUND)
def wrong_round(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, round=lines[at]["round"] + 1)


# The setup


@tampering("setup", readings.DEAL)
def legendary_dealt(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, dealt=[lines[0]["rewards"][0], *lines[0]["dealt"][1:]])


@tampering("setup", readings.DEAL)
def two_cards_dealt(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, dealt=[*lines[0]["dealt"], lines[0]["dealt"][0]])


@tampering("setup", readings.TWO_PILES)
def uneven_piles(lines: Lines, at: int) -> Lines | None:
    first, second = lines[0]["piles"]
    return changed(lines, at, piles=[first + 1, second - 1])


@tampering("setup", readings.TWO_PILES)
def card_missing_from_the_deck(lines: Lines, at: int) -> Lines | None:
    cards = lines[0]["cards"]
    for card in cards_of_kind(lines, "trick"):
        if cards[card]["copies"] > lines[0]["dealt"].count(card):
            return changed(lines, at, cards={**cards, card: {**cards[card], "copies": cards[card]["copies"] - 1}})
    return None


@tampering("setup", readings.REWARD_PILE)
def perfect_landing_first(lines: Lines, at: int) -> Lines | None:
    rewards = lines[0]["rewards"]
    return changed(lines, at, rewards=rewards[::-1]) if len(rewards) > 1 else None


@tampering("setup", readings.REWARD_PILE)
def one_reward_twice(lines: Lines, at: int) -> Lines | None:
    rewards = lines[0]["rewards"]
    if len(rewards) < 3 or lines[0]["cards"][rewards[0]]["copies"] > 1:
        return None
    return changed(lines, at, rewards=[rewards[0], rewards[0], *rewards[2:]])


@tampering("setup", readings.FIRST_SKATER)
def first_skater_not_in_the_game(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, first_seat=len(lines[0]["seats"]))


@tampering("setup", readings.CLOCKWISE)
def another_first_skater(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, first_seat=other_seat(lines, lines[0]["first_seat"]))


@tampering("setup", readings.PLAYERS)
def one_player(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seats=lines[0]["seats"][:1])


@tampering("setup", readings.SWITCHES)
def switch_left_out(lines: Lines, at: int) -> Lines | None:
    rules = {name: value for name, value in lines[0]["rules"].items() if name != "reshuffle"}
    return changed(lines, at, rules=rules)


@tampering("setup", readings.SWITCHES)
def value_that_a_switch_cannot_have(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, rules={**lines[0]["rules"], "reshuffle": "never"})


# The end of the game


@tampering("end", readings.PRESTIGE)
def wrong_prestige(lines: Lines, at: int) -> Lines | None:
    return _changed_score(lines, at, prestige=1)


@tampering("end", readings.PRESTIGE)
def points_in_the_wrong_part(lines: Lines, at: int) -> Lines | None:
    return _changed_score(lines, at, tricks=1, legendaries=-1)


@tampering("end", readings.PRESTIGE)
def one_helmet_more(lines: Lines, at: int) -> Lines | None:
    return _changed_score(lines, at, helmets_kept=1)


@tampering("end", readings.PRESTIGE)
def hand_counted(lines: Lines, at: int) -> Lines | None:
    return _changed_score(lines, at, prestige=4, legendaries=4)


@tampering("end", readings.SHARED_VICTORY)
def wrong_winner(lines: Lines, at: int) -> Lines | None:
    shares = [seat["win_share"] for seat in lines[at]["seats"]]
    shifted = [{**seat, "win_share": shares[i - 1]} for i, seat in enumerate(lines[at]["seats"])]
    return changed(lines, at, seats=shifted) if len(set(shares)) > 1 else None


@tampering("end", readings.SHARED_VICTORY)
def everybody_wins(lines: Lines, at: int) -> Lines | None:
    seats = [{**seat, "win_share": "1"} for seat in lines[at]["seats"]]
    return changed(lines, at, seats=seats)


@tampering("end", readings.PRESTIGE)
def seat_without_a_score(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, seats=lines[at]["seats"][:-1])


# The transcript


@tampering("end", readings.COMPLETE)
def end_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("end", readings.COMPLETE)
def end_twice(lines: Lines, at: int) -> Lines | None:
    return inserted(lines, at, lines[at])


@tampering("trick", readings.COMPLETE)
def rest_left_out(lines: Lines, at: int) -> Lines | None:
    return lines[: at + 1]


@tampering("setup", readings.FORMAT)
def setup_left_out(lines: Lines, at: int) -> Lines | None:
    return without(lines, at)


@tampering("trick", readings.FORMAT)
def field_too_many(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, comment="nice")


@tampering("trick", readings.FORMAT)
def number_for_a_flag(lines: Lines, at: int) -> Lines | None:
    return changed(lines, at, forced=int(lines[at]["forced"]))


def _changed_score(lines: Lines, at: int, **more: int) -> Lines:
    first, *others = lines[at]["seats"]
    return changed(lines, at, seats=[{**first, **{name: first[name] + n for name, n in more.items()}}, *others])
