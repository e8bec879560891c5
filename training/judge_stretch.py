"""Trains judges on an accelerator and measures them over the engine's own candidates.

Usage: python3 judge_stretch.py FOLDER OUTPUT SECONDS NAME...    after stretch.py in the same FOLDER, which left corpus
and targets there; FOLDER/asked/*.jsonl is what ask-engine.ts wrote. A NAME is a row of JUDGES, or `voices`.
"""

import json
import math
import random
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from corpus import DEVICE, Corpus, open_tokenizer
from embedding import embed_all, mixed_precision
from encoder import to_weights
from judge import CrossEncoder, LateInteraction
from judge_data import TOP, Asked, AskedSet, interval, mixed_order, ndcg, read_asked
from questions import Questions
from stretch import keep
from teachers import BGE_PREFIX, Targets, open_encoder
from weights import pack

TEACHERS = ("gte", "bge", "minilm")
LISTS, CANDIDATES, ASKED_LISTS = 48, 12, 12
NEIGHBOURS = 40
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0)

#: Layers of MiniLM, width of the pieces' vectors (none: cross-encoder), weight of the labels beside the teachers.
JUDGES = {
    "late-three": ((0, 2, 5), 96, 0.3),
    "late-six": ((0, 1, 2, 3, 4, 5), 96, 0.3),
    "late-three-labels": ((0, 2, 5), 96, 1.0),
    "cross-three": ((0, 2, 5), None, 0.3),
    "late-six-labels": ((0, 1, 2, 3, 4, 5), 128, 1.0),
    "cross-six-labels": ((0, 1, 2, 3, 4, 5), None, 1.0),
    "cross-six": ((0, 1, 2, 3, 4, 5), None, 0.3),
}


class Voices:
    """Opinions of a question and its candidates: whole vectors and pieces of the published encoders that are there."""

    def __init__(self, folder: Path, prefix: list[int]) -> None:
        present = [name for name in TEACHERS if (folder / f"{name}.npz.xz").exists()]
        self.names = [f"{name} {kind}" for name in present for kind in ("whole", "pieces")]
        self.encoders = {name: open_encoder(folder, name).eval() for name in present}
        self.prefix = torch.tensor(prefix, device=DEVICE)

    @torch.no_grad()
    def __call__(self, questions: Tensor, passages: Tensor) -> Tensor:
        lists, candidates, length = passages.shape
        flat, said = passages.reshape(-1, length), []
        for name, encoder in self.encoders.items():
            with mixed_precision():
                shown = encoder.states(flat)[-1].float().view(lists, candidates, length, -1)
                asked = encoder.states(questions)[-1].float()
                if name == "bge":
                    before = self.prefix.expand(lists, -1)
                    prefixed = torch.cat([questions[:, :1], before, questions[:, 1:]], 1)
                    whole_question = encoder(prefixed).float()
                else:
                    whole_question = encoder(questions).float()
            present = (passages != 0).float()
            if encoder.first:
                whole = shown[:, :, 0]
            else:
                whole = (shown * present[..., None]).sum(2) / present.sum(2, keepdim=True)
            said.append(torch.einsum("ld,lcd->lc", whole_question, F.normalize(whole, dim=-1)))
            unit = F.normalize(shown, dim=-1).bfloat16()
            near = torch.einsum("lqd,lcpd->lcqp", F.normalize(asked, dim=-1).bfloat16(), unit).float()
            near = near.masked_fill((passages == 0)[:, :, None, :], -1).amax(-1)
            counted = (questions != 0).float()
            said.append((near * counted[:, None]).sum(-1) / counted.sum(-1)[:, None])
        return torch.stack(said, -1)


def standard(values: Tensor, valid: Tensor) -> Tensor:
    """Each opinion with mean 0 and spread 1 within its list."""
    mask = valid[..., None].float()
    mean = (values * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)
    spread = (((values - mean) ** 2 * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)).sqrt()
    return (values - mean) / (spread + 1e-4) * mask


