// The yardstick: Skate Legend, rulebook preset, printed cards, two bots, as fast as one core of plain C++17 gets.
//
// It is a second engine, written from the rules alone, so that its speed and its numbers both say something about the
// compiled kernel: the same bots must win, fall and score as often in either.
//
//   g++ -O3 -march=native -std=c++17 skate_legend.cpp -o yardstick
//   ./yardstick --games 1000000 --seats 4 --bots risk_threshold:0.3,stop_at_n:4,risk_threshold:0.3,stop_at_n:4 --seed 1
//
// Half of the time goes into branches that chance decides and no predictor can know: does this card have an effect,
// does it make fall, does the bot stop. A wrong guess costs as much as a hundred other instructions, and the more the
// longer the condition takes to be computed. Hence:
// - What a decision needs is known early: the next face-down card is drawn one ahead, a seat's danger is worked out
//   when its combo changes.
// - What it needs is short: a combo, or a set of cards by class, is one 64-bit word of eight byte counters. Adding a
//   card is one addition, "does it fall" one AND, "how many of these make me fall" one AND and one multiplication.
// - Each bot has its own copy of the turn; what is rare (piles running out) hides behind one predictable branch.
// - Nothing is shuffled: the face-down cards of both piles are one urn, and a random one is drawn when needed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE inline __attribute__((always_inline))
#define APART __attribute__((noinline))
#define RARE __attribute__((noinline, cold))

constexpr int MAX_SEATS = 5, ROUNDS = 4, DECK = 120, LEGENDARIES = 9, PRIZES = 3;
constexpr int HELMET_POINTS = 2, PERFECT_LANDING_POINTS = 5;
constexpr int STOP = 0, PILE_1 = 1, PILE_2 = 2, HAND = 3;  // answers; HAND + place in the hand

// --------------------------------------------------------------------------------------------------- packed counters
INLINE u64 at(int number, u64 value) { return value << (8 * number); }
INLINE int field(u64 packed, int number) { return int(packed >> (8 * number) & 0xFF); }
INLINE int sum_of_bytes(u64 packed) { return int(packed * 0x0101010101010101 >> 56); }

// A combo: four colours, broken skateboards, cards, points. The five counters that can make fall start at 125, so that
// a third card sets their sign bit.
constexpr int BROKEN_FIELD = 4, SIZE_FIELD = 5, POINTS_FIELD = 6;
constexpr u64 EMPTY_COMBO = 0x7D7D7D7D7D, FALL_BITS = 0x8080808080, ONE_OF_EACH = 0x0101010101;

// --------------------------------------------------------------------------------------------------------- the cards
// A card is one byte. Its low four bits are its class: colour, + 4 if its skateboard is broken; 8 and above are grey.
// Bits 4 and 5 are its effect, bit 6 marks a Legendary. Bit 7 marks a card that not everybody has seen: one just taken
// face down, or one so drawn into a hand. The top of a pile is NONE while it lies face down.
enum : u8 { BLUE, YELLOW, RED, GREEN, BROKEN = 4, GREY = 8 };
constexpr u32 DRAW = 0x10, REVEAL = 0x20, REPLAY = 0x30, EFFECT = 0x30, LEGENDARY = 0x40, HIDDEN = 0x80;
constexpr u32 FACE_DOWN = 15, NONE = 0x80 + FACE_DOWN;

constexpr u8 HANDPLANT = BLUE + REVEAL, MELON_GRAB = BLUE, HANDPLANT_BROKEN = BLUE + BROKEN, BOARDSLIDE = YELLOW,
             POWERSLIDE = YELLOW + BROKEN, MANUAL = RED, NO_COMPLY = RED + DRAW, NO_COMPLY_BROKEN = RED + BROKEN,
             OLLIE = GREEN, POP_SHOVE_IT = GREEN + REPLAY, POP_SHOVE_IT_BROKEN = GREEN + BROKEN;
constexpr u8 KICK_FLIP = LEGENDARY + GREEN + REPLAY, HIPPY_JUMP = LEGENDARY + RED + DRAW, C_180 = LEGENDARY + GREY,
             C_360 = C_180 + 1, C_720 = C_180 + 2, C_900 = C_180 + 3, C_1080 = C_180 + 4,
             AIRWALK_GRAB = LEGENDARY + BLUE, CASPER_SLIDE = LEGENDARY + YELLOW + BROKEN;

