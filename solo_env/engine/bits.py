"""Card sets and random numbers, in plain integer arithmetic that means the same jitted and not.

``int64`` throughout: ``uint64 >> int64`` compiles to a float in numba and raises in numpy, and 52 bits never
reach the sign. Products stay below 2**63 because the multipliers of the hash are below 2**31.
"""

from __future__ import annotations

from solo_env.cards import N_RANKS, PACK, SUIT_MASK
from solo_env.engine._jit import kernel

LOW32 = 0xFFFFFFFF


@kernel
def popcount(cards):
    """How many cards are in a set."""
    n = 0
    while cards:  # the compiler knows this loop and makes it one popcnt
        cards &= cards - 1
        n += 1
    return n


@kernel
def lowest(cards):
    """The lowest-numbered card of a set that is not empty."""
    return popcount((cards & -cards) - 1)


@kernel
def highest(cards):
    """The highest-numbered card of a set that is not empty."""
    card = -1
    cards &= PACK  # known to have no sign, this loop is one count of leading zeros to the compiler
    while cards:
        cards >>= 1
        card += 1
    return card


@kernel
def suit_cards(cards, suit):
    """The cards of one suit in a set."""
    return cards & (SUIT_MASK << (N_RANKS * suit))


@kernel
def nth_card(cards, n):
    """The n-th lowest card (from 0) of a set that has more than n."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


@kernel
def mix(x):
    """A 32-bit number scrambled: every input bit moves every output bit."""
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & LOW32
    x ^= x >> 15
    x = (x * 0x735A2D97) & LOW32
    return x ^ (x >> 15)


@kernel
def seed_stream(rng, seed, index, game, stream):
    """Set the generator ``rng`` (int64[4]) to the start of one stream of (seed, index, game)."""
    a, b, c = 0x243F6A88, 0x13198A2E, 0x03707344
    for word in (seed & LOW32, seed >> 32, index & LOW32, index >> 32, game & LOW32, game >> 32, stream):
        a = mix(a ^ word)
        b = mix((b + a) & LOW32)
        c = mix(c ^ b)
    rng[0], rng[1], rng[2], rng[3] = a, b, c, 1
    for _ in range(4):
        next_random(rng)


@kernel
def next_random(rng):
    """The next number 0 .. 2**32 - 1; moves ``rng`` (sfc32, a small chaotic generator with a counter)."""
    out = (rng[0] + rng[1] + rng[3]) & LOW32
    rng[3] = (rng[3] + 1) & LOW32
    rng[0] = rng[1] ^ (rng[1] >> 9)
    rng[1] = (rng[2] + (rng[2] << 3)) & LOW32
    rng[2] = ((((rng[2] << 21) | (rng[2] >> 11)) & LOW32) + out) & LOW32
    return out


@kernel
def random_below(rng, n):
    """A number 0 .. n-1 (n up to 2**16; the bias is below 2**-16); moves ``rng``."""
    return (next_random(rng) * n) >> 32


@kernel
def random_unit(rng):
    """A number from 0 up to but not including 1, a multiple of 2**-53; moves ``rng`` twice."""
    high = next_random(rng) >> 5
    return (high * 2.0**26 + (next_random(rng) >> 6)) / 2.0**53


@kernel
def decision_key(seed, deal, seat, decision):
    """A number 0 .. 2**62 - 1 that belongs to one decision: what a player may draw its randomness from."""
    a, b = key_start(seed, deal)
    return key_from(a, b, seat, decision)


@kernel
def key_start(seed, deal):
    """What the decision keys of one deal have in common, two numbers."""
    a, b = 0x5851F42D, 0x14057B7E
    for word in (seed & LOW32, seed >> 32, deal & LOW32, deal >> 32):
        a = mix(a ^ word)
        b = mix((b + a) & LOW32)
    return a, b


@kernel
def key_from(a, b, seat, decision):
    """The decision key of one decision of the deal that starts with ``a`` and ``b``."""
    for word in (seat, decision):
        a = mix(a ^ word)
        b = mix((b + a) & LOW32)
    return (a << 30) ^ b


@kernel
def key_below(key, n):
    """A number 0 .. n-1 drawn from a decision key."""
    return (mix((key ^ (key >> 30)) & LOW32) * n) >> 32
