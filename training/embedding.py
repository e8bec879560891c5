"""Vectors of many texts from an encoder or a token table."""

import torch
from torch import Tensor, nn

from corpus import DEVICE, Texts

TOKENS_AT_ONCE = 400_000


def mixed_precision():
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


@torch.no_grad()
def embed_all(model: nn.Module, texts: Texts, prefix: list[int] | None = None) -> Tensor:
    """One row a text; texts of like length go together, so that little is padding."""
    model.eval()
    order = torch.argsort(texts.lengths)
    lengths = texts.lengths[order].tolist()
    rows, at = [], 0
    while at < len(order):
        size = max(1, TOKENS_AT_ONCE // (lengths[min(len(order), at + 2048) - 1] + 16))
        with mixed_precision():
            rows.append(model(texts.batch(order[at : at + size], prefix)).float())
        at += size
    model.train()
    vectors = torch.cat(rows)
    placed = torch.empty_like(vectors)
    placed[order] = vectors
    return placed
