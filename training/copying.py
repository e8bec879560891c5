"""A smaller encoder that does what MiniLM does: every piece of every text learns MiniLM's state after each layer."""

import math
import time

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE, Corpus, Texts
from embedding import mixed_precision
from encoder import Encoder
from losses import TEMPERATURE, divergence
from train import WARM_UP_STEPS, Batches, Plan, with_other_words

#: Texts of one step: passages and queries. They go through in parts of like length.
PASSAGES, QUERIES, PARTS = 1280, 512, 5
#: How much the vectors and their order count beside the pieces.
VECTOR, ORDER = 5.0, 1.0


def pooled(states: Tensor, ids: Tensor) -> Tensor:
    weights = (ids != 0)[:, :, None].float()
    return F.normalize((states.float() * weights).sum(1) / weights.sum(1), dim=-1)


def state_after(layer: int, layers: int, of: int) -> int:
    """Which layer of the teacher a layer of the student ends with."""
    return round((layer + 1) * of / layers) - 1


def piece_error(own: list[Tensor], wanted: list[Tensor], ids: Tensor) -> Tensor:
    """How far the student's pieces are from the teacher's, relative to their size; the last layer counts double."""
    present = (ids != 0)[:, :, None].float()
    total = ids.new_zeros((), dtype=torch.float)
    for layer, value in enumerate(own):
        target = wanted[state_after(layer, len(own), len(wanted))].float() * present
        error = ((value.float() * present - target) ** 2).sum() / (target**2).sum()
        total = total + error * (2 if layer == len(own) - 1 else 1)
    return total / len(own)


def one_part(model: Encoder, teacher: Encoder, ids: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Error of the pieces, vectors of the student and of the teacher."""
    with mixed_precision():
        own = model.states(ids)
        with torch.no_grad():
            wanted = teacher.states(ids)
    return piece_error(own, wanted, ids), pooled(own[-1], ids), pooled(wanted[-1], ids)


def parts_of(texts: Texts, chosen: Tensor, parts: int) -> list[Tensor]:
    order = chosen[torch.argsort(texts.lengths[chosen])]
    return [texts.batch(part) for part in order.chunk(parts)]


def train_copy(name: str, model: Encoder, teacher: Encoder, corpus: Corpus, plan: Plan) -> Encoder:
    torch.manual_seed(plan.seed)
    model, teacher = model.to(DEVICE).train(), teacher.to(DEVICE).eval()
    optimiser = torch.optim.AdamW(model.parameters(), plan.rate, betas=(0.9, 0.98), eps=1e-6, fused=DEVICE == "cuda")
    batches, began, step, told = Batches(corpus, plan), time.monotonic(), 0, 0.0
    while (passed := (time.monotonic() - began) / plan.seconds) < 1:
        slope = max(0.02, (1 + math.cos(math.pi * passed)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1, (step + 1) / WARM_UP_STEPS) * slope
        if passed > plan.int8_from:
            model.act_as_int8(True)
        passages = parts_of(corpus.passages, batches.some(PASSAGES), PARTS)
        asked = torch.randint(len(batches.queries), (QUERIES,), generator=batches.chance).to(DEVICE)
        # Every second part has other words in it: any text is a lesson where the teacher can be asked.
        passages = [with_other_words(ids) if number % 2 else ids for number, ids in enumerate(passages)]
        made = [one_part(model, teacher, ids) for ids in passages + parts_of(corpus.queries, batches.queries[asked], 1)]
        pieces = sum(part[0] for part in made) / len(made)
        own, wanted = torch.cat([part[1] for part in made]), torch.cat([part[2] for part in made])
        vector = (1 - (own * wanted).sum(1)).mean()
        order = divergence(own @ own.T / TEMPERATURE, wanted @ wanted.T / TEMPERATURE)
        loss = pieces + VECTOR * vector + ORDER * order
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.1:
            told = passed
            print(
                f"{name} step {step} pieces {pieces.item():.4f} cosine {1 - vector.item():.4f}",
                flush=True,
            )
    model.act_as_int8(False)
    print(f"{name} {step} steps", flush=True)
    return model