// A Legendary's condition: that at least so many of some counters reach a number, so many sign bits of combo + reach.
struct Condition {
    u64 reach = 0, bits = 0;
    int needed = 0;
    INLINE bool holds(u64 combo) const { return __builtin_popcountll((combo + reach) & bits) >= needed; }
};

struct Card {
    u64 add = 0;     // what it adds to a combo
    u64 unseen = 0;  // what it takes from the cards unseen by class when it is shown: nothing if it was known
};

struct Cards {
    Card card[256];  // by card, with and without HIDDEN
    Condition condition[128];
    u8 deck[128] = {};
    u64 deck_classes = 0;
    int size = 0;

    Cards() {
        trick(HANDPLANT, 1, 10), trick(MELON_GRAB, 1, 16), trick(HANDPLANT_BROKEN, 1, 6);
        trick(BOARDSLIDE, 1, 12), trick(POWERSLIDE, 2, 12);
        trick(MANUAL, 1, 12), trick(NO_COMPLY, 1, 22), trick(NO_COMPLY_BROKEN, 1, 2);
        trick(OLLIE, 1, 10), trick(POP_SHOVE_IT, 1, 12), trick(POP_SHOVE_IT_BROKEN, 1, 6);
        trick(KICK_FLIP, 5), trick(HIPPY_JUMP, 2);
        for (u8 one : {C_180, C_360, C_720, C_900, C_1080, AIRWALK_GRAB, CASPER_SLIDE}) trick(one, 4);
        condition[C_180] = {at(SIZE_FIELD, 128 - 4), at(SIZE_FIELD, 128), 1};
        condition[C_360] = {at(RED, 3 - 2), at(RED, 128), 1};
        condition[C_720] = {at(SIZE_FIELD, 128 - 5), at(SIZE_FIELD, 128), 1};
        condition[C_900] = {at(GREEN, 3 - 1) | at(YELLOW, 3 - 1), at(GREEN, 128) | at(YELLOW, 128), 2};
        condition[C_1080] = {0x01010101 * (3 - 1), 0x80808080, 3};
        condition[AIRWALK_GRAB] = {at(BROKEN_FIELD, 3 - 2), at(BROKEN_FIELD, 128), 1};
        condition[CASPER_SLIDE] = {0x01010101 * (3 - 2), 0x80808080, 1};
    }
    void trick(u8 one, u64 points, int copies = 0) {
        card[one].add = at(SIZE_FIELD, 1) | at(POINTS_FIELD, points);
        if (!(one & GREY)) {
            card[one].add |= at(one & 3, 1) | at(BROKEN_FIELD, (one & BROKEN) != 0);
            card[one | HIDDEN].unseen = at(one & 7, 1);
        }
        for (int i = 0; i < copies; i++) deck[size++] = one, deck_classes += card[one | HIDDEN].unseen;
    }
};
const Cards CARDS;
const u8 LEGENDARY_CARDS[16] = {KICK_FLIP, C_180, C_360, C_720, C_900, C_1080, AIRWALK_GRAB, CASPER_SLIDE, HIPPY_JUMP};

// ---------------------------------------------------------------------------------------------------------- the luck
__extension__ typedef unsigned __int128 u128;

struct Luck {  // wyrand
    u64 state;
    INLINE u32 below(u32 limit) {  // multiply and shift: no answer is likelier than another by more than 2^-56
        state += 0x2d358dccaa6c78a5;
        const u128 mixed = u128(state) * (state ^ 0x8bb84b93962eacc9);
        return u32(u128(u64(mixed) ^ u64(mixed >> 64)) * limit >> 64);
    }
};

// --------------------------------------------------------------------------------------------------------- the state
enum Kind : u8 { STOP_AT_N, RISK_THRESHOLD };

struct Bot {
    int stop_at;      // stop_at_n
    double limit;     // risk_threshold
    u8 accepts[128];  // risk_threshold: of so many unseen cards, at most so many may make it fall
};

