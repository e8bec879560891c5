"""A smaller encoder that does what MiniLM does: every piece of every text learns MiniLM's state after each layer."""

import math
import time
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE
from embedding import mixed_precision
from encoder import Encoder
from lessons import Lessons
from losses import TEMPERATURE, divergence

WARM_UP_STEPS = 300
#: How much the vectors and their order count beside the pieces.
VECTOR, ORDER = 6.0, 1.0
#: Between these parts of the time the states within the student are set free; the last one stays bound.
FADES, FADED = 0.35, 0.65
#: The device falls silent now and then; what was learned is kept so often.
SECONDS_BETWEEN_SAVES = 150


@dataclass(frozen=True)
class CopyPlan:
    """How one copy is trained."""

    seconds: float
    seed: int = 0
    rate: float = 8e-4
    int8_from: float = 0.75
    """Part of the time after which the encoder acts as its int8 export."""
    bound: bool = True
    """Whether the states within the student begin bound to the teacher's; who goes on from a copy has that behind it."""


def pooled(states: Tensor, present: Tensor | None) -> Tensor:
    if present is None:
        return F.normalize(states.float().mean(1), dim=-1)
    weights = present[:, :, None].float()
    return F.normalize((states.float() * weights).sum(1) / weights.sum(1), dim=-1)


def state_after(layer: int, layers: int, of: int) -> int:
    """Which layer of the teacher a layer of the student ends with."""
    return round((layer + 1) * of / layers) - 1


def piece_errors(own: list[Tensor], wanted: list[Tensor], present: Tensor | None) -> Tensor:
    """For each layer, how far the student's pieces are from the teacher's, relative to their size."""
    errors = []
    for layer, value in enumerate(own):
        target = wanted[state_after(layer, len(own), len(wanted))].float()
        far, size = (value.float() - target) ** 2, target**2
        if present is not None:
            far, size = far * present[:, :, None], size * present[:, :, None]
        errors.append(far.sum() / size.sum())
    return torch.stack(errors)


def compared(model: Encoder, teacher: Encoder, ids: Tensor, padded: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Errors of the pieces, vectors of the student and of the teacher."""
    present = ids != 0 if padded else None
    with mixed_precision():
        own = model.states(ids, padded)
        with torch.no_grad():
            wanted = teacher.states(ids, padded)
    return piece_errors(own, wanted, present), pooled(own[-1], present), pooled(wanted[-1], present)


def layer_weights(layers: int, passed: float, bound: bool = True) -> Tensor:
    inner = min(1.0, max(0.0, (FADED - passed) / (FADED - FADES))) if bound else 0.0
    return torch.tensor([inner] * (layers - 1) + [2.0], device=DEVICE) / layers


def order_error(own: Tensor, wanted: Tensor) -> Tensor:
    """How far the order of all other texts of the step, seen from each text, is from the teacher's."""
    # Each text is nearest to itself: left in, that would be all there is to learn.
    itself = torch.eye(len(own), dtype=torch.bool, device=own.device)
    similar = [(side @ side.T / TEMPERATURE).masked_fill(itself, -1e4) for side in (own, wanted)]
    return divergence(*similar)


def train_copy(
    name: str, model: Encoder, teacher: Encoder, lessons: Lessons, plan: CopyPlan, saved: Path | None = None
) -> Encoder:
    torch.manual_seed(plan.seed)
    model, teacher = model.to(DEVICE).train(), teacher.to(DEVICE).eval().requires_grad_(False)
    # Words that no text has must not fade.
    optimiser = torch.optim.AdamW(
        model.parameters(), plan.rate, betas=(0.9, 0.98), eps=1e-6, weight_decay=0, fused=DEVICE == "cuda"
    )
    compare = torch.compile(compared, dynamic=True) if DEVICE == "cuda" else compared
    step, before = 0, 0.0
    if saved and saved.exists():
        state = torch.load(saved, map_location=DEVICE)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, before = state["step"], state["passed"] * plan.seconds
    began = time.monotonic() - before
    told, saved_at, acts_as_int8 = before / plan.seconds, time.monotonic(), False
    while (passed := (time.monotonic() - began) / plan.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1, (step + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * passed)) / 2
        if passed > plan.int8_from and not acts_as_int8:
            acts_as_int8 = True
            model.act_as_int8(True)
        windows, shorts = lessons.draw()
        made = [compare(model, teacher, ids, False) for ids in windows] + [compare(model, teacher, shorts, True)]
        errors = sum(part[0] for part in made) / len(made)
        own, wanted = torch.cat([part[1] for part in made]), torch.cat([part[2] for part in made])
        vector = (1 - (own * wanted).sum(1)).mean()
        order = order_error(own, wanted)
        pieces = (errors * layer_weights(len(errors), passed, plan.bound)).sum()
        loss = pieces + VECTOR * vector + ORDER * order
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.02 or step in (1, 20, 100):
            told = passed
            values = f"pieces {errors[-1].item():.4f} cosine {1 - vector.item():.4f} order {order.item():.4f}"
            print(f"{time.monotonic() - began:6.0f} s {name} step {step} {values}", flush=True)
        if saved and time.monotonic() - saved_at > SECONDS_BETWEEN_SAVES:
            saved_at = time.monotonic()
            kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "passed": passed}
            torch.save(kept, saved)
    model.act_as_int8(False)
    print(f"{name} {step} steps", flush=True)
    return model