def batches_of(asked: list[Asked], size: int = 24):
    for at in range(0, len(asked), size):
        yield asked[at : at + size]


def valid_of(chosen: list[Asked]) -> Tensor:
    return torch.tensor([[at < len(one.texts) for at in range(TOP)] for one in chosen], device=DEVICE)


def all_scores(judge, data: AskedSet, chosen: list[Asked]) -> list[Tensor]:
    """What a judge says of each list."""
    said = []
    for part in batches_of(chosen):
        with torch.no_grad(), mixed_precision():
            scores = judge(data.questions(part), data.passages(part))
        said += list(scores.float().cpu())
    return said


def measure(said: list[list[float]], chosen: list[Asked]) -> dict:
    """By set and weight; `best` is the weight that the held-out questions prefer, with differences to the engine."""
    rows: dict[str, dict[float, list[float]]] = {}
    own: dict[str, list[float]] = {}
    for one, scores in zip(chosen, said):
        name = one.set if not one.set.startswith("questions/") else "held-out questions"
        own.setdefault(name, []).append(ndcg(one, list(range(len(one.scores)))))
        for weight in WEIGHTS:
            rows.setdefault(name, {}).setdefault(weight, []).append(ndcg(one, mixed_order(one, scores, weight)))
    mean = lambda values: sum(values) / len(values)  # noqa: E731
    best = (
        max(WEIGHTS, key=lambda weight: mean(rows["held-out questions"][weight]))
        if "held-out questions" in rows
        else 0.5
    )
    shared = [name for name in rows if name != "held-out questions"]
    result = {"best": best, "means": {w: round(mean([mean(rows[n][w]) for n in shared]), 4) for w in WEIGHTS}}
    result["engine"] = round(mean([mean(own[name]) for name in shared]), 4)
    for weight in {best, 0.5}:
        for name in sorted(rows):
            differences = [after - before for after, before in zip(rows[name][weight], own[name])]
            centre, low, high = interval(differences)
            result[f"{name} at {weight}"] = f"{mean(own[name]):.4f} {centre:+.4f} ({low:+.4f} to {high:+.4f})"
    return result


def fit_mix(features: Tensor, engine: Tensor, labels: Tensor, valid: Tensor) -> Tensor:
    """How much each voice counts beside the engine, from questions that people wrote; no weight is below zero."""
    raw = torch.full((features.shape[-1] + 1,), -1.0, device=DEVICE, requires_grad=True)
    inputs = torch.cat([features, engine[..., None]], -1)
    optimiser = torch.optim.Adam([raw], 0.05)
    for _ in range(300):
        logits = (inputs * F.softplus(raw)).sum(-1).masked_fill(~valid, -1e4)
        likely = (logits.log_softmax(1).exp() * labels).sum(1).clamp_min(1e-6)
        loss = -likely.log().mean() + 0.01 * F.softplus(raw).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return F.softplus(raw).detach()


def neighbours_of(
    corpus: Corpus, targets: Targets, general: bool = False, most: int | None = None
) -> tuple[Tensor, Tensor]:
    """Training queries, of code or of general prose, with the nearest passages of their own source."""
    wanted = torch.tensor([kind != "name" and kind != "file" for kind in corpus.kinds], device=DEVICE)
    wanted &= corpus.is_general[corpus.passage_of] == general
    queries = (wanted & ~corpus.query_is_held_out).nonzero().flatten()
    queries = queries[torch.randperm(len(queries), device=DEVICE)[:most]]
    source = corpus.source_of[corpus.passage_of[queries]]
    kept, near = [], []
    for number in source.unique().tolist():
        passages = (corpus.source_of == number).nonzero().flatten()
        if len(passages) <= NEIGHBOURS:
            continue
        for own in queries[source == number].split(2048):
            similar = targets.queries[own] @ targets.passages[passages].T
            near.append(passages[similar.topk(NEIGHBOURS, 1).indices])
            kept.append(own)
    return torch.cat(kept), torch.cat(near)