// Of which classes one more card makes fall.
struct Danger {
    u64 classes = 0;  // whole bytes, to mask counts by class with
    u64 bits = 0;     // one bit a class, twice, so that no masking is needed: bits >> (card & 31) & 1
};
INLINE bool falls(u32 bits, u32 card) { return bits >> (card & 31) & 1; }

struct Dangers {
    Danger by[32];  // by the set of counters at two
    Dangers() {
        for (int full = 0; full < 32; full++)
            for (int one = 0; one < 8; one++)
                if (full >> (one & 3) & 1 || (one & BROKEN && full >> BROKEN_FIELD))
                    by[full].classes |= at(one, 0xFF), by[full].bits |= u64(0x10001) << one;
    }
    INLINE const Danger& of(u64 combo, u64 fall_bits) const {
        const u64 full = (combo + ONE_OF_EACH) & fall_bits;  // five sign bits, gathered by the multiplication
        return by[full * 0x0002040810200000 >> 56 & 31];
    }
};
const Dangers DANGERS;

struct alignas(256) Skater {
    u64 combo;             // packed
    u64 fall_bits;         // FALL_BITS without the helmeted colour
    Danger danger;         // of combo and fall_bits; kept for risk_threshold alone
    u64 hidden;            // by class, the cards in the hand that the others have not seen
    u64 hand_legendaries;  // their places in the hand, a bit each; a hand never comes near 64 cards
    std::uint16_t points;  // validated
    std::uint16_t tricks;
    u8 helmets;  // the one placed in the combo included
    u8 worn, falls, hand_size, combo_legendaries;
    u8 legendaries[4];  // those in the combo
    u8 cards[48];       // the combo: at most 38 cards of a helmeted colour, two of each other and five grey
    u8 hand[144];       // oldest first; HIDDEN marks what the others have not seen
};

struct Game {
    u64 pool;         // by class, all cards that lie face down or are hidden in a hand
    u32 ahead;        // the next face-down card
    u32 urn_size;     // the other face-down cards of both piles
    u8 pile_size[2];
    u8 pile_top[2];   // the face-up top, or NONE
    bool scarce;      // the piles have less than two cards in all, so that one of them is empty
    u32 discard_size;
    u32 standing;     // a bit a seat
    u32 round;
    u8 prizes[4];
    u8 urn[128], discard[128 + 48];
    Skater skaters[MAX_SEATS];
};

struct Sum {
    u64 sum, squares;
    INLINE void add(u64 value) { sum += value, squares += value * value; }
};

struct RoundTally {
    u64 falls, standing;
    Sum points, cards;  // of those who stood
};

struct Tally {  // over games, one a seat
    Sum share, prestige, falls, tricks, worn, kept;  // share: of a win, in sixtieths
    RoundTally rounds[ROUNDS];
};

Bot bots[MAX_SEATS];
u32 stoppers;  // a bit for each seat that plays stop_at_n; risk_threshold plays the others
Tally tallies[MAX_SEATS];
Luck luck;

// --------------------------------------------------------------------------------------------------------- the piles
// Any card of the urn; the urn's last one fills its gap. From an empty urn: a card that nobody will draw.
INLINE void draw_ahead(Game& g) {
    const u32 place = luck.below(g.urn_size);
    g.ahead = g.urn[place];
    g.urn_size -= g.urn_size > 0;
    g.urn[place] = g.urn[g.urn_size];
}

INLINE u32 next_face_down(Game& g) {
    const u32 card = g.ahead;
    draw_ahead(g);
    return card;
}

void lay_piles(Game& g, int cards) {
    g.pile_size[0] = u8((cards + 1) / 2), g.pile_size[1] = u8(cards / 2);
    g.pile_top[0] = g.pile_top[1] = NONE;
    g.scarce = cards < 2;
}

bool piles_are_empty(const Game& g) { return g.pile_size[0] + g.pile_size[1] == 0; }

bool is_open(const Game& g, int pile) {
    return piles_are_empty(g) ? int(g.discard_size) > pile : g.pile_size[pile] > 0;
}

RARE void reshuffle(Game& g) {
    std::memcpy(g.urn, g.discard, sizeof g.urn);
    g.urn_size = g.discard_size;
    g.discard_size = 0;
    for (u32 i = 0; i < g.urn_size; i++) g.pool += CARDS.card[g.urn[i] | HIDDEN].unseen;
    lay_piles(g, int(g.urn_size));
    draw_ahead(g);
}

