// Solo Whist by pagat's rules, played at random: a plain loop to measure the engine against, for the benchmark only.
//
//   solo play SEED        one table, no observation; answers "SECONDS" lines with "steps seconds"
//   solo observe B SEED   B tables, each step writes what SoloVectorEnv.step writes; the same protocol, drawing not timed
//   solo mix N SEED       plays N deals and prints the steps and how often each contract was played
//   solo replay           reads games, writes observation and mask of every position, then the payoffs
//
// It knows one ruleset and sessions of one deal, checks no action and keeps no record.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "layout.h"  // made by benchmarks/plain.py: columns, prices, targets, the ladder, random's weights

enum Phase { AUCTION, NAMING, PLAY, OVER };
enum Asked { NORMALLY, ELDEST, PROPOSER };
enum Contract { PC, SOLO, MIS, ABU, ABT, PETIT, OUV, DECL, GRAND, RDECL, NO_CONTRACT = -1 };
const int PASS = 52, COP = 54, FIRST_TRUMPS = 64, NOBODY = -1, NO_TRUMP = -1, NOT_NAMED = -2;
const int CONTRACT_OF_CALL[12] = {-1, PC, -1, SOLO, MIS, ABU, ABT, PETIT, OUV, DECL, GRAND, RDECL};
const int CALL_OF_CONTRACT[10] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11};

typedef uint64_t Cards;
const Cards SUIT = 0x1FFF;

static inline int lowest(Cards cards) { return __builtin_ctzll(cards); }
static inline int count(Cards cards) { return __builtin_popcountll(cards); }

static inline int nth(Cards cards, int n) {
    while (n--) cards &= cards - 1;
    return lowest(cards);
}

struct Random {  // sfc32
    uint32_t a, b, c, n;
    explicit Random(uint32_t seed) : a(seed), b(0x243F6A88), c(0x13198A2E), n(1) {
        for (int i = 0; i < 12; i++) next();
    }
    uint32_t next() {
        uint32_t out = a + b + n++;
        a = b ^ (b >> 9);
        b = c + (c << 3);
        c = ((c << 21) | (c >> 11)) + out;
        return out;
    }
    int below(int n) { return (int)((uint64_t)next() * n >> 32); }
};

struct Table {
    Cards hand[4], played[4];
    int32_t payoff[4];
    int8_t dealer, turned, suit, phase, turn;
    int8_t calls[MAX_CALLS], call_seats[MAX_CALLS], n_calls;
    int8_t standing, holder, acceptor, passed, asked;
    int8_t contract, declarer, partner, trump;
    int8_t leader, n_plays, plays[52], play_seats[52], winners[13], tricks[4], failed[4], exposed;
};

// --- the deal

static void open_auction(Table& t, int dealer, int turned) {
    for (int seat = 0; seat < 4; seat++) t.played[seat] = 0, t.payoff[seat] = 0, t.tricks[seat] = 0, t.failed[seat] = 0;
    t.dealer = dealer, t.turned = turned, t.suit = turned / 13;
    t.phase = AUCTION, t.turn = t.leader = (dealer + 1) % 4;
    t.n_calls = t.n_plays = t.passed = 0, t.asked = NORMALLY;
    t.standing = t.contract = NO_CONTRACT, t.trump = NOT_NAMED;
    t.holder = t.acceptor = t.declarer = t.partner = t.exposed = NOBODY;
}

static void deal(Table& t, Random& random) {
    int8_t pack[52];
    for (int card = 0; card < 52; card++) {
        int place = random.below(card + 1);
        pack[card] = pack[place];
        pack[place] = card;
    }
    int dealer = random.below(4), at = 0;
    for (int seat = 0; seat < 4; seat++) t.hand[seat] = 0;
    for (int packet : {3, 3, 3, 3, 1})
        for (int position = 1; position <= 4; position++)
            for (int i = 0; i < packet; i++) t.hand[(dealer + position) % 4] |= Cards(1) << pack[at++];
    open_auction(t, dealer, pack[51]);
}

// --- the auction

static int legal_calls(const Table& t) {
    int calls = 1;  // PASS
    if (t.asked == ELDEST) return calls | 1 << (COP - PASS);
    if (t.standing == PC && t.acceptor == NOBODY && t.asked == NORMALLY) calls |= 1 << (COP - PASS);
    int standing = t.standing == NO_CONTRACT ? -1 : RANK[t.standing];
    for (int contract = 0; contract < 10; contract++) {
        if (RANK[contract] <= standing) continue;
        if (contract == PC && t.standing != NO_CONTRACT) continue;
        if (contract == ABT && t.standing != ABU) continue;
        calls |= 1 << CALL_OF_CONTRACT[contract];
    }
    return calls;
}

