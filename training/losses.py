"""What a student is asked to do with a batch of pairs."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

#: Similarities are divided by this before they become probabilities.
TEMPERATURE = 0.05
#: A passage that the teachers rank this near to the right one is not taken for a wrong one.
NEAR = 0.03
#: Two passages this alike are copies of each other.
COPY = 0.9
#: Below this the teachers do not believe in the pair at all.
BELIEVED = 0.15


@dataclass(frozen=True)
class Weights:
    """How much each aim counts: the teachers' vectors, their order within the batch, the pairs, and MiniLM's pieces."""

    vector: float = 1.0
    order: float = 1.0
    pairs: float = 0.3
    pieces: float = 1.0


def divergence(student: Tensor, teacher: Tensor) -> Tensor:
    return F.kl_div(student.log_softmax(1), teacher.softmax(1), reduction="batchmean")


def vector_loss(student: Tensor, teacher: Tensor) -> Tensor:
    return (1 - (student * teacher).sum(1)).mean()


def pair_losses(
    query: Tensor, passage: Tensor, query_target: Tensor, passage_target: Tensor, weights: Weights
) -> Tensor:
    taught = query_target @ passage_target.T
    found = query @ passage.T / TEMPERATURE
    loss = weights.order / 2 * (divergence(found, taught / TEMPERATURE) + divergence(found.T, taught.T / TEMPERATURE))
    right = taught.diagonal()
    unsure = taught > torch.maximum(right[:, None], right[None]) - NEAR
    unsure |= passage_target @ passage_target.T > COPY
    unsure.fill_diagonal_(False)
    found = found.masked_fill(unsure, -1e4)
    labels = torch.arange(len(found), device=found.device)
    believed = right > BELIEVED
    if believed.any():
        both = F.cross_entropy(found[believed], labels[believed]) + F.cross_entropy(found.T[believed], labels[believed])
        loss = loss + weights.pairs / 2 * both
    return loss