RARE void split_the_other(Game& g, int empty) {
    const int size = g.pile_size[1 - empty];
    g.scarce = size < 2;
    if (g.scarce) return;
    g.pile_size[1 - empty] = u8(size / 2), g.pile_size[empty] = u8(size - size / 2);
}

// Takes the top card of a pile; HIDDEN marks one that lay face down.
INLINE u32 take(Game& g, int pile) {
    if (UNLIKELY(g.scarce) && piles_are_empty(g)) reshuffle(g);
    u32 card = g.pile_top[pile];
    if (LIKELY(card == NONE)) card = next_face_down(g) | HIDDEN;
    else g.pile_top[pile] = NONE;
    if (UNLIKELY(--g.pile_size[pile] == 0)) split_the_other(g, pile);
    return card;
}

INLINE void reveal(Game& g) {  // both bots turn the first top that lies face down
    if (UNLIKELY(g.scarce) && piles_are_empty(g)) {
        if (g.discard_size == 0) return;
        reshuffle(g);
    }
    const bool second = g.pile_top[0] != NONE || g.pile_size[0] == 0;
    if (second && (g.pile_top[1] != NONE || g.pile_size[1] == 0)) return;
    const u32 card = next_face_down(g);
    g.pool -= CARDS.card[card | HIDDEN].unseen;
    g.pile_top[second] = u8(card);
}

// ---------------------------------------------------------------------------------------------------------- the bots
// Points of a combo, Legendaries whose condition is not met left out.
INLINE int combo_points(const Skater& me) {
    int points = field(me.combo, POINTS_FIELD);
    for (int i = 0; i < me.combo_legendaries; i++) {
        const u8 card = me.legendaries[i];
        if (!CARDS.condition[card].holds(me.combo)) points -= field(CARDS.card[card].add, POINTS_FIELD);
    }
    return points;
}

RARE double reshuffle_risk(const Game& g, u32 bits) {
    int bad = 0;
    for (u32 i = 0; i < g.discard_size; i++) bad += falls(bits, g.discard[i]);
    return g.discard_size ? double(bad) / g.discard_size : 0;
}

double face_down_risk(const Game& g, const Skater& me) {
    const u64 unseen = g.pool - me.hidden;
    const int total = sum_of_bytes(unseen);
    if (piles_are_empty(g)) return reshuffle_risk(g, u32(me.danger.bits));
    return total ? double(sum_of_bytes(unseen & me.danger.classes)) / total : 0;
}

// The Legendary of the hand that pays best now: safe, its condition met, worth the forced tricks that it brings.
APART int paying_legendary(const Game& g, const Skater& me) {
    int best = STOP;
    double most = 0;
    for (u64 left = me.hand_legendaries; left; left &= left - 1) {
        const int place = __builtin_ctzll(left);
        const u8 card = me.hand[place];
        const u64 combo = me.combo + CARDS.card[card].add;
        if ((combo & me.fall_bits) || !CARDS.condition[card].holds(combo)) continue;
        double gain = field(CARDS.card[card].add, POINTS_FIELD);
        if (card == KICK_FLIP) {
            const double stand = 1 - face_down_risk(g, me), survive = stand * stand;
            gain = gain * survive - combo_points(me) * (1 - survive);
        }
        if (gain > most) most = gain, best = HAND + place;
    }
    return best;
}

// risk_threshold's rule, word by word, for when one or both piles are empty.
RARE int act_near_the_end(const Game& g, const Skater& me, const Bot& bot, bool may_stop) {
    const u32 bits = u32(me.danger.bits);
    int best = STOP;
    double least = 2;
    for (int pile = 0; pile < 2; pile++) {
        if (!is_open(g, pile)) continue;
        const u8 top = g.pile_top[pile];
        const double risk = top != NONE ? falls(bits, top) : face_down_risk(g, me);
        if (risk < least) least = risk, best = PILE_1 + pile;
    }
    // A Legendary waits until it pays, unless the piles are a certain fall or gone, or this is the last round.
    const bool any_card = least >= 1 || (g.round == ROUNDS - 1);
    for (int i = 0; i < me.hand_size; i++)
        if ((any_card || !(me.hand_legendaries >> i & 1)) && falls(bits, me.hand[i]) < least) least = falls(bits, me.hand[i]), best = HAND + i;
    return may_stop && least > bot.limit ? STOP : best;
}

