"""A bot that plays what it is told: compiled once, because its script is in its parameters."""

from __future__ import annotations

from skate_sim import games
from skate_sim.bot_files import as_code
from skate_sim.games.skate_legend import GAME, HAND, PILE_1, PILE_2, STOP, can_take, play_card
from skate_sim.games.skate_legend.cards import card_order
from skate_sim.policy import Bot, make_bot, memory, parameter

#: A round has two words of five instructions each, one for every trick; eight rounds fill the parameters.
WORDS_A_ROUND, INSTRUCTIONS_A_WORD, INSTRUCTION_BITS = 2, 5, 11
ROUNDS = games.MAX_PARAMETERS // WORDS_A_ROUND
TRICKS = WORDS_A_ROUND * INSTRUCTIONS_A_WORD

#: Bits of an instruction: the answer to ``act`` plus 1 (0: none), whether to wear a helmet on the card, whether its
#: first Draw and its later ones are from pile 2, whether its Reveal is on pile 2.
ANSWER, HELMET, FIRST_DRAW, LATER_DRAWS, REVEAL = 127, 7, 8, 9, 10

#: An answer that no rule allows: the error lists those that are.
NEVER = ANSWER - 1


class Scripted:
    """Does its k-th trick of a round as its script says; without an instruction it stops as soon as it may."""

    w0 = w1 = w2 = w3 = w4 = w5 = w6 = w7 = parameter(0, low=0, high=1 << 62, help="instructions of a round")
    w8 = w9 = w10 = w11 = w12 = w13 = w14 = w15 = w0
    notes = memory("trick", "draws")

    @staticmethod
    def act(view, params):
        answer = instruction(view, params, view.me.combo_size) & ANSWER
        if answer > 0:
            return answer - 1
        if view.table.may_stop:
            return STOP
        if can_take(view, PILE_1):
            return PILE_1
        return PILE_2 if can_take(view, PILE_2) else play_card(view.hand.cards[0])

    @staticmethod
    def helmet(view, params):
        return (instruction(view, params, view.me.combo_size - 1) >> HELMET) & 1

    @staticmethod
    def draw(view, params, memo):
        trick = TRICKS * view.table.round_number + view.me.combo_size
        if memo.trick != trick:
            memo.trick, memo.draws = trick, 0
        memo.draws += 1
        bit = FIRST_DRAW if memo.draws == 1 else LATER_DRAWS
        return PILE_1 + ((instruction(view, params, view.me.combo_size - 1) >> bit) & 1)

    @staticmethod
    def reveal(view, params):
        return PILE_1 + ((instruction(view, params, view.me.combo_size - 1) >> REVEAL) & 1)


def instruction(view, params, trick):
    """The instruction for a trick (from 0) of the round; 0 where the script has none."""
    place = WORDS_A_ROUND * (view.table.round_number - 1) + trick // INSTRUCTIONS_A_WORD
    if trick >= TRICKS or place >= WORDS_A_ROUND * ROUNDS:
        return 0
    words = (
        *(params.w0, params.w1, params.w2, params.w3, params.w4, params.w5, params.w6, params.w7),
        *(params.w8, params.w9, params.w10, params.w11, params.w12, params.w13, params.w14, params.w15),
    )
    return (words[place] >> (INSTRUCTION_BITS * (trick % INSTRUCTIONS_A_WORD))) & ((1 << INSTRUCTION_BITS) - 1)


CODE = as_code(Scripted, GAME)


def scripted(script: str, cards: dict) -> Bot:
    """The bot that follows a script.

    Parameters
    ----------
    script : str
        Rounds separated by ``|``, in each an instruction for every trick: ``1`` or ``2`` (top card of that pile),
        a card id (from the hand), ``stop``, or ``never`` (an answer that is always illegal). Behind it, if need be,
        ``^`` (wear a helmet on that card, whenever that is offered), ``>12`` (its Draws: the first from pile 1, the
        others from pile 2) and ``?2`` (its Reveal is on pile 2).
    cards : dict
        The cards of the game by id, as in the setup of a transcript.
    """
    words = [0] * games.MAX_PARAMETERS
    for number, part in enumerate(script.split("|")):
        for trick, text in enumerate(part.split()):
            shift = INSTRUCTION_BITS * (trick % INSTRUCTIONS_A_WORD)
            words[WORDS_A_ROUND * number + trick // INSTRUCTIONS_A_WORD] |= _packed(text, cards) << shift
    return make_bot(CODE, {f"w{number}": value for number, value in enumerate(words)})


def _packed(text: str, cards: dict) -> int:
    rest, _, reveal = text.partition("?")
    rest, _, draws = rest.partition(">")
    action = rest.removesuffix("^")
    fixed = {"1": PILE_1, "2": PILE_2, "stop": STOP, "never": NEVER}
    answer = fixed[action] if action in fixed else HAND + card_order(cards).index(action)
    bits = {
        HELMET: rest != action,
        FIRST_DRAW: draws[:1] == "2",
        LATER_DRAWS: draws[-1:] == "2",
        REVEAL: reveal == "2",
    }
    return answer + 1 | sum(flag << bit for bit, flag in bits.items())
