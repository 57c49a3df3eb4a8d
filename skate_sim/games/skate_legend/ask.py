"""Questions to bots: one place where the kernel asks, checks the answer and falls back on a default."""

from __future__ import annotations

import numpy as np

from skate_sim.games import BOT_FAILED, FINISHED, ILLEGAL_ANSWER, MAX_ANSWERS
from skate_sim.games.skate_legend.advice import helmet_lowers_risk, least_risky
from skate_sim.games.skate_legend.piles import pile_can_reveal, pile_is_open
from skate_sim.games.skate_legend.state import NONE
from skate_sim.games.skate_legend.view import (
    ACT,
    DRAW_FROM,
    PILE_1,
    PILE_2,
    STOP,
    WEAR_HELMET,
    card_falls,
    is_legal,
    make_view,
)
from skate_sim.jit import compiled, inlined
from skate_sim.pointers import CRASHED, NO_HOOK, call_hook

#: Risk above which a bot without an ``act`` of its own stops.
DEFAULT_LIMIT = 0.3


@compiled
def ask(state, seat, decision):
    """The answer of a seat's bot to a decision; the default when it has no hook for it, or the hook says ``NO_HOOK``.

    An answer that is not legal, or a bot that fails, is noted in ``state.engine``; the game goes on with the
    default and is thrown away by the caller.
    """
    engine = state.engine
    entry = np.uint64(engine.seat_entry[seat])
    engine.questions += 1
    hook = engine.entries[entry].hooks[np.uint64(decision)]
    if hook != 0:
        answer = call_hook(
            hook,
            (
                state.table,
                state.table.skaters[seat],
                state.hands[seat],
                state.setup,
                state.memo[seat],
                engine.entries[entry].params,
                state.luck[seat],
            ),
        )
    elif engine.entries[entry].is_fixed[np.uint64(decision)]:
        answer = engine.entries[entry].fixed[np.uint64(decision)]
    else:
        return default_answer(_view(state, seat), decision)
    if is_legal(_view(state, seat), decision, answer):
        return answer
    if answer != NO_HOOK:
        _note_fault(state, seat, decision, answer)
    return default_answer(_view(state, seat), decision)


@inlined
def _view(state, seat):
    return make_view(state.table, state.table.skaters[seat], state.hands[seat], state.setup)


@compiled
def _note_fault(state, seat, decision, answer):
    """Keep the first fault of a game, with the answers that would have been legal."""
    engine = state.engine
    if engine.status == FINISHED:
        for other in range(MAX_ANSWERS):
            engine.fault_legal[np.uint64(other)] = is_legal(_view(state, seat), decision, other)
        engine.status = BOT_FAILED if answer == CRASHED else ILLEGAL_ANSWER
        engine.fault_seat = seat
        engine.fault_decision = decision
        engine.fault_answer = answer
        engine.fault_question = engine.questions


@compiled
def default_answer(view, decision):
    """What a bot without a hook for a decision answers; see the ``default`` of each declaration."""
    if decision == ACT:
        return _default_act(view)
    if decision == WEAR_HELMET:
        return np.int64(helmet_lowers_risk(view))
    if decision == DRAW_FROM:
        return _default_draw(view)
    return PILE_1 if pile_can_reveal(view.table, 0) else PILE_2


@compiled
def _default_act(view):
    """The least risky source; stop if that is too risky."""
    best, least = least_risky(view)
    if view.table.may_stop and least > DEFAULT_LIMIT:
        return np.int64(STOP)
    return best


@compiled
def _default_draw(view):
    """A face-up card that would not make this seat fall, else a face-down one, else whatever is open."""
    table = view.table
    for pile in range(2):
        top = table.pile_top[np.uint64(pile)]
        if top != NONE and not card_falls(view, top):
            return PILE_1 + pile
    for pile in range(2):
        if table.pile_top[np.uint64(pile)] == NONE and pile_is_open(table, pile):
            return PILE_1 + pile
    return PILE_1 if pile_is_open(table, 0) else PILE_2
