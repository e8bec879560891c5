"""Late interaction over encoders that stay as they are: which layer's pieces, centred or not, and what a learned head adds.

Usage: python3 judge_pieces.py FOLDER OUTPUT SECONDS ENCODER...    ENCODER.npz.xz and asked/*.jsonl are in FOLDER; every
layer of each encoder is measured as it is, then a head is trained for each width of WIDTHS over its best layer.
`ASKING:ENCODER` measures the last layer of ENCODER where ASKING reads the questions, whole and as signs.
"""

import json
import math
import multiprocessing
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE, END, START, open_tokenizer
from embedding import mixed_precision
from encoder import WIDTH, Encoder
from judge_data import TOP, Asked, AskedSet, interval, mixed_order, ndcg, read_asked
from questions import Questions
from teachers import open_encoder

MIXES = (0.3, 0.4, 0.5, 0.6, 0.7)
#: Values of a piece's vector in a learned head; none: as the encoder has them.
WIDTHS = (None, 96)
LISTS = 32


def is_piece(ids: Tensor) -> Tensor:
    """Neither padding nor a mark of beginning or end."""
    return (ids != 0) & (ids != START) & (ids != END)


class Head(nn.Module):
    """Scores of lists from the states of one layer: for each piece of the question the nearest of the passage."""

    def __init__(
        self, centre: Tensor | None = None, width: int | None = None, learned: bool = False, signs: bool = False
    ) -> None:
        """With `signs` a passage's pieces are what a search keeps of them: one bit a value."""
        super().__init__()
        self.signs = signs
        self.register_buffer("centre", centre)
        self.turn = nn.Linear(WIDTH, width, bias=False) if width else None
        self.weigh = nn.Linear(WIDTH, 1) if learned else None
        if self.weigh:
            nn.init.zeros_(self.weigh.weight)
            nn.init.zeros_(self.weigh.bias)

    @torch.no_grad()
    def begin(self, states: Tensor) -> None:
        """Starts with the main axes of some pieces, so that little is lost before training."""
        _, axes = torch.linalg.eigh((states.T @ states).double())
        self.turn.weight.copy_(axes[:, -self.turn.out_features :].T.float())

    def unit(self, states: Tensor) -> Tensor:
        states = states.float() if self.centre is None else states.float() - self.centre
        return F.normalize(self.turn(states) if self.turn else states, dim=-1)

    def forward(self, questions: Tensor, asked: Tensor, passages: Tensor, shown: Tensor) -> Tensor:
        """Ids and states of questions (lists, length) and passages (lists, candidates, length)."""
        unit = F.normalize(shown.float().sign(), dim=-1) if self.signs else self.unit(shown)
        near = torch.einsum("lqd,lcpd->lcqp", self.unit(asked).bfloat16(), unit.bfloat16()).float()
        near = near.masked_fill(~is_piece(passages)[:, :, None, :], -1).amax(-1)
        weights = is_piece(questions).float()
        if self.weigh:
            weights = weights * F.softplus(self.weigh(asked.float()).squeeze(-1))
        return (near * weights[:, None]).sum(-1) / weights.sum(-1).clamp_min(1e-6)[:, None]


@torch.no_grad()
def states_of(encoder: Encoder, data: AskedSet, part: list[Asked], asking: Encoder | None = None):
    """Ids of questions and passages and what every layer makes of them; another encoder may read the questions."""
    questions, passages = data.questions(part), data.passages(part)
    lists, candidates, length = passages.shape
    with mixed_precision():
        asked, shown = (asking or encoder).states(questions), encoder.states(passages.reshape(-1, length))
    return questions, asked, passages, [state.view(lists, candidates, length, -1) for state in shown]


def parts_of(asked: list[Asked], size: int = LISTS):
    return (asked[at : at + size] for at in range(0, len(asked), size))


@torch.no_grad()
def said_by(
    heads: dict[str, tuple[int, Head]],
    encoder: Encoder,
    data: AskedSet,
    chosen: list[Asked],
    asking: Encoder | None = None,
):
    """What each head says of every list; a head looks at one layer."""
    said: dict[str, list[list[float]]] = {name: [] for name in heads}
    for part in parts_of(chosen):
        questions, asked, passages, shown = states_of(encoder, data, part, asking)
        for name, (layer, head) in heads.items():
            said[name] += head(questions, asked[layer], passages, shown[layer]).cpu().tolist()
    return said


def set_of(one: Asked, held_out: set[str]) -> str:
    if not one.set.startswith("questions/"):
        return one.set
    return "held-out questions" if one.set.removeprefix("questions/") in held_out else "training questions"


def values_of(row: tuple[Asked, list[float]]) -> list[float]:
    """nDCG@10 without a judge and with each mix."""
    one, scores = row
    return [ndcg(one, mixed_order(one, scores, weight)) for weight in (0.0, *MIXES)]


def measure(said: list[list[float]], chosen: list[Asked], held_out: set[str], pool: ProcessPoolExecutor) -> dict:
    """By set, the difference to the engine at every mix, and its range at one half."""
    rows = np.array(list(pool.map(values_of, zip(chosen, said), chunksize=64)))
    names = np.array([set_of(one, held_out) for one in chosen])
    found, means = {}, []
    for name in sorted(set(names)):
        own = rows[names == name]
        differences = (own[:, 1:] - own[:, :1]).mean(0)
        half = own[:, 1 + MIXES.index(0.5)] - own[:, 0]
        _, low, high = interval(half.tolist())
        gains = " ".join(f"{value:+.4f}" for value in differences)
        found[name] = f"{own[:, 0].mean():.4f} {gains} ({low:+.4f} to {high:+.4f})"
        if not name.endswith(" questions"):
            means.append(differences)
    found["mean of shared sets"] = " ".join(f"{value:+.4f}" for value in np.mean(means, 0)) if means else ""
    return found