INLINE int act_risk_threshold(const Game& g, const Skater& me, const Bot& bot, bool may_stop) {
    if (me.hand_legendaries) {
        const int answer = paying_legendary(g, me);
        if (answer != STOP) return answer;
    }
    if (UNLIKELY(g.scarce)) return act_near_the_end(g, me, bot, may_stop);
    if (me.danger.classes == 0) return PILE_1;
    // A safe top, pile 1 first: one that lies face up, or down when none of the unseen cards makes fall.
    const u64 unseen = g.pool - me.hidden, fatal = unseen & me.danger.classes;
    const u32 bits = u32(me.danger.bits) | u32(fatal != 0) << FACE_DOWN;
    const bool risky_1 = falls(bits, g.pile_top[0]), risky_2 = falls(bits, g.pile_top[1]);
    if (!(risky_1 & risky_2)) return PILE_1 + risky_1;
    // A safe card of the hand; a Legendary waits until it pays, as in act_near_the_end.
    const bool face_up_1 = g.pile_top[0] != NONE, face_up_2 = g.pile_top[1] != NONE;
    const int bad = sum_of_bytes(fatal), total = sum_of_bytes(unseen);
    const u64 waiting = (face_up_1 & face_up_2) || bad == total || (g.round == ROUNDS - 1) ? 0 : me.hand_legendaries;
    for (int place = 0; place < me.hand_size; place++)
        if (!(waiting >> place & 1) && !falls(bits, me.hand[place])) return HAND + place;
    // A face-down top, pile 1 first, if its risk is accepted. Face-up tops are a fall by now.
    if (UNLIKELY(face_up_1 & face_up_2)) return may_stop && bot.limit < 1 ? STOP : PILE_1;
    if (may_stop && bad > bot.accepts[total]) return STOP;
    return PILE_1 + (face_up_1 & (bad < total));
}

INLINE int act_stop_at_n(const Game& g, const Skater& me, const Bot& bot, bool may_stop, bool forced) {
    if (!forced && field(me.combo, SIZE_FIELD) >= bot.stop_at) return STOP;  // it holds a card, so it may
    if (LIKELY(!g.scarce) || is_open(g, 0)) return PILE_1;
    if (is_open(g, 1)) return PILE_2;
    return may_stop || me.hand_size == 0 ? STOP : HAND;
}

// The pile to draw from into the hand. risk_threshold: a face-up card that it could play, then a face-down one.
template <Kind KIND>
INLINE int pile_to_draw_from(const Game& g, const Skater& me) {
    if (UNLIKELY(g.scarce)) return is_open(g, 0) ? 0 : is_open(g, 1) ? 1 : -1;
    if (KIND == STOP_AT_N) return 0;
    const u8 top_1 = g.pile_top[0], top_2 = g.pile_top[1];
    const int dislike_1 = top_1 == NONE ? 1 : 2 * falls(u32(me.danger.bits), top_1);
    const int dislike_2 = top_2 == NONE ? 1 : 2 * falls(u32(me.danger.bits), top_2);
    return dislike_2 < dislike_1;
}

// ---------------------------------------------------------------------------------------------------------- the turn
INLINE u32 take_from_hand(Skater& me, int place) {
    const u32 card = me.hand[place];
    const u64 before = (u64(1) << place) - 1;
    me.hand_legendaries = (me.hand_legendaries & before) | (me.hand_legendaries >> 1 & ~before);
    me.hidden -= CARDS.card[card].unseen;
    me.hand_size--;
    do {  // close the gap, sixteen cards at once
        u8 later[16];
        std::memcpy(later, me.hand + place + 1, 16);
        std::memcpy(me.hand + place, later, 16);
    } while (UNLIKELY((place += 16) < me.hand_size));
    if (card & LEGENDARY) me.legendaries[me.combo_legendaries++] = u8(card);
    return card;
}