def train_judge(
    name: str,
    judge: nn.Module,
    seconds: float,
    label_weight: float,
    corpus: Corpus,
    near,
    asked,
    voices: Voices,
    mix,
    seed=0,
) -> None:
    queries, neighbours = near
    data, train_asked = asked
    chance = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)
    scale = nn.Parameter(torch.tensor(20.0 if isinstance(judge, LateInteraction) else 1.0, device=DEVICE))
    head = [value for key, value in judge.named_parameters() if not key.startswith("encoder.")]
    body = [value for key, value in judge.named_parameters() if key.startswith("encoder.")]
    groups = [{"params": body, "lr": 1e-4}, {"params": [*head, scale], "lr": 1e-3}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
    base, began, step, told = [group["lr"] for group in groups], time.monotonic(), 0, 0.0
    judge.train()
    while (passed := (time.monotonic() - began) / seconds) < 1:
        slope = max(0.02, (1 + math.cos(math.pi * passed)) / 2) * min(1, (step + 1) / 60)
        for group, rate in zip(optimiser.param_groups, base):
            group["lr"] = rate * slope
        if passed > 0.75:
            judge.encoder.act_as_int8(True)
        # Half of the work are comments, headings and sentences with hard wrong answers of the same source.
        chosen = torch.randint(len(queries), (LISTS,), generator=generator).to(DEVICE)
        places = torch.rand(LISTS, NEIGHBOURS, device=DEVICE).argsort(1)[:, : CANDIDATES - 1]
        right = corpus.passage_of[queries[chosen]]
        passages = torch.cat([right[:, None], neighbours[chosen].gather(1, places)], 1)
        copies = passages[:, 1:] == right[:, None]
        asked_ids = corpus.queries.batch(queries[chosen])[:, :48]
        shown = corpus.passages.batch(passages.reshape(-1))[:, :192].view(LISTS, CANDIDATES, -1)
        valid = torch.cat([torch.ones_like(copies[:, :1]), ~copies], 1)
        labels = torch.zeros_like(valid, dtype=torch.float)
        labels[:, 0] = 1
        loss = list_loss(judge, scale, voices, mix, asked_ids, shown, valid, labels, label_weight)
        # The other half are questions that people wrote, over what the engine found for them.
        some = chance.sample(train_asked, ASKED_LISTS)
        found = torch.tensor(
            [[bool(at < len(o.finds) and o.finds[at]) for at in range(TOP)] for o in some], device=DEVICE
        )
        loss = loss + list_loss(
            judge,
            scale,
            voices,
            mix,
            data.questions(some),
            data.passages(some),
            valid_of(some),
            found.float(),
            label_weight,
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.2:
            told = passed
            print(f"{name} step {step} loss {loss.item():.4f} scale {scale.item():.1f}", flush=True)
    judge.encoder.act_as_int8(False)
    judge.eval()
    print(f"{name} {step} steps", flush=True)


def list_loss(judge, scale, voices, mix, questions, passages, valid, labels, label_weight) -> Tensor:
    """The teachers' order of a list, and its labels."""
    taught = (standard(voices(questions, passages), valid) * mix).sum(-1).masked_fill(~valid, -1e4)
    with mixed_precision():
        scores = judge(questions, passages)
    logits = (scores.float() * scale).masked_fill(~valid, -1e4)
    loss = F.kl_div(logits.log_softmax(1), taught.softmax(1), reduction="batchmean")
    likely = (logits.log_softmax(1).exp() * labels).sum(1)
    has_label = labels.sum(1) > 0
    if has_label.any():
        loss = loss - label_weight * likely[has_label].clamp_min(1e-6).log().mean()
    return loss


def targets_in(folder: Path, corpus: Corpus) -> Targets:
    """The teachers' vectors as stretch.py left them, or MiniLM's own."""
    if (folder / "targets.pt").exists():
        return torch.load(folder / "targets.pt", weights_only=False, map_location=DEVICE)
    teacher = open_encoder(folder, "minilm")
    return Targets(embed_all(teacher, corpus.passages), embed_all(teacher, corpus.queries))


def main(folder: Path, output: Path, seconds: float, names: list[str]) -> None:
    began = time.monotonic()

    def report(what: str, value: object) -> None:
        line = f"{time.monotonic() - began:6.0f} s  {what}: {json.dumps(value, indent=1)}"
        print(line, flush=True)
        with (output / "judges.txt").open("a", encoding="utf8") as lines:
            lines.write(line + "\n")

    tokenizer = open_tokenizer(folder / "tokenizer.json")
    prefix = tokenizer.encode(BGE_PREFIX, add_special_tokens=False).ids
    corpus = torch.load(folder / "corpus.pt", weights_only=False, map_location=DEVICE)
    targets = targets_in(folder, corpus)
    held_out = Questions.read().held_out
    data = read_asked(sorted((folder / "asked").glob("*.jsonl*")), tokenizer)

    def is_train(one: Asked) -> bool:
        return one.set.startswith("questions/") and one.set.removeprefix("questions/") not in held_out

    train_asked = [one for one in data.asked if is_train(one) and len(one.texts) > 1]
    test_asked = [one for one in data.asked if not is_train(one)]
    report("asked", {"train": len(train_asked), "test": len(test_asked), "texts": len(data.texts)})
    voices = Voices(folder, prefix)

    said = torch.cat([voices(data.questions(part), data.passages(part)) for part in batches_of(train_asked)])
    valid = valid_of(train_asked)
    engine = torch.tensor([(one.scores + [0.0] * TOP)[:TOP] for one in train_asked], device=DEVICE)
    engine = standard(engine[..., None], valid)[..., 0]
    labels = torch.tensor(
        [[float(bool(at < len(o.finds) and o.finds[at])) for at in range(TOP)] for o in train_asked], device=DEVICE
    )
    has = labels.sum(1) > 0
    mix = fit_mix(standard(said, valid)[has], engine[has], labels[has], valid[has])
    report("weights of voices", dict(zip([*voices.names, "engine"], [round(value, 3) for value in mix.tolist()])))
    if "voices" in names:
        test_said = [
            row for part in batches_of(test_asked) for row in voices(data.questions(part), data.passages(part)).cpu()
        ]
        for at, voice in enumerate(voices.names):
            report(voice, measure([row[:, at].tolist() for row in test_said], test_asked))
        together = standard(torch.stack(test_said).to(DEVICE), valid_of(test_asked)) @ mix[:-1]
        report("all voices, fitted", measure(together.cpu().tolist(), test_asked))
        plain = standard(torch.stack(test_said).to(DEVICE), valid_of(test_asked)).mean(-1)
        report("all voices, equal", measure(plain.cpu().tolist(), test_asked))
    near = neighbours_of(corpus, targets) if any(name in JUDGES for name in names) else None
    for name in (name for name in names if name != "voices"):
        plain_name, _, seed = name.partition(":")
        layers, width, label_weight = JUDGES[plain_name]
        encoder = open_encoder(folder, "minilm", list(layers))
        if width:
            judge = LateInteraction(encoder, width).to(DEVICE)
            judge.begin(data.passages(train_asked[:16]).flatten(0, 1))
        else:
            judge = CrossEncoder(encoder).to(DEVICE)
        train_judge(
            name, judge, seconds, label_weight, corpus, near, (data, train_asked), voices, mix[:-1], int(seed or 0)
        )
        report(name, measure([row.tolist() for row in all_scores(judge, data, test_asked)], test_asked))
        judge.encoder.act_as_int8(True)
        report(
            f"{name} as int8",
            measure([row.tolist() for row in all_scores(judge, data, test_asked)], test_asked),
        )
        weights = to_weights(judge.encoder)
        heads = {
            key: value.detach().float().cpu().numpy()
            for key, value in judge.state_dict().items()
            if not key.startswith("encoder.")
        }
        keep(
            pack({**weights, **{f"judge.{key}": value for key, value in heads.items()}}), output, name.replace(":", "-")
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