static void open_play(Table& t) {
    t.phase = PLAY;
    t.turn = t.leader = t.contract == DECL ? t.declarer : (t.dealer + 1) % 4;
}

static void close_auction(Table& t) {
    t.contract = t.standing, t.declarer = t.holder, t.partner = t.acceptor;
    if (t.contract == ABU) {
        t.phase = NAMING, t.turn = t.declarer;
        return;
    }
    t.trump = t.contract == MIS || t.contract == OUV || t.contract == DECL ? NO_TRUMP : t.suit;
    open_play(t);
}

static void next_speaker(Table& t) {
    int asked = t.asked, eldest = (t.dealer + 1) % 4;
    bool proposal_open = t.standing == PC && t.acceptor == NOBODY;
    t.asked = NORMALLY;
    if (t.standing == DECL) return close_auction(t);
    for (int step = 1; step < 4; step++) {
        int speaker = (t.turn + step) % 4;
        if (!(t.passed >> speaker & 1) && speaker != t.holder && speaker != t.acceptor) {
            t.turn = speaker;
            return;
        }
    }
    if (proposal_open && t.holder != eldest && asked == NORMALLY) {
        t.asked = ELDEST, t.turn = eldest;
    } else if (proposal_open && asked != PROPOSER) {
        t.asked = PROPOSER, t.turn = t.holder;
    } else if (proposal_open || t.standing == NO_CONTRACT) {
        t.phase = OVER, t.turn = NOBODY;
    } else {
        close_auction(t);
    }
}

static void apply_call(Table& t, int call) {
    t.calls[t.n_calls] = call, t.call_seats[t.n_calls++] = t.turn;
    if (call == PASS) {
        t.passed |= 1 << t.turn;
    } else if (call == COP) {
        t.acceptor = t.turn;
    } else {
        t.standing = CONTRACT_OF_CALL[call - PASS], t.holder = t.turn, t.acceptor = NOBODY;
    }
    next_speaker(t);
}

// --- the play

static Cards legal_cards(const Table& t) {
    Cards hand = t.hand[t.turn];
    int in_trick = t.n_plays % 4;
    if (in_trick == 0) return hand;
    Cards following = hand & SUIT << 13 * (t.plays[t.n_plays - in_trick] / 13);
    return following ? following : hand;
}

static void settle(Table& t) {
    int taken = t.tricks[t.declarer] + (t.partner == NOBODY ? 0 : t.tricks[t.partner]);
    bool misere = t.contract == MIS || t.contract == OUV;
    bool made = misere ? taken == 0 : taken >= TARGET[t.contract];
    int amount = made ? BASE[t.contract] : -BASE[t.contract];
    for (int seat = 0; seat < 4; seat++) t.payoff[seat] = seat == t.partner ? amount : -amount;
    t.payoff[t.declarer] = t.partner == NOBODY ? 3 * amount : amount;
}

static void apply_card(Table& t, int card) {
    int seat = t.turn, place = t.n_plays % 4;
    t.hand[seat] &= ~(Cards(1) << card);
    t.played[seat] |= Cards(1) << card;
    if (place > 0) {
        int led = t.plays[t.n_plays - place] / 13;
        if (card / 13 != led) t.failed[seat] |= 1 << led;
    }
    t.plays[t.n_plays] = card, t.play_seats[t.n_plays++] = seat;
    if (place < 3) {
        t.turn = (seat + 1) % 4;
        return;
    }
    const int8_t* trick = t.plays + t.n_plays - 4;
    int best = 0, number = t.n_plays / 4 - 1;
    for (int i = 1; i < 4; i++) {
        bool same = trick[i] / 13 == trick[best] / 13;
        if (same ? trick[i] > trick[best] : trick[i] / 13 == t.trump) best = i;
    }
    int winner = (t.leader + best) % 4;
    t.winners[number] = t.leader = t.turn = winner;
    t.tricks[winner]++;
    if (number == 0 && t.contract == OUV) t.exposed = t.declarer;
    bool lost = false;
    if (t.contract == MIS || t.contract == OUV) lost = winner == t.declarer;
    if (t.contract == DECL) lost = winner != t.declarer;
    if (lost || t.n_plays == 52) {
        t.phase = OVER, t.turn = NOBODY;
        settle(t);
    }
}

static void apply(Table& t, int action) {
    if (action < PASS) return apply_card(t, action);
    if (action < FIRST_TRUMPS) return apply_call(t, action);
    t.trump = action - FIRST_TRUMPS;
    open_play(t);
}