def standard(values: Tensor, valid: Tensor) -> Tensor:
    mean = (values * valid).sum(1, keepdim=True) / valid.sum(1, keepdim=True)
    spread = (((values - mean) ** 2 * valid).sum(1, keepdim=True) / valid.sum(1, keepdim=True)).sqrt()
    return (values - mean) / (spread + 1e-4) * valid


def train_head(head: Head, layer: int, encoder: Encoder, data: AskedSet, lists: list[Asked], seconds: float) -> int:
    """Learns from what people asked, beside the engine's own scores: what those know already need not be learned."""
    plain = Head(head.centre).to(DEVICE)
    shares = nn.Parameter(torch.tensor([1.0, 1.0], device=DEVICE))
    optimiser = torch.optim.AdamW([*head.parameters(), shares], 1e-3, weight_decay=0.01)
    chance, began, step = random.Random(1), time.monotonic(), 0
    while (passed := (time.monotonic() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * (1 + math.cos(math.pi * passed)) / 2
        part = chance.sample(lists, min(LISTS, len(lists)))
        questions, asked, passages, shown = states_of(encoder, data, part)
        places = [range(min(TOP, len(one.texts))) for one in part]
        rows = lambda value: torch.tensor(  # noqa: E731
            [[value(one, at) if at in inside else 0.0 for at in range(TOP)] for one, inside in zip(part, places)],
            device=DEVICE,
        )
        valid = rows(lambda one, at: 1.0)
        right = rows(lambda one, at: float(bool(one.finds[at])))
        engine = standard(rows(lambda one, at: one.parts[at].fused), valid)
        given = (questions, asked[layer], passages, shown[layer])
        said = head(*given)
        logits = F.softplus(shares[0]) * standard(said, valid) + F.softplus(shares[1]) * engine
        likely = logits.masked_fill(valid == 0, -1e4).log_softmax(1)
        labelled = -torch.logsumexp(likely.masked_fill(right == 0, -1e4), 1).mean()
        with torch.no_grad():
            before = plain(*given)
        kept = ((standard(said, valid) - standard(before, valid)) ** 2).sum() / valid.sum()
        loss = labelled + 0.2 * kept
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
    return step


def main(folder: Path, output: Path, seconds: float, names: list[str]) -> None:
    tokenizer = open_tokenizer(folder / "tokenizer.json")
    held_out = Questions.read().held_out
    data = read_asked(sorted((folder / "asked").glob("*.jsonl*")), tokenizer)
    chosen = [one for one in data.asked if len(one.texts) > 1]
    training = [one for one in chosen if set_of(one, held_out) == "training questions"]
    lists = [one for one in training if any(one.finds[:TOP])]

    def report(what: str, value: object) -> None:
        line = f"{what}: {json.dumps(value, indent=1)}"
        print(line, flush=True)
        with (output / "pieces.txt").open("a", encoding="utf8") as file:
            file.write(line + "\n")

    report("asked", {"all": len(chosen), "training": len(training), "with an answer in the top": len(lists)})
    # Copies of this process, which know the questions; none of them touches the device.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        for name in names:
            asking_name, _, encoder_name = name.rpartition(":")
            encoder = open_encoder(folder, encoder_name).eval().requires_grad_(False)
            if asking_name:
                asking = open_encoder(folder, asking_name).eval().requires_grad_(False)
                heads = {f"{name}, {kind}": (-1, Head(signs=kind == "signs").to(DEVICE)) for kind in ("cosines", "signs")}
                for rounds in (False, True):
                    encoder.act_as_int8(rounds)
                    asking.act_as_int8(rounds)
                    for what, said in said_by(heads, encoder, data, chosen, asking).items():
                        report(f"{what}{' as int8' if rounds else ''}", measure(said, chosen, held_out, pool))
                continue
            _, _, passages, shown = states_of(encoder, data, (training or chosen)[:48])
            pieces = [state[is_piece(passages)].float() for state in shown]
            heads = {}
            for layer, states in enumerate(pieces):
                heads[f"{name} layer {layer + 1}"] = (layer, Head().to(DEVICE))
                heads[f"{name} layer {layer + 1} centred"] = (layer, Head(states.mean(0)).to(DEVICE))
            for what, said in said_by(heads, encoder, data, chosen).items():
                report(what, measure(said, chosen, held_out, pool))
            if not lists or seconds <= 0:
                continue
            layer = len(pieces) - 1
            for width in WIDTHS:
                head = Head(pieces[layer].mean(0), width, learned=True).to(DEVICE)
                if width:
                    head.begin(pieces[layer] - head.centre)
                steps = train_head(head, layer, encoder, data, lists, seconds)
                said = said_by({"head": (layer, head)}, encoder, data, chosen)["head"]
                report(f"{name} head of width {width}, {steps} steps", measure(said, chosen, held_out, pool))
                torch.save(head.state_dict(), output / f"head-{name}-{width}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
