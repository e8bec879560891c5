"""Trains two encoders together: a reader of questions, and a copy of four layers that reads chunks.

Vectors of both stay MiniLM's; their pieces learn to judge, from labels and from published encoders, with one bit a
value on the copy's side, as a search compares them.

Usage: python3 reader_stretch.py FOLDER OUTPUT NAME=SECONDS   a row of PLANS, in so many seconds with all that it needs
       first; FOLDER is that of stretch.py, with gte's weights and those of the copy to begin with
       python3 reader_stretch.py FOLDER OUTPUT measure:NAME   the vectors of what was trained, by exact search
"""

import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

import lessons as lesson_sizes
from copying import compared, is_piece, order_error, pooled, signs
from corpus import DEVICE, Corpus, open_tokenizer
from embedding import mixed_precision
from encoder import VOCABULARY, Encoder, to_weights
from judge import LONGEST_PASSAGE, LONGEST_QUESTION
from judge_data import TOP
from judge_stretch import Voices, neighbours_of, standard, targets_in
from lessons import FIRST_WORD, Lessons
from losses import TEMPERATURE, divergence
from measure import measure_shared, read_shared_set
from stretch import keep, open_corpus, read_or_make
from teachers import Targets, open_encoder
from weights import pack

#: How much each voice counts among those that teach: as judge_stretch.py fitted them to what people asked.
MIX = {"gte whole": 0.02, "gte pieces": 0.3, "minilm whole": 0.01, "minilm pieces": 0.6}
#: Lists of neighbours that are made once, and passages in each.
POOL, CANDIDATES = 16_384, 12
#: Lists of each kind in a step, and how much their labels count.
DRAWN = {"near": (40, 0.3), "asked": (16, 1.0)}
#: Runs of neighbours whose texts keep the copy where it is.
RUNS = 160
#: How much the vectors count, their order, and the order that they give to a list.
VECTOR, ORDER, LIST_ORDER = 6.0, 1.0, 1.0
RATES = {"copy": 2e-4, "reader": 1e-4, "scales": 5e-3}
WARM_UP_STEPS = 100
#: What pieces have to say beside vectors and words when held-out questions are judged.
WEIGHTS = (0.0, 0.3, 0.5, 0.7, 1.0)
SECONDS_BETWEEN_SAVES = 150


@dataclass(frozen=True)
class ReaderPlan:
    begins_as: str = "copy-4-tokens"
    tie: float = 1.0
    """How much the direction of every single piece counts: it stays what it is for MiniLM."""
    labels: float = 1.0
    """How much it counts which passages answer a question."""
    seed: int = 0
    int8_from: float = 0.7


PLANS = {"tied": ReaderPlan(), "free": ReaderPlan(tie=0.1, seed=1)}


@dataclass
class Lists:
    """Questions with passages, all on the device."""

    questions: Tensor
    passages: Tensor
    """(lists, candidates, length)"""
    valid: Tensor
    labels: Tensor
    said: Tensor
    """What the voices say together."""
    whole: Tensor
    """What MiniLM's vectors say."""
    engine: Tensor
    """What vectors and words say together, as a search has it before its rules; zeros for lists of neighbours."""

    def draw(self, count: int) -> "Lists":
        some = torch.randint(len(self.questions), (count,), device=DEVICE)
        drawn = Lists(*(value[some] for value in vars(self).values()))
        drawn.questions, drawn.passages = trimmed(drawn.questions), trimmed(drawn.passages)
        return drawn