static int draw(const Table& t, Random& random) {
    if (t.phase == PLAY) {
        Cards cards = legal_cards(t);
        return nth(cards, random.below(count(cards)));
    }
    if (t.phase == NAMING) return FIRST_TRUMPS + random.below(4);
    int calls = legal_calls(t), total = 0;
    for (int i = 0; i < 12; i++) total += calls >> i & 1 ? WEIGHTS[i] : 0;
    int left = random.below(total);
    for (int i = 0; i < 12; i++) {
        left -= calls >> i & 1 ? WEIGHTS[i] : 0;
        if (left < 0) return PASS + i;
    }
    return PASS;
}

// --- what a seat sees

static inline void set_cards(Cards cards, int8_t* out) {
    for (; cards; cards &= cards - 1) out[lowest(cards)] = 1;
}

static inline void one_hot(int place, int8_t* out) {
    if (place >= 0) out[place] = 1;
}

static void write_observation(const Table& t, int seat, int8_t* out) {
    auto rel = [seat](int other) { return other == NOBODY ? NOBODY : (other - seat) & 3; };
    memcpy(out, BLANK, N_FEATURES);  // zeros, and the columns that never change: ruleset, session, pack
    // cards
    set_cards(t.hand[seat], out + AT_HAND);
    int in_trick = t.phase == OVER ? 0 : t.n_plays % 4;
    for (int i = 0; i < 4; i++) set_cards(t.played[(seat + i) & 3], out + AT_PLAYED + 52 * i);
    for (int i = 0; i < t.n_plays; i++) out[AT_PLAYED_TRICK + t.plays[i]] = 1 + i / 4;
    for (int i = t.n_plays - in_trick; i < t.n_plays; i++)
        out[AT_TRICK + 52 * rel(t.play_seats[i]) + t.plays[i]] = 1;
    if (t.phase == PLAY) out[AT_LEADER + rel(t.leader)] = 1;
    int n_tricks = t.n_plays / 4;
    for (int i = 0; i < n_tricks; i++) out[AT_TRICK_WINNERS + 4 * i + rel(t.winners[i])] = 1;
    for (int i = 0; i < 4; i++)
        for (int suit = 0; suit < 4; suit++) out[AT_FAILED + 4 * i + suit] = t.failed[(seat + i) & 3] >> suit & 1;
    out[AT_TURNED + t.turned] = 1;
    out[AT_SUIT + t.suit] = 1;
    if (t.exposed != NOBODY) {
        out[AT_EXPOSED_SEAT + rel(t.exposed)] = 1;
        set_cards(t.hand[t.exposed], out + AT_EXPOSED);
    }
    // auction
    for (int i = 0; i < t.n_calls; i++) {
        int call = t.calls[i] - PASS, by = rel(t.call_seats[i]);
        out[AT_CALLS + 16 * i + call] = 1;
        out[AT_CALLS + 16 * i + 12 + by] = 1;
        out[AT_CALLS_BY_SEAT + 12 * by + call] = 1;
    }
    one_hot(t.standing, out + AT_STANDING);
    one_hot(rel(t.holder), out + AT_HOLDER);
    one_hot(rel(t.acceptor), out + AT_ACCEPTOR);
    one_hot(t.asked - 1, out + AT_ASKED);
    out[AT_PHASE + t.phase] = 1;
    out[AT_DEALER + rel(t.dealer)] = 1;
    // contract
    int declarer = rel(t.declarer), partner = rel(t.partner), declaring = 0;
    one_hot(t.contract, out + AT_CONTRACT);
    one_hot(declarer, out + AT_DECLARER);
    one_hot(partner, out + AT_PARTNER);
    out[AT_ROLE + (t.contract == NO_CONTRACT ? 0 : declarer == 0 ? 1 : partner == 0 ? 2 : 3)] = 1;
    out[AT_TRUMP + t.trump + 2] = 1;
    for (int i = 0; i < 4; i++) {
        int tricks = t.tricks[(seat + i) & 3];
        out[AT_TRICKS + i] = tricks;
        if (i == declarer || i == partner) declaring += tricks;
    }
    out[AT_TRICKS_LEFT] = 13 - n_tricks;
    // the account of a session of one deal, whose payoffs are below the base of its digits
    for (int i = 0; i < 4; i++) out[AT_ACCOUNT + 4 * i] = t.payoff[(seat + i) & 3];
    if (declarer != NOBODY) {
        out[AT_TRICKS_BY_SIDE] = declaring;
        out[AT_TRICKS_BY_SIDE + 1] = n_tricks - declaring;
        if (TARGET[t.contract] > declaring) out[AT_TRICKS_NEEDED] = TARGET[t.contract] - declaring;
    }
}

