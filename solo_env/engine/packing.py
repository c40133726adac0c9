"""Rows of observations in other forms: chosen blocks only, or with a bit for every column that is 0 or 1."""

from __future__ import annotations

from solo_env.engine._jit import kernel

BITS = 8
SIGN = 1 << (BITS - 1)
GATHER_BITS = 0x0102040810204080  # eight bytes of 0 or 1 times this: their bits, the first the lowest, on top
TOP_BYTE = 56
COLUMN_BITS = 2047  # what the number of a column needs; masked so, it is known not to count from the end


@kernel
def write_form(rows, spans, n_bits, words, gathered, out, b):
    """Fill ``out[b]`` (int8[N, W]) with the columns of ``rows[0]`` (``ROW``) that a form keeps.

    ``spans`` (int64[n, 3]) are runs of columns: from, to (not included), and where they go. With ``n_bits`` that
    many are 0 or 1, go first and become bits, and the others go to the next multiple of eight; ``words`` (int64)
    and ``gathered`` (int8), the same memory, are scratch of zeros.
    """
    columns = rows[0]["columns"]
    if n_bits == 0:
        for i in range(len(spans)):
            first, to = spans[i, 0] & COLUMN_BITS, spans[i, 2] & COLUMN_BITS
            for k in range(spans[i, 1] - spans[i, 0]):
                out[b, to + k] = columns[first + k]
        return
    for i in range(len(spans)):
        first, to = spans[i, 0] & COLUMN_BITS, spans[i, 2] & COLUMN_BITS
        for k in range(spans[i, 1] - spans[i, 0]):
            gathered[to + k] = columns[first + k]
    n_words = (n_bits + BITS - 1) // BITS
    for k in range(n_words):
        bits = int(words[k]) * GATHER_BITS >> TOP_BYTE & 255
        out[b, k] = bits - 2 * SIGN if bits & SIGN else bits  # as int8
    for k in range(out.shape[1] - n_words):
        out[b, n_words + k] = gathered[BITS * n_words + k]


@kernel
def unpack_rows(packed, places, n_bits, out):
    """Fill ``out`` (int8[N, M]) from packed rows; ``places`` (int64[M]) says where each column goes, bits first."""
    for n in range(len(packed)):
        for i in range(n_bits):
            out[n, places[i]] = int(packed[n, i // BITS]) >> (i % BITS) & 1
        at = (n_bits + BITS - 1) // BITS
        for i in range(n_bits, len(places)):
            out[n, places[i]] = packed[n, at]
            at += 1
