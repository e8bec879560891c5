"""Trains MiniLM on, so that its pieces judge better what answers a question; its vectors stay what they are.

One encoder of MiniLM's size and cost reads questions and chunks. Its pieces are compared as a search compares them, with one
bit a value on the side of the chunk, and learn the order that the pieces of published encoders give together, and the labels
of written questions over the engine's own candidates, beside what the engine knows already.

Usage: python3 judging_stretch.py FOLDER OUTPUT NAME[:SEED]...   rows of PLANS; FOLDER is that of stretch.py, with all three
teachers, `asked/` (measured: what the engine found with MiniLM) and `learned/` (the same for questions to learn from).
`voices` measures what the teachers' pieces say, `mean:A,B` the mean of the weights of two, `part:A=SHARE` the way from
MiniLM to A.
"""

import json
import math
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

import lessons as lesson_sizes
from copying import compared, order_error
from corpus import DEVICE, Corpus, open_tokenizer
from embedding import mixed_precision
from encoder import Encoder, to_weights
from judge import LONGEST_PASSAGE, LONGEST_QUESTION
from judge_data import TOP, Asked, AskedSet, padded, read_asked
from judge_pieces import Head, measure, said_by
from judge_stretch import Voices, neighbours_of, standard, targets_in
from lessons import Lessons
from losses import divergence
from measure import measure_shared, read_shared_set
from questions import Questions
from reader_stretch import nearest_pieces, trimmed
from stretch import open_corpus, read_or_make
from teachers import BGE_PREFIX, Targets, open_encoder
from weights import pack

#: How much each voice counts among those that teach.
MIX = {"gte pieces": 0.7, "bge pieces": 0.6, "minilm pieces": 0.7}
#: Candidates of a written question that lists are drawn from, and passages in a list.
KNOWN, CANDIDATES = 40, 20
#: Lists of neighbours that are made once for each kind of source, and passages in each.
POOL, NEAR = 12_288, 12
#: Lists of each kind in a step.
DRAWN = {"near": 32, "general": 16, "asked": 16}
#: Runs of neighbours whose texts keep the vectors where they are.
RUNS = 160
VECTOR, ORDER = 6.0, 1.0
WARM_UP_STEPS = 60


@dataclass(frozen=True)
class JudgingPlan:
    seconds: float
    labels: float = 1.0
    """How much it counts which passages answer a written question."""
    near_labels: float = 0.3
    """The same for comments, headings and sentences."""
    tie: float = 0.3
    """How much the direction of every single piece counts: it stays what it is for MiniLM."""
    rate: float = 1e-4
    seed: int = 0
    int8_from: float = 0.7


PLANS = {
    "one": JudgingPlan(130),
    "taught": JudgingPlan(90, labels=0.0, near_labels=0.0),
    "tied": JudgingPlan(130, tie=1.5, rate=6e-5),
}


@dataclass
class Lists:
    """Questions with passages, all on the device; passages are rows of a table."""

    questions: Tensor
    texts: Tensor
    passages: Tensor
    """(lists, candidates): rows of `texts`."""
    labels: Tensor
    said: Tensor
    """What the voices say together."""
    engine: Tensor
    """What the engine's scores say before its rules; zeros where it was not asked."""

    def draw(self, count: int, size: int) -> tuple[Tensor, ...]:
        """Questions, passages, labels, voices and engine; answers come first, then what the engine has among its best."""
        some = torch.randint(len(self.questions), (count,), device=DEVICE)
        labels = self.labels[some]
        best = torch.arange(labels.shape[1], device=DEVICE) < TOP
        wanted = torch.rand(labels.shape, device=DEVICE) + labels + 0.5 * best
        wanted = wanted.masked_fill(self.passages[some] < 0, -1)
        places = wanted.topk(min(size, labels.shape[1]), 1).indices
        taken = [value[some].gather(1, places) for value in (self.passages, self.labels, self.said, self.engine)]
        return trimmed(self.questions[some]), trimmed(self.texts[taken[0].clamp_min(0)]), *taken


def mix_of(voices: Voices, opinions: Tensor, valid: Tensor) -> Tensor:
    mix = torch.tensor([MIX.get(name, 0.0) for name in voices.names], device=DEVICE)
    return (standard(opinions, valid) * mix).sum(-1)


def asked_lists(data: AskedSet, asked: list[Asked], voices: Voices) -> Lists:
    rows = lambda values: torch.tensor([(value + [-1] * KNOWN)[:KNOWN] for value in values], device=DEVICE)  # noqa: E731
    passages = rows([one.texts for one in asked])
    valid = passages >= 0
    labels = rows([[float(bool(found)) for found in one.finds] for one in asked]).clamp_min(0)
    engine = rows([[part.fused for part in one.parts] for one in asked])
    engine = standard(engine[..., None], valid)[..., 0]
    length = LONGEST_PASSAGE
    texts = torch.zeros(len(data.texts), length, dtype=torch.short)
    for number, ids in enumerate(data.texts):
        texts[number, : len(ids)] = torch.tensor(ids[:length])
    texts = texts.to(DEVICE)
    questions = F.pad(whole := padded([one.question for one in asked]), (0, LONGEST_QUESTION - whole.shape[1]))
    said = [
        mix_of(voices, voices(trimmed(questions[part]), trimmed(texts[passages[part].clamp_min(0)])), valid[part])
        for part in torch.arange(len(asked), device=DEVICE).split(24)
    ]
    return Lists(questions.short(), texts, passages, labels, torch.cat(said), engine)


