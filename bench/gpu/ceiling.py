"""What the GPU alone can do: token ids already on the device, no HTTP, no copies.

Usage: python3 ceiling.py FOLDER [--dtypes fp32 fp16 bf16 int8] [--sizes fp16], where FOLDER holds the files of write-corpus.ts
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
import torch

from model import DTYPES, TOKEN_MULTIPLE, Encoder

BATCH_TOKENS = 65536
SIZES = (2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288)


def read_corpus(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Lengths and packed ids of a file in the binary form of a request."""
    data = path.read_bytes()
    count = int.from_bytes(data[:4], "little")
    lengths = np.frombuffer(data, "<u4", count, 4).astype(np.int32)
    return lengths, np.frombuffer(data, "<u2", offset=4 + 4 * count).astype(np.int32)


def batches_of(lengths: np.ndarray, ids: np.ndarray, tokens: int, most: int) -> list[tuple]:
    """At most `most` packed batches of up to `tokens` tokens, on the device."""
    batches, first, at = [], 0, 0
    ends = np.cumsum(lengths)
    while first < len(lengths) and len(batches) < most:
        last = max(first + 1, int(np.searchsorted(ends, at + tokens, side="right")))
        part = lengths[first:last]
        offsets = np.concatenate([[0], np.cumsum(part)]).astype(np.int32)
        total = int(offsets[-1])
        padded = -(-total // TOKEN_MULTIPLE) * TOKEN_MULTIPLE
        inputs = np.zeros((2, padded), dtype=np.int32)
        inputs[0, :total] = ids[at : at + total]
        inputs[1, :total] = np.arange(total) - np.repeat(offsets[:-1], part)
        device = torch.from_numpy(inputs).cuda()
        rows = torch.empty((len(part), 384), device="cuda")
        batches.append((device[0], device[1], torch.from_numpy(offsets).cuda(), int(part.max()), rows, total))
        first, at = last, at + total
    return batches


def measure(encoder: Encoder, batches: list[tuple], rounds: int = 7) -> dict:
    """Median rates over several rounds through all batches."""
    texts = sum(len(batch[4]) for batch in batches)
    tokens = sum(batch[5] for batch in batches)
    repeats = max(1, 2_000_000 // tokens)
    seconds = []
    for round_number in range(rounds + 2):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(repeats):
            for *inputs, _ in batches:
                encoder.encode(*inputs)
        end.record()
        torch.cuda.synchronize()
        if round_number >= 2:
            seconds.append(start.elapsed_time(end) / 1000)
    median = statistics.median(seconds)
    return {"texts_per_second": round(repeats * texts / median), "tokens_per_second": round(repeats * tokens / median)}


def report(**line) -> None:
    print(json.dumps(line), flush=True)


def agreement(encoder: Encoder, batches: list[tuple], reference: torch.Tensor | None):
    """The rows of one batch, and their lowest cosine to those of the reference."""
    *inputs, _ = batches[0]
    inputs[4].fill_(float("nan"))
    encoder.encode(*inputs)
    rows = inputs[4].clone()
    return rows, None if reference is None else float((rows * reference).sum(dim=1).min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dtypes", nargs="+", default=list(DTYPES), choices=DTYPES)
    parser.add_argument("--sizes", nargs="*", default=[], choices=DTYPES, help="also the rate by size of batch")
    options = parser.parse_args()
    corpora = {mix: read_corpus(options.folder / f"{mix}.bin") for mix in ("mixed", "short", "long")}
    reference = None
    for dtype in options.dtypes:
        began = time.monotonic()
        encoder = Encoder(dtype)
        rows, lowest = agreement(encoder, batches_of(*corpora["mixed"], BATCH_TOKENS, 1), reference)
        reference = rows if reference is None else reference
        report(dtype=dtype, first_call_seconds=round(time.monotonic() - began, 1), lowest_cosine=lowest)
        for mix, corpus in corpora.items():
            batches = batches_of(*corpus, BATCH_TOKENS, 12)
            report(dtype=dtype, mix=mix, batch_tokens=BATCH_TOKENS, **measure(encoder, batches))
        if dtype in options.sizes:
            for size in SIZES:
                batches = batches_of(*corpora["mixed"], size, 12)
                report(dtype=dtype, mix="mixed", batch_tokens=size, **measure(encoder, batches))


if __name__ == "__main__":
    main()
