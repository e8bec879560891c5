"""A smaller encoder that does what MiniLM does: every piece of every text learns MiniLM's state after each layer."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE, END, START
from embedding import mixed_precision
from encoder import Encoder
from lessons import Lessons
from losses import TEMPERATURE, divergence
from smoothing import smooth

WARM_UP_STEPS = 300
#: How much the vectors and their order count beside the pieces.
VECTOR, ORDER = 6.0, 1.0
#: Between these parts of the time the states within the student are set free; the last one stays bound.
FADES, FADED = 0.35, 0.65
#: The device falls silent now and then; what was learned is kept so often.
SECONDS_BETWEEN_SAVES = 90
#: Windows whose pieces are compared with those of short texts, each of them with every other.
LATE_WINDOWS = 96
#: Windows of each length that say how large the channels are.
SMOOTHED_WINDOWS = 64
#: A unit vector and the signs of its values have this cosine where the values spread as a bell does.
SIGN_COSINE = math.sqrt(2 / math.pi)


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
    tokens: float = 0.0
    """How much the direction of every single piece after the last layer counts, to the end: searches compare such pieces."""
    late: float = 0.0
    """How much the order of passages counts that their pieces' signs give to a question whose pieces are the teacher's."""
    shorts: float = 1.0
    """Short texts beside each window; a copy that makes the vectors of passages only needs fewer."""


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


def direction_error(own: Tensor, wanted: Tensor, present: Tensor | None) -> Tensor:
    """How far each piece's direction is from the teacher's; all pieces count alike."""
    far = 1 - F.cosine_similarity(own.float(), wanted.float(), dim=-1)
    return far.mean() if present is None else (far * present).sum() / present.sum()


def is_piece(ids: Tensor) -> Tensor:
    """Neither padding nor a mark of beginning or end: what a search compares."""
    return (ids != 0) & (ids != START) & (ids != END)


def signs(states: Tensor) -> Tensor:
    """Unit vectors of the signs; the gradient passes as if they were the values themselves."""
    unit = F.normalize(states.float(), dim=-1)
    return unit + (unit.sign() / math.sqrt(unit.shape[-1]) - unit).detach()


def late_scores(asked: Tensor, questions: Tensor, shown: Tensor, passages: Tensor) -> Tensor:
    """For each question (rows) and passage (columns) the mean over the question's pieces of the nearest piece."""
    near = torch.einsum("qad,pld->qpal", asked.bfloat16(), shown.bfloat16())
    near = near.masked_fill(~is_piece(passages)[None, :, None, :], -1).amax(-1).float()
    counted = is_piece(questions).float()[:, None]
    return (near * counted).sum(-1) / counted.sum(-1).clamp_min(1)


def late_error(asked: Tensor, questions: Tensor, own: Tensor, wanted: Tensor, passages: Tensor) -> Tensor:
    """How far the order that the signs of the student's pieces give is from that of the teacher's pieces."""
    asked = F.normalize(asked.float(), dim=-1)
    with torch.no_grad():
        taught = late_scores(asked, questions, F.normalize(wanted.float(), dim=-1), passages)
    found = late_scores(asked, questions, signs(own), passages) / SIGN_COSINE
    return divergence(found / TEMPERATURE, taught / TEMPERATURE)


def compared(model: Encoder, teacher: Encoder, ids: Tensor, padded: bool) -> tuple[Tensor, ...]:
    """Errors of the pieces and of their directions, vectors of the student and of the teacher, their last states."""
    present = ids != 0 if padded else None
    with mixed_precision():
        own = model.states(ids, padded)
        with torch.no_grad():
            wanted = teacher.states(ids, padded)
    return (
        piece_errors(own, wanted, present),
        pooled(own[-1], present),
        pooled(wanted[-1], present),
        direction_error(own[-1], wanted[-1], present),
        own[-1],
        wanted[-1],
    )


def layer_weights(layers: int, passed: float, bound: bool = True) -> Tensor:
    inner = min(1.0, max(0.0, (FADED - passed) / (FADED - FADES))) if bound else 0.0
    return torch.tensor([inner] * (layers - 1) + [2.0], device=DEVICE) / layers