def neighbour_lists(corpus: Corpus, targets: Targets, voices: Voices, general: bool) -> Lists:
    """Comments, headings and sentences with hard wrong answers of the same source."""
    queries, near = neighbours_of(corpus, targets, general, 4 * POOL)
    chosen = torch.randint(len(queries), (POOL,), device=DEVICE)
    right = corpus.passage_of[queries[chosen]]
    places = torch.rand(near[chosen].shape, device=DEVICE).argsort(1)[:, : NEAR - 1]
    passages = torch.cat([right[:, None], near[chosen].gather(1, places)], 1)
    used, rows = passages.unique(return_inverse=True)
    texts = torch.cat(
        [
            F.pad(ids[:, :LONGEST_PASSAGE], (0, max(0, LONGEST_PASSAGE - ids.shape[1]))).short()
            for ids in (corpus.passages.batch(part) for part in used.split(4096))
        ]
    )
    repeated = torch.zeros_like(rows, dtype=torch.bool)
    repeated[:, 1:] = passages[:, 1:] == right[:, None]
    rows = rows.masked_fill(repeated, -1)
    questions = corpus.queries.batch(queries[chosen])[:, :LONGEST_QUESTION]
    labels = torch.zeros_like(rows, dtype=torch.float)
    labels[:, 0] = 1
    said = [
        mix_of(voices, voices(trimmed(questions[part]), trimmed(texts[rows[part].clamp_min(0)])), rows[part] >= 0)
        for part in torch.arange(POOL, device=DEVICE).split(48)
    ]
    return Lists(questions.short(), texts, rows, labels, torch.cat(said), torch.zeros_like(labels))


def piece_scores(model: Encoder, questions: Tensor, passages: Tensor) -> Tensor:
    with mixed_precision():
        asked, shown = model.states(questions)[-1], model.states(passages.flatten(0, 1))[-1]
    return nearest_pieces(questions, asked, passages, shown)


def list_errors(model: Encoder, lists: Lists, count: int, scales: nn.ParameterDict) -> dict[str, Tensor]:
    questions, passages, rows, labels, said, engine = lists.draw(count, CANDIDATES)
    hidden = rows < 0
    logits = (piece_scores(model, questions, passages) * scales["pieces"].exp()).masked_fill(hidden, -1e4)
    found = (logits + scales["engine"].exp() * engine).log_softmax(1)
    right = -torch.logsumexp(found.masked_fill(labels == 0, -1e4), 1)
    return {"voices": divergence(logits, said.masked_fill(hidden, -1e4)), "labels": right.mean()}


def train(name: str, plan: JudgingPlan, folder: Path, lessons: Lessons, lists: dict[str, Lists]) -> Encoder:
    torch.manual_seed(plan.seed)
    lesson_sizes.RUNS = RUNS
    teacher, model = open_encoder(folder, "minilm").eval().requires_grad_(False), open_encoder(folder, "minilm").train()
    scales = nn.ParameterDict({"pieces": torch.tensor(math.log(30.0)), "engine": torch.tensor(-0.5)}).to(DEVICE)
    groups = [{"params": list(model.parameters())}, {"params": list(scales.parameters())}]
    optimiser = torch.optim.AdamW(groups, plan.rate, betas=(0.9, 0.98), eps=1e-6, weight_decay=0, fused=DEVICE == "cuda")
    began, step, told = time.monotonic(), 0, -1.0
    while (passed := (time.monotonic() - began) / plan.seconds) < 1:
        slope = min(1, (step + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * passed)) / 2
        for group, rate in zip(optimiser.param_groups, (plan.rate, 50 * plan.rate)):
            group["lr"] = rate * slope
        if passed > plan.int8_from:
            model.act_as_int8(True)
        windows, shorts = lessons.draw(1 / 3)
        made = [compared(model, teacher, ids, False) for ids in windows] + [compared(model, teacher, shorts, True)]
        own, wanted = torch.cat([part[1] for part in made]), torch.cat([part[2] for part in made])
        errors = {
            "vector": VECTOR * (1 - (own * wanted).sum(1)).mean(),
            "order": ORDER * order_error(own, wanted),
            "pieces": plan.tie * sum(part[3] for part in made) / len(made),
        }
        for kind, some in lists.items():
            found = list_errors(model, some, DRAWN[kind], scales)
            errors[f"{kind} voices"] = found["voices"]
            weight = plan.labels if kind == "asked" else plan.near_labels if kind == "near" else 0.0
            errors[f"{kind} labels"] = weight * found["labels"]
        loss = sum(errors.values())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if passed - told > 0.1:
            told = passed
            shown = " ".join(f"{key} {value.item():.4f}" for key, value in errors.items())
            print(f"{time.monotonic() - began:6.0f} s {name} step {step} {shown}", flush=True)
    model.act_as_int8(False)
    print(f"{name} {step} steps, scales {[round(float(value.detach().exp()), 2) for value in scales.values()]}", flush=True)
    return model.eval()


