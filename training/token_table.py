"""A vector for each token: a text is the sum of its tokens' rows, scaled to length one."""

import hashlib
import struct

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from encoder import VOCABULARY

#: Pieces below this are padding, unused entries and marks such as [CLS]: they say nothing.
FIRST_PIECE = 999
MARK = b"quarry token table 1\n"


class TokenTable(nn.Module):
    """Rows carry their weight in their length, as the file does."""

    def __init__(self, rows: Tensor) -> None:
        super().__init__()
        self.rows = nn.Parameter(rows)
        counted = torch.ones(VOCABULARY, 1, device=rows.device)
        counted[:FIRST_PIECE] = 0
        self.register_buffer("counted", counted)

    def forward(self, ids: Tensor) -> Tensor:
        with torch.autocast(ids.device.type, enabled=False):
            return F.normalize(F.embedding_bag(ids, self.rows * self.counted, mode="sum"), dim=-1)

    def quantised(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows in 8 bits, each with its own step."""
        rows = (self.rows * self.counted).detach().float().cpu().numpy()
        steps = np.abs(rows).max(1) / 127
        whole = np.divide(rows, steps[:, None], out=np.zeros_like(rows), where=steps[:, None] > 0)
        return np.rint(whole).astype(np.int8), steps.astype("<f4")


def file_of(values: np.ndarray, steps: np.ndarray) -> bytes:
    """The table as Quarry's static embedder reads it: mark, size, steps, rows, and the SHA-256 of all that."""
    content = MARK + struct.pack("<II", *values.shape) + steps.astype("<f4").tobytes() + values.tobytes()
    return content + hashlib.sha256(content).digest()


def first_rows(vectors: Tensor, frequencies: Tensor) -> Tensor:
    """A start: a teacher's vector of each token alone, without what all have in common, rare tokens heavier."""
    rare = 1e-3 / (1e-3 + frequencies / frequencies.sum())
    return F.normalize(vectors - vectors[FIRST_PIECE:].mean(0), dim=-1) * rare[:, None]