template <Kind KIND>
INLINE void draw_to_hand(Game& g, Skater& me) {
    const int pile = pile_to_draw_from<KIND>(g, me);
    if (UNLIKELY(pile < 0)) return;
    const u32 card = take(g, pile);
    me.hidden += CARDS.card[card].unseen;
    me.hand[me.hand_size++] = u8(card);
}

INLINE void fall(Game& g, Skater& me, RoundTally& tally) {
    const int size = field(me.combo, SIZE_FIELD);
    if (me.combo_legendaries == 0) {
        std::memcpy(g.discard + g.discard_size, me.cards, sizeof me.cards);
        g.discard_size += u32(size);
    } else {  // Legendaries go back to the box
        for (int i = 0; i < size; i++)
            if (!(me.cards[i] & LEGENDARY)) g.discard[g.discard_size++] = me.cards[i];
    }
    me.helmets += me.fall_bits == FALL_BITS;  // one gained; one placed is lost
    me.tricks += size;
    me.falls++;
    tally.falls++;
}

INLINE void validate(Skater& me, RoundTally& tally) {
    const int points = combo_points(me), size = field(me.combo, SIZE_FIELD);
    me.points += points;
    me.tricks += size;
    me.helmets -= me.fall_bits != FALL_BITS;
    tally.standing++;
    tally.points.add(u64(points)), tally.cards.add(u64(size));
}

enum Outcome { STAYS, STOPS, FALLS };

template <int SEATS, Kind KIND>
INLINE Outcome turn(Game& g, int seat) {
    Skater& me = g.skaters[seat];
    const Bot& bot = bots[seat];
    const bool lone = SEATS == 2 && (g.standing & (g.standing - 1)) == 0;
    bool may_stop = lone || me.combo != EMPTY_COMBO;
    bool forced = false;
    for (int replays = 0;; replays--, forced = true, may_stop = false) {  // the trick chosen, then forced ones
        const int answer = KIND == STOP_AT_N ? act_stop_at_n(g, me, bot, may_stop, forced)
                                             : act_risk_threshold(g, me, bot, may_stop);
        if (answer == STOP) {
            if (forced) return STAYS;  // nothing left to play: pending replays lapse
            validate(me, tallies[seat].rounds[g.round]);
            return STOPS;
        }
        u32 card = answer >= HAND ? take_from_hand(me, answer - HAND) : take(g, answer - PILE_1);
        g.pool -= CARDS.card[card].unseen;
        card &= ~HIDDEN;
        me.cards[field(me.combo, SIZE_FIELD)] = u8(card);
        me.combo += CARDS.card[card].add;
        if (me.combo & me.fall_bits) {
            fall(g, me, tallies[seat].rounds[g.round]);
            return FALLS;
        }
        if (KIND == RISK_THRESHOLD) {
            if (me.helmets > 0 && me.fall_bits == FALL_BITS && !(card & GREY) && field(me.combo, card & 3) == 127) {
                me.fall_bits &= ~at(card & 3, 0xFF);  // a helmet: one more of this colour would have been a fall
                me.worn++;
            }
            me.danger = DANGERS.of(me.combo, me.fall_bits);
        }
        if ((card & EFFECT) == DRAW) {
            draw_to_hand<KIND>(g, me);
            if (KIND == RISK_THRESHOLD && card == HIPPY_JUMP) draw_to_hand<KIND>(g, me);
        } else if ((card & EFFECT) == REVEAL) {
            reveal(g);
        } else if ((card & EFFECT) == REPLAY) {
            replays += card == KICK_FLIP ? 2 : 1;
        }
        if (replays == 0) return STAYS;
    }
}

// ------------------------------------------------------------------------------------------------- the round, the game
struct Clockwise {  // the next seat standing, by who stands and whose turn it was
    u8 next[1 << MAX_SEATS][8] = {};
    Clockwise() {
        for (int standing = 1; standing < 1 << MAX_SEATS; standing++)
            for (int seat = 0; seat < MAX_SEATS; seat++)
                for (int step = MAX_SEATS; step > 0; step--)
                    if (standing >> (seat + step) % MAX_SEATS & 1) next[standing][seat] = u8((seat + step) % MAX_SEATS);
    }
};
const Clockwise CLOCKWISE;