def order_error(own: Tensor, wanted: Tensor) -> Tensor:
    """How far the order of all other texts of the step, seen from each text, is from the teacher's."""
    # Each text is nearest to itself: left in, that would be all there is to learn.
    itself = torch.eye(len(own), dtype=torch.bool, device=own.device)
    similar = [(side @ side.T / TEMPERATURE).masked_fill(itself, -1e4) for side in (own, wanted)]
    return divergence(*similar)


def compile_ahead(model: Encoder, teacher: Encoder, lessons: Lessons, plan: CopyPlan) -> None:
    """A step that acts as int8, so that a training beside this process finds it compiled in the cache when it comes to it."""
    model, teacher = model.to(DEVICE).train(), teacher.to(DEVICE).eval().requires_grad_(False)
    compare = torch.compile(compared, dynamic=True) if DEVICE == "cuda" else compared
    model.act_as_int8(True)
    windows, shorts = lessons.draw(plan.shorts)
    made = [compare(model, teacher, ids, False) for ids in windows] + [compare(model, teacher, shorts, True)]
    sum(part[0].sum() + part[1].sum() + part[3] + part[4].float().mean() for part in made).backward()
    print("compiled", flush=True)


def train_copy(
    name: str,
    model: Encoder,
    teacher: Encoder,
    lessons: Lessons,
    plan: CopyPlan,
    saved: Path | None = None,
    show: Callable[[dict[str, Tensor]], None] | None = None,
) -> Encoder:
    """`show` is given the weights now and then, in a thread of its own."""
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
    # What was saved after that has its smoothing, and has learned with it.
    resumed_as_int8 = before > plan.int8_from * plan.seconds
    began = time.monotonic() - before
    told, saved_at, acts_as_int8 = before / plan.seconds, time.monotonic(), False
    showing: threading.Thread | None = None
    while (passed := (time.monotonic() - began) / plan.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1, (step + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * passed)) / 2
        if passed > plan.int8_from and not acts_as_int8:
            acts_as_int8 = True
            if not resumed_as_int8:
                print(name, "smoothed", smooth(model, [ids[:SMOOTHED_WINDOWS] for ids in lessons.draw()[0]]), flush=True)
            model.act_as_int8(True)
        windows, shorts = lessons.draw(plan.shorts)
        made = [compare(model, teacher, ids, False) for ids in windows] + [compare(model, teacher, shorts, True)]
        errors = sum(part[0] for part in made) / len(made)
        own, wanted = torch.cat([part[1] for part in made]), torch.cat([part[2] for part in made])
        vector = (1 - (own * wanted).sum(1)).mean()
        order = order_error(own, wanted)
        pieces = (errors * layer_weights(len(errors), passed, plan.bound)).sum()
        direction = sum(part[3] for part in made) / len(made)
        loss = pieces + VECTOR * vector + ORDER * order + plan.tokens * direction
        late = None
        if plan.late:
            # The first windows are as they were written, and the first short texts are about the same passages.
            some = min(LATE_WINDOWS, len(windows[0]), len(shorts))
            asked, own_last, wanted_last = made[-1][5][:some], made[0][4][:some], made[0][5][:some]
            late = late_error(asked, shorts[:some], own_last, wanted_last, windows[0][:some])
            loss = loss + plan.late * late
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.02 or step in (1, 20, 100):
            told = passed
            values = f"pieces {errors[-1].item():.4f} cosine {1 - vector.item():.4f} order {order.item():.4f}"
            values += f" tokens {1 - direction.item():.4f}" + (f" late {late.item():.4f}" if late is not None else "")
            print(f"{time.monotonic() - began:6.0f} s {name} step {step} {values}", flush=True)
        if saved and time.monotonic() - saved_at > SECONDS_BETWEEN_SAVES:
            saved_at = time.monotonic()
            kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "passed": passed}
            # A call that is cut while it writes must not leave half of it.
            torch.save(kept, saved.with_suffix(".new"))
            saved.with_suffix(".new").replace(saved)
            if show and not (showing and showing.is_alive()):
                state = {key: value.detach().cpu().clone() for key, value in model.state_dict().items()}
                showing = threading.Thread(target=show, args=(state,), daemon=True)
                showing.start()
    model.act_as_int8(False)
    if showing:
        showing.join()
    print(f"{name} {step} steps", flush=True)
    return model
