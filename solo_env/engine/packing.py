"""Rows of observations in other forms: chosen blocks only, or with a bit for every column that is 0 or 1."""

from __future__ import annotations

from solo_env.engine._jit import kernel
from solo_env.engine.observe import write_observation

BITS = 8
SIGN = 1 << (BITS - 1)


@kernel
def write_row(view, rules, whole, spans, columns, n_bits, out):
    """Fill ``out`` (int8, every column) with the observation of a view in the form that the plan asks.

    ``spans`` (int64[n, 2], start and stop) are the columns kept, none for all; ``columns`` and ``n_bits`` are as in
    :func:`pack_row`, no columns for a row that isn't packed; ``whole`` (int8[F]) is scratch.
    """
    if len(columns):
        write_observation(view, rules, whole)
        pack_row(whole, columns, n_bits, out)
    elif len(spans):
        write_observation(view, rules, whole)
        at = 0
        for i in range(len(spans)):
            for column in range(spans[i, 0], spans[i, 1]):
                out[at] = whole[column]
                at += 1
    else:
        write_observation(view, rules, out)


@kernel
def pack_row(whole, columns, n_bits, out):
    """Fill ``out`` with the ``columns`` (int64) of a row: the first ``n_bits`` as bits, the others as bytes."""
    at = 0
    for first in range(0, n_bits, BITS):
        bits = 0
        for i in range(first, min(first + BITS, n_bits)):
            bits |= int(whole[columns[i]]) << (i - first)
        out[at] = bits - 2 * SIGN if bits & SIGN else bits  # as int8
        at += 1
    for i in range(n_bits, len(columns)):
        out[at] = whole[columns[i]]
        at += 1


@kernel
def unpack_rows(packed, places, n_bits, out):
    """Fill ``out`` (int8[N, M]) from packed rows; ``places`` (int64[M]) says where each packed column goes."""
    for n in range(len(packed)):
        for i in range(n_bits):
            out[n, places[i]] = int(packed[n, i // BITS]) >> (i % BITS) & 1
        at = (n_bits + BITS - 1) // BITS
        for i in range(n_bits, len(places)):
            out[n, places[i]] = packed[n, at]
            at += 1