INLINE void take_reward(Game& g, Skater& me) {
    if (g.round == ROUNDS - 1) {
        me.points += PERFECT_LANDING_POINTS;
    } else {
        me.hand_legendaries |= u64(1) << me.hand_size;
        me.hand[me.hand_size++] = g.prizes[g.round];
    }
}

template <int SEATS>
INLINE int play_round(Game& g, int seat) {  // the seat that ends it
    for (int i = 0; i < SEATS; i++) {
        Skater& me = g.skaters[i];
        me.combo = EMPTY_COMBO, me.fall_bits = FALL_BITS, me.danger = Danger(), me.combo_legendaries = 0;
    }
    g.standing = (1u << SEATS) - 1;
    for (;; seat = CLOCKWISE.next[g.standing][seat]) {
        const Outcome outcome =
            stoppers >> seat & 1 ? turn<SEATS, STOP_AT_N>(g, seat) : turn<SEATS, RISK_THRESHOLD>(g, seat);
        if (outcome == STAYS) continue;
        g.standing &= ~(1u << seat);
        if (SEATS == 2 && g.standing == 0) {  // the lone skater stopped, or fell and lost the reward
            if (outcome == STOPS) take_reward(g, g.skaters[seat]);
            return seat;
        }
        if (SEATS > 2 && (g.standing & (g.standing - 1)) == 0) {  // one is left: he ends the round at once
            seat = __builtin_ctz(g.standing);
            validate(g.skaters[seat], tallies[seat].rounds[g.round]);
            take_reward(g, g.skaters[seat]);
            return seat;
        }
    }
}

template <int SEATS>
void set_up(Game& g) {
    std::memcpy(g.urn, CARDS.deck, sizeof g.urn);
    g.urn_size = DECK;
    g.discard_size = 0;
    g.pool = CARDS.deck_classes;
    draw_ahead(g);
    u8 legendaries[16];
    std::memcpy(legendaries, LEGENDARY_CARDS, 16);
    for (int i = 0; i < PRIZES; i++) {
        const u32 place = luck.below(u32(LEGENDARIES - i));
        g.prizes[i] = legendaries[place];
        legendaries[place] = legendaries[LEGENDARIES - 1 - i];
    }
    for (int i = 0; i < SEATS; i++) {
        Skater& me = g.skaters[i];
        me.points = me.tricks = me.helmets = me.worn = me.falls = 0;
        me.hand[0] = u8(next_face_down(g) | HIDDEN);
        me.hand_size = 1;
        me.hand_legendaries = 0;
        me.hidden = CARDS.card[me.hand[0]].unseen;
    }
    lay_piles(g, DECK - SEATS);
}

template <int SEATS>
void tally_game(const Game& g) {
    u32 prestige[SEATS], most = 0, winners = 0;
    for (int i = 0; i < SEATS; i++) {
        prestige[i] = g.skaters[i].points + HELMET_POINTS * g.skaters[i].helmets;
        most = std::max(most, prestige[i]);
    }
    for (int i = 0; i < SEATS; i++) winners += prestige[i] == most;
    for (int i = 0; i < SEATS; i++) {
        const Skater& me = g.skaters[i];
        Tally& tally = tallies[i];
        tally.share.add(prestige[i] == most ? 60 / winners : 0);
        tally.prestige.add(prestige[i]), tally.falls.add(me.falls), tally.tricks.add(me.tricks);
        tally.worn.add(me.worn), tally.kept.add(me.helmets);
    }
}

template <int SEATS>
void play_games(u64 games) {
    static Game g;
    for (u64 number = 0; number < games; number++) {
        int seat = int(luck.below(SEATS));
        set_up<SEATS>(g);
        for (g.round = 0; g.round < ROUNDS; g.round++) seat = play_round<SEATS>(g, seat);
        tally_game<SEATS>(g);
    }
}

// ------------------------------------------------------------------------------------------------------- the program
void print(const char* name, double value) { std::printf(", \"%s\": %.6f", name, value); }

void print(const char* name, const char* sd_name, const Sum& of, double count, double unit = 1) {
    const double mean = count > 0 ? double(of.sum) / count : 0;
    print(name, mean / unit);
    print(sd_name, count > 1 ? std::sqrt((double(of.squares) - double(of.sum) * mean) / (count - 1)) / unit : 0);
}

