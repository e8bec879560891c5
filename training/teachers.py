"""What the teachers say of each text, as one vector that a student can learn."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from corpus import DEVICE, Corpus
from embedding import embed_all
from encoder import Encoder, from_weights, narrowed
from weights import unpack

#: bge asks for this before a query.
BGE_PREFIX = "Represent this sentence for searching relevant passages: "
#: How much each teacher counts. MiniLM keeps what the student starts from.
WEIGHTS = {"gte": 1.0, "bge": 1.0, "minilm": 1.0}


@dataclass
class Targets:
    passages: Tensor
    queries: Tensor

    def of_width(self, width: int) -> "Targets":
        """The targets on their main axes, scaled to length one again."""
        axes = main_axes(self.passages, width)
        return Targets(F.normalize(self.passages @ axes, dim=-1), F.normalize(self.queries @ axes, dim=-1))


def open_encoder(
    folder: Path, name: str, layers: list[int] | None = None, inner: int | None = None, rectified: bool = False
) -> Encoder:
    weights = unpack((folder / f"{name}.npz.xz").read_bytes())
    weights = narrowed(weights, inner) if inner else weights
    count = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))
    return from_weights(weights, layers or list(range(count)), name == "bge", rectified).to(DEVICE)


def main_axes(rows: Tensor, width: int) -> Tensor:
    _, axes = torch.linalg.eigh((rows.T @ rows).double())
    return axes[:, -width:].float()


def centred(passages: Tensor, queries: Tensor) -> tuple[Tensor, Tensor]:
    """Queries and passages are centred apart: length and prefix move their means."""
    return F.normalize(passages - passages.mean(0), dim=-1), F.normalize(queries - queries.mean(0), dim=-1)


def teach(folder: Path, corpus: Corpus, prefix: list[int], width: int = 384) -> Targets:
    """The teachers' centred vectors side by side, on their main axes, turned so that they lie nearest to MiniLM's."""
    parts = {}
    for name in WEIGHTS:
        teacher = open_encoder(folder, name)
        queries = embed_all(teacher, corpus.queries, prefix if name == "bge" else None)
        parts[name] = centred(embed_all(teacher, corpus.passages), queries)
    passages = torch.cat([weight * parts[name][0] for name, weight in WEIGHTS.items()], 1)
    queries = torch.cat([weight * parts[name][1] for name, weight in WEIGHTS.items()], 1)
    axes = main_axes(torch.cat([passages, queries]), width)
    passages, queries = F.normalize(passages @ axes, dim=-1), F.normalize(queries @ axes, dim=-1)
    left, _, right = torch.linalg.svd((passages.T @ parts["minilm"][0]).double())
    turn = (left @ right).float()
    return Targets(passages @ turn, queries @ turn)
