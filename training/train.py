"""Trains an encoder or a token table for so many seconds on batches of neighbouring pairs."""

import math
import time
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE, Corpus, Texts
from embedding import mixed_precision
from encoder import Encoder
from lessons import with_other_words
from losses import Weights, pair_losses, vector_loss
from teachers import Targets

WARM_UP_STEPS = 100
#: A batch is made of runs of so many neighbours, so that wrong answers come from the same package and are hard.
RUN = 96


@dataclass(frozen=True)
class Plan:
    """How one model is trained."""

    seconds: float
    seed: int = 0
    rate: float = 2e-4
    pairs: int = 1152
    alone: int = 768
    """Passages without a query in each batch; they learn the teachers' vectors only. Half are general prose."""
    kept: int = 512
    """Passages of which each piece learns what MiniLM makes of it."""
    weights: Weights = field(default_factory=Weights)
    int8_from: float = 1.0
    """Part of the time after which the encoder acts as its int8 export."""


def embed(model: nn.Module, texts: Texts, chosen: Tensor, parts: int) -> Tensor:
    """Vectors in the order of `chosen`, made in parts of like length."""
    order = torch.argsort(texts.lengths[chosen])
    with mixed_precision():
        vectors = torch.cat([model(texts.batch(chosen[part])) for part in order.chunk(parts)])
    placed = torch.empty_like(order)
    placed[order] = torch.arange(len(order), device=DEVICE)
    return vectors[placed]


class Batches:
    """Queries of the training sources in random runs of neighbours, and random passages."""

    def __init__(self, corpus: Corpus, plan: Plan) -> None:
        self.queries = (~corpus.query_is_held_out).nonzero().flatten()
        self.passages = (~corpus.passage_is_held_out).nonzero().flatten()
        self.general = (corpus.is_general & ~corpus.passage_is_held_out).nonzero().flatten()
        self.corpus, self.plan = corpus, plan
        self.chance = torch.Generator().manual_seed(plan.seed)
        self.runs: list[int] = []

    def next(self) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, their passages, and passages alone. No passage stands twice: it would be its own wrong answer."""
        wanted = max(1, self.plan.pairs // RUN)
        count = len(self.queries) // RUN
        while len(self.runs) < wanted:
            self.runs += torch.randperm(count, generator=self.chance).tolist()
        chosen, self.runs = self.runs[:wanted], self.runs[wanted:]
        shift = int(torch.randint(RUN, (1,), generator=self.chance))
        places = torch.cat([torch.arange(run * RUN, run * RUN + RUN) for run in chosen]) + shift
        queries = self.queries[places.clamp_max(len(self.queries) - 1).to(DEVICE)]
        queries = queries[torch.randperm(len(queries), generator=self.chance).to(DEVICE)]
        passages = self.corpus.passage_of[queries]
        order = torch.argsort(passages, stable=True)
        is_first = torch.ones_like(order, dtype=torch.bool)
        is_first[1:] = passages[order][1:] != passages[order][:-1]
        kept = order[is_first]
        return queries[kept], passages[kept], self.some(self.plan.alone)

    def some(self, count: int) -> Tensor:
        """Random passages, half of them general prose."""
        pools = [self.passages, self.general] if len(self.general) else [self.passages, self.passages]
        drawn = [pool[torch.randint(len(pool), (count // 2,), generator=self.chance).to(DEVICE)] for pool in pools]
        return torch.cat(drawn)


def piece_loss(model: Encoder, teacher: Encoder, ids: Tensor, passed: float) -> Tensor:
    """How far the student's pieces are from MiniLM's after each third of the way; the end counts less with time."""
    with mixed_precision():
        own = model.states(ids)
        with torch.no_grad():
            wanted = teacher.states(ids)
    present = (ids != 0).float()
    step = len(wanted) // len(own)
    loss = ids.new_zeros((), dtype=torch.float)
    for number, value in enumerate(own):
        far = 1 - F.cosine_similarity(value.float(), wanted[(number + 1) * step - 1].float(), dim=-1)
        share = max(0.1, 1 - 1.5 * passed) if number == len(own) - 1 else 1
        loss = loss + share * (far * present).sum() / present.sum()
    return loss / len(own)


def train(
    name: str, model: nn.Module, corpus: Corpus, targets: Targets, plan: Plan, keeper: Encoder | None = None
) -> nn.Module:
    """Trains for the time of the plan; `keeper` is MiniLM, where its way through the layers is to be kept."""
    torch.manual_seed(plan.seed)
    model = model.to(DEVICE).train()
    optimiser = torch.optim.AdamW(model.parameters(), plan.rate, betas=(0.9, 0.98), eps=1e-6, fused=DEVICE == "cuda")
    batches, began, step, told = Batches(corpus, plan), time.monotonic(), 0, 0.0
    while (passed := (time.monotonic() - began) / plan.seconds) < 1:
        slope = max(0.02, (1 + math.cos(math.pi * passed)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1, (step + 1) / WARM_UP_STEPS) * slope
        if passed > plan.int8_from:
            model.act_as_int8(True)
        queries, passages, alone = batches.next()
        asked = embed(model, corpus.queries, queries, 2)
        shown = embed(model, corpus.passages, torch.cat([passages, alone]), 6)
        passage_targets = targets.passages[torch.cat([passages, alone])]
        query_targets = targets.queries[queries]
        taught = vector_loss(shown, passage_targets) + vector_loss(asked, query_targets)
        count = len(queries)
        pairs = pair_losses(asked, shown[:count], query_targets, passage_targets[:count], plan.weights)
        loss = plan.weights.vector * taught + pairs
        if keeper is not None:
            some = corpus.passages.batch(batches.some(plan.kept))
            loss = loss + plan.weights.pieces * piece_loss(model, keeper, with_other_words(some), passed)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.2:
            told = passed
            print(f"{name} step {step} loss {loss.item():.4f} vector {taught.item() / 2:.4f}", flush=True)
    if plan.int8_from < 1:
        model.act_as_int8(False)
    print(f"{name} {step} steps, {step * plan.pairs / len(batches.queries):.1f} epochs", flush=True)
    return model