static void write_mask(const Table& t, int8_t* out) {
    memset(out, 0, N_ACTIONS);
    if (t.phase == PLAY) set_cards(legal_cards(t), out);
    if (t.phase == AUCTION) set_cards(legal_calls(t), out + PASS);
    if (t.phase == NAMING) memset(out + FIRST_TRUMPS, 1, 4);
}

// --- the four programs

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename Work>
static void serve(Work work) {
    puts("ready");
    fflush(stdout);
    double seconds;
    while (scanf("%lf", &seconds) == 1) {
        long steps = 0;
        double spent = 0;
        while (spent < seconds) work(steps, spent);
        printf("%ld %.9f\n", steps, spent);
        fflush(stdout);
    }
}

static void play(uint32_t seed) {
    Random random(seed);
    Table t;
    serve([&](long& steps, double& spent) {
        double start = now();
        for (int i = 0; i < 500; i++) {
            deal(t, random);
            for (; t.phase != OVER; steps++) apply(t, draw(t, random));
        }
        spent += now() - start;
    });
}

static void observe(int n, uint32_t seed) {
    Random random(seed);
    std::vector<Table> tables(n);
    std::vector<int64_t> actions(n);
    std::vector<int8_t> observation(size_t(n) * N_FEATURES), final_observation(size_t(n) * N_FEATURES);
    std::vector<int8_t> mask(size_t(n) * N_ACTIONS), turn(n), settled(n), done(n);
    std::vector<int32_t> payoff(size_t(n) * 4);
    for (Table& t : tables) deal(t, random);
    auto step = [&](long& steps, double& spent) {
        for (int b = 0; b < n; b++) actions[b] = draw(tables[b], random);
        double start = now();
        for (int b = 0; b < n; b++) {
            Table& t = tables[b];
            int actor = t.turn;
            apply(t, actions[b]);
            settled[b] = done[b] = t.phase == OVER;
            memcpy(&payoff[size_t(b) * 4], t.payoff, sizeof t.payoff);
            if (t.phase == OVER) {
                write_observation(t, actor, &final_observation[size_t(b) * N_FEATURES]);
                deal(t, random);
            }
            turn[b] = t.turn;
            write_observation(t, t.turn, &observation[size_t(b) * N_FEATURES]);
            write_mask(t, &mask[size_t(b) * N_ACTIONS]);
        }
        spent += now() - start;
        steps += n;
    };
    long steps = 0;
    double spent = 0;
    for (int i = 0; i < WARM_UP_STEPS; i++) step(steps, spent);  // so that the tables are at different places
    serve(step);
}

static void mix(int n, uint32_t seed) {
    Random random(seed);
    Table t;
    long steps = 0, played[11] = {0};
    for (int i = 0; i < n; i++) {
        deal(t, random);
        for (; t.phase != OVER; steps++) apply(t, draw(t, random));
        played[t.contract + 1]++;
    }
    printf("%ld", steps);
    for (long times : played) printf(" %ld", times);
    puts("");
}

static void replay() {
    int dealer, n_actions, card, action;
    int8_t observation[N_FEATURES], mask[N_ACTIONS];
    while (scanf("%d %d", &dealer, &n_actions) == 2) {
        Table t;
        for (int seat = 0, turned = 0; seat < 4; seat++) {
            t.hand[seat] = 0;
            for (int i = 0; i < 13 && scanf("%d", &card) == 1; i++) t.hand[seat] |= Cards(1) << card;
            if (seat == dealer) turned = card;
            if (seat == 3) open_auction(t, dealer, turned);
        }
        for (int seat = t.turn, i = 0; i <= n_actions; i++) {
            if (t.turn != NOBODY) seat = t.turn;
            write_observation(t, seat, observation);
            write_mask(t, mask);
            fwrite(observation, 1, N_FEATURES, stdout);
            fwrite(mask, 1, N_ACTIONS, stdout);
            if (i < n_actions && scanf("%d", &action) == 1) apply(t, action);
        }
        fwrite(t.payoff, sizeof(int32_t), 4, stdout);
    }
}

int main(int n, char** given) {
    std::string what = n > 1 ? given[1] : "";
    if (what == "play" && n == 3) play(atoi(given[2]));
    else if (what == "observe" && n == 4) observe(atoi(given[2]), atoi(given[3]));
    else if (what == "mix" && n == 4) mix(atoi(given[2]), atoi(given[3]));
    else if (what == "replay" && n == 2) replay();
    else return fprintf(stderr, "solo play SEED | observe B SEED | mix N SEED | replay\n"), 2;
    return 0;
}