void print_seat(int seat, double games) {
    const Tally& t = tallies[seat];
    std::printf("%s\n  {\"seat\": %d", seat ? "," : "", seat);
    print("win_share", "win_share_sd", t.share, games, 60);
    print("prestige_mean", "prestige_sd", t.prestige, games);
    print("falls_per_game", "falls_sd", t.falls, games);
    std::printf(", \"fall_rate_by_round\": [");
    for (int r = 0; r < ROUNDS; r++) std::printf("%s%.6f", r ? ", " : "", double(t.rounds[r].falls) / games);
    std::printf("]");
    print("tricks", "tricks_sd", t.tricks, games);
    print("helmets_gained", double(t.falls.sum) / games);
    print("helmets_worn", "helmets_worn_sd", t.worn, games);
    print("helmets_kept", "helmets_kept_sd", t.kept, games);
    const RoundTally& first = t.rounds[0];
    std::printf(", \"round_1\": {\"standing\": %.6f", double(first.standing) / games);
    print("points_mean", "points_sd", first.points, games);  // 0 if fallen
    print("cards_mean", "cards_sd", first.cards, double(first.standing));
    std::printf("}}");
}

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "yardstick: %s\n", why.c_str());
    std::exit(2);
}

void read_bot(int seat, const std::string& word) {
    const std::size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    const double value = colon < word.size() ? std::atof(word.c_str() + colon + 1) : -1;
    Bot& bot = bots[seat];
    if (name == "stop_at_n" && value >= 1) {
        stoppers |= 1u << seat;
        bot.stop_at = int(value);
    } else if (name == "risk_threshold" && value >= 0) {
        bot.limit = value;
        for (int total = 1; total < 128; total++)
            for (int bad = 0; bad <= total; bad++)
                if (double(bad) / total <= value) bot.accepts[total] = u8(bad);
    } else {
        refuse("a bot is stop_at_n:N (N from 1) or risk_threshold:R, not '" + word + "'");
    }
}

void read_bots(const std::string& words, int seats) {
    std::istringstream list(words);
    std::string word;
    int seat = 0;
    for (; std::getline(list, word, ','); seat++)
        if (seat < MAX_SEATS) read_bot(seat, word);
    if (seat != seats) refuse("--bots needs a bot for each seat");
}

}  // namespace

int main(int count, char** words) {
    u64 games = 1000000, seed = 1;
    int seats = 4;
    std::string names = "risk_threshold:0.3,stop_at_n:4,risk_threshold:0.3,stop_at_n:4";
    for (int i = 1; i < count; i += 2) {
        const std::string option = words[i];
        if (i + 1 == count) refuse(option + " needs a value");
        const char* value = words[i + 1];
        if (option == "--games") games = std::strtoull(value, nullptr, 10);
        else if (option == "--seats") seats = std::atoi(value);
        else if (option == "--bots") names = value;
        else if (option == "--seed") seed = std::strtoull(value, nullptr, 10);
        else refuse("no option is called " + option);
    }
    if (seats < 2 || seats > MAX_SEATS) refuse("--seats must be 2 to 5");
    if (games == 0) refuse("--games must be at least 1");
    read_bots(names, seats);
    luck.state = seed;

    const auto start = std::chrono::steady_clock::now();
    if (seats == 2) play_games<2>(games);
    if (seats == 3) play_games<3>(games);
    if (seats == 4) play_games<4>(games);
    if (seats == 5) play_games<5>(games);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    u64 tricks = 0;
    for (int i = 0; i < seats; i++) tricks += tallies[i].tricks.sum;
    std::printf("{\"games\": %llu, \"bots\": \"%s\", \"seconds\": %.6f, \"games_per_second\": %.0f, ",
                static_cast<unsigned long long>(games), names.c_str(), seconds, double(games) / seconds);
    std::printf("\"tricks_per_game\": %.6f, \"ns_per_trick\": %.3f, \"seats\": [", double(tricks) / double(games),
                1e9 * seconds / double(tricks));
    for (int i = 0; i < seats; i++) print_seat(i, double(games));
    std::printf("\n]}\n");
}