def mean_of(folder: Path, shares: dict[str, float]) -> Encoder:
    """An encoder whose weights are the weighted mean of some."""
    models = {name: open_encoder(folder, name).eval() for name in shares}
    result = open_encoder(folder, "minilm").eval()
    states = {name: model.state_dict() for name, model in models.items()}
    result.load_state_dict({key: sum(shares[name] * states[name][key] for name in shares) for key in result.state_dict()})
    return result


def voices_in(folder: Path, tokenizer: Tokenizer) -> Voices:
    return Voices(folder, tokenizer.encode(BGE_PREFIX, add_special_tokens=False).ids)


def open_lists(folder: Path, corpus: Corpus, tokenizer: Tokenizer) -> dict[str, Lists]:
    targets, voices = targets_in(folder, corpus), voices_in(folder, tokenizer)
    data = read_asked(sorted((folder / "learned").glob("*.jsonl*")), tokenizer)
    held_out = Questions.read().held_out
    asked = [one for one in data.asked if one.set.removeprefix("questions/") not in held_out and any(one.finds[:KNOWN])]
    lists = {
        "asked": asked_lists(data, asked, voices),
        "near": neighbour_lists(corpus, targets, voices, general=False),
    }
    if corpus.is_general.any():
        lists["general"] = neighbour_lists(corpus, targets, voices, general=True)
    print({kind: len(some.questions) for kind, some in lists.items()}, flush=True)
    return lists


def main(folder: Path, output: Path, names: list[str]) -> None:
    began = time.monotonic()
    tokenizer = open_tokenizer(folder / "tokenizer.json")
    measured = read_asked(sorted((folder / "asked").glob("*.jsonl*")), tokenizer)
    chosen = [one for one in measured.asked if len(one.texts) > 1]
    held_out = Questions.read().held_out

    def report(what: str, value: object) -> None:
        line = f"{time.monotonic() - began:6.0f} s {what}: {json.dumps(value, indent=1)}"
        print(line, flush=True)
        with (output / "judging.txt").open("a", encoding="utf8") as file:
            file.write(line + "\n")

    # Copies of this process, which know the questions; none of them touches the device.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        list(pool.map(abs, range(64)))
        corpus = read_or_make(folder / "corpus.pt", lambda: open_corpus(folder, tokenizer))
        shared = {home.name: read_shared_set(home, tokenizer) for home in sorted((folder / "shared").iterdir())}

        def show(name: str, model: Encoder) -> None:
            model.act_as_int8(True)
            said = said_by({"signs": (-1, Head(signs=True).to(DEVICE))}, model, measured, chosen)["signs"]
            report(f"{name}, pieces", measure(said, chosen, held_out, pool))
            report(f"{name}, vectors", measure_shared(model, shared))
            model.act_as_int8(False)

        lists: dict[str, Lists] = {}
        for name in names:
            if name == "voices":
                voices = voices_in(folder, tokenizer)
                opinions = [
                    voices(measured.questions(part), measured.passages(part))
                    for part in (chosen[at : at + 24] for at in range(0, len(chosen), 24))
                ]
                valid = [[at < len(one.texts) for at in range(TOP)] for one in chosen]
                valid = torch.tensor(valid, device=DEVICE)
                every = torch.cat(opinions)
                for at, voice in enumerate(voices.names):
                    report(voice, measure(every[..., at].cpu().tolist(), chosen, held_out, pool))
                report("the voices that teach", measure(mix_of(voices, every, valid).cpu().tolist(), chosen, held_out, pool))
                continue
            if name.startswith("mean:"):
                parts = name.removeprefix("mean:").split(",")
                model = mean_of(folder, {part: 1 / len(parts) for part in parts})
                name = "-".join(parts)
            elif name.startswith("part:"):
                part, _, share = name.removeprefix("part:").partition("=")
                model = mean_of(folder, {"minilm": 1 - float(share), part: float(share)})
                name = f"{part}.{share}"
            elif name == "minilm":
                model = open_encoder(folder, "minilm").eval()
            else:
                plain, _, seed = name.partition(":")
                lists = lists or open_lists(folder, corpus, tokenizer)
                plan = replace(PLANS[plain], seed=int(seed or 0))
                model = train(name, plan, folder, Lessons.of(corpus), lists)
                name = name.replace(":", "-")
            if name != "minilm":
                content = pack(to_weights(model), fine=True)
                (folder / f"{name}.npz.xz").write_bytes(content)
            show(name, model)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
