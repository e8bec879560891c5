"""Mean pooling and normalisation of packed sequences in one pass over the hidden states."""

import torch
import triton
import triton.language as tl


@triton.jit
def _pool(hidden, offsets, rows, width: tl.constexpr, columns: tl.constexpr, tokens: tl.constexpr):
    text = tl.program_id(0)
    start = tl.load(offsets + text)
    end = tl.load(offsets + text + 1)
    column = tl.arange(0, columns)
    total = tl.zeros((columns,), dtype=tl.float32)
    for first in range(start, end, tokens):
        token = first + tl.arange(0, tokens)
        places = hidden + token[:, None].to(tl.int64) * width + column[None, :]
        wanted = (token[:, None] < end) & (column[None, :] < width)
        total += tl.sum(tl.load(places, mask=wanted, other=0.0).to(tl.float32), axis=0)
    # The mean and the sum point the same way, so that the length of the text cancels out.
    norm = tl.sqrt(tl.sum(total * total, axis=0))
    tl.store(rows + text.to(tl.int64) * width + column, total / tl.maximum(norm, 1e-12), mask=column < width)


def pool(hidden: torch.Tensor, offsets: torch.Tensor, rows: torch.Tensor) -> None:
    """Writes the unit-length mean of each sequence of `hidden` [tokens, width] into `rows` [texts, width]."""
    width = hidden.shape[1]
    columns = triton.next_power_of_2(width)
    _pool[(rows.shape[0],)](hidden, offsets, rows, width=width, columns=columns, tokens=8)