def trimmed(ids: Tensor) -> Tensor:
    """Without the columns that are padding in every row."""
    longest = int((ids != 0).flatten(0, -2).any(0).nonzero().max()) + 1
    # Other shapes are slow on the device.
    return ids[..., : min(ids.shape[-1], -(-longest // 8) * 8)].long()


def padded_to(ids: Tensor, length: int) -> Tensor:
    return F.pad(ids, (0, length - ids.shape[-1]))


def said_of(voices: Voices, questions: Tensor, passages: Tensor, valid: Tensor) -> tuple[Tensor, Tensor]:
    opinions = voices(questions, passages)
    mix = torch.tensor([MIX.get(name, 0.0) for name in voices.names], device=DEVICE)
    return (standard(opinions, valid) * mix).sum(-1), opinions[..., voices.names.index("minilm whole")]


def neighbour_lists(corpus: Corpus, targets: Targets, voices: Voices) -> Lists:
    """Comments, headings and sentences with hard wrong answers of the same source."""
    queries, near = neighbours_of(corpus, targets)
    parts = []
    for _ in range(math.ceil(min(POOL, 4 * len(queries)) / 64)):
        chosen = torch.randint(len(queries), (64,), device=DEVICE)
        right = corpus.passage_of[queries[chosen]]
        places = torch.rand(near[chosen].shape, device=DEVICE).argsort(1)[:, : CANDIDATES - 1]
        passages = torch.cat([right[:, None], near[chosen].gather(1, places)], 1)
        ids = corpus.passages.batch(passages.reshape(-1))[:, :LONGEST_PASSAGE].view(64, CANDIDATES, -1)
        questions = corpus.queries.batch(queries[chosen])[:, :LONGEST_QUESTION]
        valid = torch.ones_like(passages, dtype=torch.bool)
        valid[:, 1:] = passages[:, 1:] != right[:, None]
        labels = torch.zeros_like(valid, dtype=torch.float)
        labels[:, 0] = 1
        said, whole = said_of(voices, questions, ids, valid)
        ids, questions = padded_to(ids, LONGEST_PASSAGE).short(), padded_to(questions, LONGEST_QUESTION).short()
        parts.append((questions, ids, valid, labels, said, whole, torch.zeros_like(labels)))
    return Lists(*(torch.cat(values) for values in zip(*parts)))


def word_overlap(corpus: Corpus, queries: Tensor, passages: Tensor) -> Tensor:
    """How much of each query's rare words each passage has: what search by words adds to the engine's candidates."""

    def words(ids: Tensor) -> Tensor:
        present = torch.zeros(len(ids), VOCABULARY, device=DEVICE)
        present.scatter_(1, ids, 1)
        present[:, :FIRST_WORD] = 0
        return present

    shown = words(corpus.passages.batch(passages))
    rarity = torch.log(1 + len(shown) / (1 + shown.sum(0)))
    lengths = shown.sum(1, keepdim=True).clamp_min(8)
    return (words(corpus.queries.batch(queries)) * rarity) @ (shown / lengths.sqrt()).T


def asked_lists(corpus: Corpus, voices: Voices, targets: Targets, held_out: bool = False) -> Lists:
    """What people asked, over the best of the same package by vectors and words; all passages that answer it count."""
    is_asked = torch.tensor([kind == "asked" for kind in corpus.kinds], device=DEVICE)
    queries = (is_asked & (corpus.query_is_held_out == held_out)).nonzero().flatten()
    source = corpus.source_of[corpus.passage_of[queries]]
    parts = []
    for number in source.unique().tolist():
        passages = (corpus.source_of == number).nonzero().flatten()
        if len(passages) <= TOP:
            continue
        answers: dict[tuple[int, ...], list[int]] = {}
        own = queries[source == number]
        for query, ids in zip(own.tolist(), corpus.queries.batch(own).tolist()):
            answers.setdefault(tuple(ids), []).append(query)
        firsts = torch.tensor([same[0] for same in answers.values()], device=DEVICE)
        right = torch.zeros(len(firsts), len(passages), dtype=torch.bool, device=DEVICE)
        for row, same in enumerate(answers.values()):
            right[row] = torch.isin(passages, corpus.passage_of[torch.tensor(same, device=DEVICE)])
        everywhere = torch.ones_like(right)
        similar = targets.queries[firsts] @ targets.passages[passages].T
        overlap = word_overlap(corpus, firsts, passages)
        both = sum(standard(value[..., None], everywhere)[..., 0] for value in (similar, overlap))
        # An answer that is not among the best takes the last places, so that there is something to learn.
        best = (both if held_out else both + right * 1e-3).topk(TOP, 1).indices
        if not held_out:
            lost = ~right.gather(1, best).any(1)
            best[lost, -1] = right[lost].float().argmax(1)
        for at in range(0, len(firsts), 24):
            chosen, rows = best[at : at + 24], slice(at, at + 24)
            ids = corpus.passages.batch(passages[chosen].reshape(-1))[:, :LONGEST_PASSAGE].view(*chosen.shape, -1)
            asked = corpus.queries.batch(firsts[rows])[:, :LONGEST_QUESTION]
            valid = torch.ones_like(chosen, dtype=torch.bool)
            said, whole = said_of(voices, asked, ids, valid)
            engine = standard(both[rows].gather(1, chosen)[..., None], valid)[..., 0]
            labels = right[rows].gather(1, chosen).float()
            ids, asked = padded_to(ids, LONGEST_PASSAGE).short(), padded_to(asked, LONGEST_QUESTION).short()
            parts.append((asked, ids, valid, labels, said, whole, engine))
    return Lists(*(torch.cat(values) for values in zip(*parts)))


@torch.no_grad()
def judged(reader: Encoder, copy: Encoder, lists: Lists, weight: float = 0.5) -> float:
    """Mean reciprocal rank of the first answer where pieces have this say beside the engine; none have one without."""
    ranks = []
    for at in range(0, len(lists.questions), 24):
        part = Lists(*(value[at : at + 24] for value in vars(lists).values()))
        scores = standard(piece_scores(reader, copy, part)[0][..., None], part.valid)[..., 0]
        mixed = weight * scores + (1 - weight) * part.engine
        order = mixed.argsort(1, descending=True)
        found = part.labels.gather(1, order)
        first = found.argmax(1) + 1
        ranks.append(torch.where(found.any(1), 1 / first, 0))
    return float(torch.cat(ranks).mean())


def nearest_pieces(questions: Tensor, asked: Tensor, passages: Tensor, shown: Tensor) -> Tensor:
    """What pieces say, as a search compares them: one bit a value on the side of the passages."""
    unit = F.normalize(asked.float(), dim=-1)
    bits = signs(shown).view(*passages.shape, -1)
    near = torch.einsum("lqd,lcpd->lcqp", unit.bfloat16(), bits.bfloat16()).float()
    near = near.masked_fill(~is_piece(passages)[:, :, None, :], -1).amax(-1)
    counted = is_piece(questions).float()[:, None]
    return (near * counted).sum(-1) / counted.sum(-1).clamp_min(1)


def piece_scores(reader: Encoder, copy: Encoder, lists: Lists) -> tuple[Tensor, Tensor]:
    """What pieces say, and what whole vectors say."""
    questions, passages = lists.questions.long(), lists.passages.long()
    flat = passages.flatten(0, 1)
    with mixed_precision():
        asked, shown = reader.states(questions)[-1], copy.states(flat)[-1]
    whole = pooled(shown, flat != 0).view(*passages.shape[:2], -1)
    scores = nearest_pieces(questions, asked, passages, shown)
    return scores, torch.einsum("ld,lcd->lc", pooled(asked, questions != 0), whole)


def list_errors(reader: Encoder, copy: Encoder, lists: Lists, scales: nn.ParameterDict) -> dict[str, Tensor]:
    """How far the order of lists is from the voices', from the labels, and for whole vectors from MiniLM's."""
    scores, vectors = piece_scores(reader, copy, lists)
    hidden = ~lists.valid
    logits = (scores * scales["pieces"].exp()).masked_fill(hidden, -1e4)
    found = (logits + scales["engine"].exp() * lists.engine).log_softmax(1)
    right = -torch.logsumexp(found.masked_fill(lists.labels == 0, -1e4), 1)
    return {
        "voices": divergence(logits, lists.said.masked_fill(hidden, -1e4)),
        "labels": right.mean(),
        "whole": divergence(
            (vectors / TEMPERATURE).masked_fill(hidden, -1e4), (lists.whole / TEMPERATURE).masked_fill(hidden, -1e4)
        ),
    }


def keeps_place(
    plan: ReaderPlan, reader: Encoder, copy: Encoder, teacher: Encoder, lessons: Lessons
) -> dict[str, Tensor]:
    """How far both are from MiniLM on texts of all kinds."""
    windows, shorts = lessons.draw(1 / 3)
    made = [compared(copy, teacher, ids, False) for ids in windows] + [compared(copy, teacher, shorts, True)]
    own, wanted = torch.cat([part[1] for part in made]), torch.cat([part[2] for part in made])
    read = compared(reader, teacher, shorts, True)
    vector = (1 - (own * wanted).sum(1)).mean()
    asked = (1 - (read[1] * read[2]).sum(1)).mean()
    pieces = sum(part[3] for part in made) / len(made)
    return {
        "vector": VECTOR * vector,
        "asked": VECTOR * asked,
        "order": ORDER * order_error(own, wanted),
        "pieces": plan.tie * pieces,
        "asked pieces": plan.tie * read[3],
    }


def train(
    name: str,
    plan: ReaderPlan,
    seconds: float,
    folder: Path,
    output: Path,
    lessons: Lessons,
    lists: dict[str, Lists],
) -> None:
    torch.manual_seed(plan.seed)
    lesson_sizes.RUNS = RUNS
    teacher = open_encoder(folder, "minilm").eval().requires_grad_(False)
    reader, copy = open_encoder(folder, "minilm").train(), open_encoder(folder, plan.begins_as).train()
    scales = nn.ParameterDict({"pieces": torch.tensor(math.log(30.0)), "engine": torch.tensor(-1.0)}).to(DEVICE)
    models = {"copy": copy, "reader": reader, "scales": scales}
    groups = [{"params": list(model.parameters()), "lr": RATES[key]} for key, model in models.items()]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, weight_decay=0, fused=DEVICE == "cuda")
    began = saved = time.monotonic()
    step, told = 0, -1.0
    while (passed := (time.monotonic() - began) / seconds) < 1:
        slope = min(1, (step + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * passed)) / 2
        for group, rate in zip(optimiser.param_groups, RATES.values()):
            group["lr"] = rate * slope
        if passed > plan.int8_from:
            reader.act_as_int8(True)
            copy.act_as_int8(True)
        errors = keeps_place(plan, reader, copy, teacher, lessons)
        for kind, (count, weight) in DRAWN.items():
            found = list_errors(reader, copy, lists[kind].draw(count), scales)
            errors[f"{kind} voices"] = found["voices"]
            errors[f"{kind} labels"] = plan.labels * weight * found["labels"]
            errors[f"{kind} whole"] = LIST_ORDER * found["whole"]
        loss = sum(errors.values())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        for model in models.values():
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.04:
            told = passed
            shown = " ".join(f"{key} {value.item():.4f}" for key, value in errors.items())
            print(f"{time.monotonic() - began:6.0f} s {name} step {step} {shown}", flush=True)
        if time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
            saved = time.monotonic()
            keep_both(name, reader, copy, folder, output)
    keep_both(name, reader, copy, folder, output)
    trained = (reader.eval(), copy.eval())
    for what, models in (("MiniLM", (teacher, teacher)), (f"{name} as int8", trained)):
        found = [round(judged(*models, lists["held out"], weight), 4) for weight in WEIGHTS]
        print(f"held-out questions, {what}: {found}", flush=True)
    sizes = [round(float(value.detach().exp()), 2) for value in scales.values()]
    print(f"{name} {step} steps, scales {sizes}", flush=True)


def keep_both(name: str, reader: Encoder, copy: Encoder, folder: Path, output: Path) -> None:
    for kind, model in (("copy", copy), ("reader", reader)):
        content = pack(to_weights(model), fine=True)
        keep(content, output, f"{name}-{kind}")
        part = folder / f".{name}-{kind}"
        part.write_bytes(content)
        part.replace(folder / f"{name}-{kind}.npz.xz")


def measure_vectors(name: str, folder: Path) -> dict[str, object]:
    tokenizer = open_tokenizer(folder / "tokenizer.json")
    shared = {home.name: read_shared_set(home, tokenizer) for home in sorted((folder / "shared").iterdir())}
    copy, reader = open_encoder(folder, f"{name}-copy").eval(), open_encoder(folder, f"{name}-reader").eval()
    copy.act_as_int8(True)
    reader.act_as_int8(True)
    return measure_shared(copy, shared, reader)


def main(folder: Path, output: Path, names: list[str]) -> None:
    tokenizer = open_tokenizer(folder / "tokenizer.json")
    began = time.monotonic()
    for name in names:
        if name.startswith("measure:"):
            line = f"{name} {json.dumps(measure_vectors(name.removeprefix('measure:'), folder))}"
            print(line, flush=True)
            with (output / "report.txt").open("a", encoding="utf8") as lines:
                lines.write(line + "\n")
            continue
        plain, _, seconds = name.partition("=")
        lists, lessons = open_lists(folder, tokenizer)
        left = float(seconds) - (time.monotonic() - began)
        train(plain, PLANS[plain], left, folder, output, lessons, lists)


def open_lists(folder: Path, tokenizer: Tokenizer) -> tuple[dict[str, Lists], Lessons]:
    corpus = read_or_make(folder / "corpus.pt", lambda: open_corpus(folder, tokenizer))
    targets, voices = targets_in(folder, corpus), Voices(folder, [])
    lists = {
        "asked": asked_lists(corpus, voices, targets),
        "held out": asked_lists(corpus, voices, targets, held_out=True),
        "near": neighbour_lists(corpus, targets, voices),
    }
    print({kind: len(some.questions) for kind, some in lists.items()}, flush=True)
    return lists, Lessons.of(corpus)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
