"""Judges of a question and a passage: late interaction over the pieces of both, and a small cross-encoder."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from encoder import WIDTH, Encoder

#: Pieces of a question and of a passage that a judge looks at.
LONGEST_QUESTION, LONGEST_PASSAGE = 48, 192


class LateInteraction(nn.Module):
    """For each piece of the question the nearest of the passage; the pieces of the question have learned weights."""

    def __init__(self, encoder: Encoder, width: int | None = 96) -> None:
        super().__init__()
        self.encoder = encoder
        self.turn = nn.Linear(WIDTH, width, bias=False) if width else None
        self.weigh = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.weigh.weight)
        nn.init.zeros_(self.weigh.bias)

    @torch.no_grad()
    def begin(self, ids: Tensor) -> None:
        """Starts with the main axes of the pieces of some texts, so that nothing is lost before training."""
        states = self.encoder.states(ids)[-1][ids != 0].float()
        _, axes = torch.linalg.eigh((states.T @ states).double())
        self.turn.weight.copy_(axes[:, -self.turn.out_features :].T.float())

    def pieces(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Unit vectors of the pieces and their weights; padding weighs nothing."""
        states = self.encoder.states(ids)[-1]
        vectors = F.normalize((self.turn(states) if self.turn else states).float(), dim=-1)
        weights = F.softplus(self.weigh(states).float().squeeze(-1)) * (ids != 0)
        return vectors, weights

    def forward(self, questions: Tensor, passages: Tensor) -> Tensor:
        """Scores of (lists, candidates), from questions (lists, length) and passages (lists, candidates, length)."""
        lists, candidates, length = passages.shape
        asked, weights = self.pieces(questions)
        shown, _ = self.pieces(passages.reshape(-1, length))
        shown = shown.view(lists, candidates, length, -1)
        near = torch.einsum("lqd,lcpd->lcqp", asked.bfloat16(), shown.bfloat16()).float()
        near = near.masked_fill((passages == 0)[:, :, None, :], -1).amax(-1)
        return (near * weights[:, None]).sum(-1) / weights.sum(-1)[:, None]


class CrossEncoder(nn.Module):
    """Reads question and passage as one text."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.score = nn.Linear(WIDTH, 1)

    def forward(self, questions: Tensor, passages: Tensor) -> Tensor:
        lists, candidates, length = passages.shape
        repeated = questions[:, None].expand(-1, candidates, -1).reshape(lists * candidates, -1)
        ids = joined(repeated, passages.reshape(-1, length))
        present = (ids != 0).float()[:, :, None]
        states = self.encoder.states(ids)[-1].float()
        return self.score((states * present).sum(1) / present.sum(1)).view(lists, candidates).float()


def joined(questions: Tensor, passages: Tensor) -> Tensor:
    """`[CLS] question [SEP] passage [SEP]`, padded at the end."""
    rows, first = len(questions), questions.shape[1]
    ids = questions.new_zeros(rows, first + passages.shape[1])
    ids[:, :first] = questions
    # The passage begins where the question ends, without its own mark of a beginning.
    places = (questions != 0).sum(1, keepdim=True) + torch.arange(passages.shape[1] - 1, device=ids.device)
    return ids.scatter(1, places, passages[:, 1:])
