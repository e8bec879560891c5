"""What the engine found for each question (ask-engine.ts) as token ids, and how well an order of it would score."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from corpus import DEVICE, START
from judge import LONGEST_PASSAGE, LONGEST_QUESTION
from open_text import open_text

#: The best chunks of the engine that a judge looks at.
TOP = 20


@dataclass
class Asked:
    """One question with the engine's candidates."""

    set: str
    question: list[int]
    grades: list[float]
    texts: list[int]
    """The candidates as numbers of texts."""
    keys: list[str]
    finds: list[list[int]]
    scores: list[float]
    parts: list["Parts"]


@dataclass(frozen=True)
class Parts:
    """What a score of the engine is made of."""

    fused: float
    """Before the rules: what a judge's scores are mixed with."""
    lift: float
    noise: float
    file: str


@dataclass
class AskedSet:
    asked: list[Asked]
    texts: list[list[int]]

    def questions(self, chosen: list[Asked]) -> Tensor:
        return padded([one.question for one in chosen])

    def passages(self, chosen: list[Asked]) -> Tensor:
        """(lists, TOP, length); missing candidates are empty texts."""
        rows = [self.texts[text] for one in chosen for text in (one.texts + [0] * TOP)[:TOP]]
        return padded(rows).view(len(chosen), TOP, -1)


def padded(rows: list[list[int]]) -> Tensor:
    length = max(map(len, rows))
    return torch.tensor([row + [0] * (length - len(row)) for row in rows], device=DEVICE)


def read_asked(files: list[Path], tokenizer: Tokenizer) -> AskedSet:
    asked, numbers = [], {"": 0}
    for file in files:
        with open_text(file) as lines:
            for line in lines:
                row = json.loads(line)
                texts = [numbers.setdefault(found["text"], len(numbers)) for found in row["rows"]]
                asked.append(
                    Asked(
                        row["set"],
                        row["text"],
                        row["grades"],
                        texts,
                        [found["key"] for found in row["rows"]],
                        [found["finds"] for found in row["rows"]],
                        [found["score"] for found in row["rows"]],
                        [Parts(*(found[name] for name in ("fused", "lift", "noise", "file"))) for found in row["rows"]],
                    )
                )
    tokenizer.enable_truncation(LONGEST_PASSAGE)
    texts = [encoding.ids for encoding in tokenizer.encode_batch_fast(list(numbers))]
    texts[0] = [START]
    tokenizer.enable_truncation(LONGEST_QUESTION)
    for one, encoding in zip(asked, tokenizer.encode_batch_fast([one.question for one in asked])):
        one.question = encoding.ids
    tokenizer.enable_truncation(256)
    return AskedSet(asked, texts)


def ndcg(one: Asked, order: list[int]) -> float:
    """nDCG@10 of an order of the candidates, counted as the engine's evaluation counts."""
    gains, seen, open_labels = [], set(), set(range(len(one.grades)))
    for place in order:
        fresh = sorted((label for label in one.finds[place] if label in open_labels), key=lambda at: -one.grades[at])
        if not fresh and (one.finds[place] or one.keys[place] in seen):
            continue
        seen.add(one.keys[place])
        gains += [one.grades[label] for label in fresh] or [0]
        open_labels -= set(fresh)
        if len(gains) >= 10:
            break
    best = sum(grade / math.log2(rank + 2) for rank, grade in enumerate(sorted(one.grades, reverse=True)[:10]))
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains[:10])) / best


#: As src/retrieval has them: candidates that are equally good are told apart by this much, and what the file with most of
#: what was found adds to its best chunk.
LEAST_RANGE, COHERENCE = 0.02, 0.4


def mixed_order(one: Asked, judged: list[float], weight: float) -> list[int]:
    """The engine's order where a judge has scored the best: its scores count before the rules do."""
    count = min(TOP, len(one.parts))
    mixed = [part.fused for part in one.parts]
    highest = max(mixed[:count])
    lowest = min(*mixed[:count], highest - LEAST_RANGE)
    least, most = min(judged[:count]), max(judged[:count])
    if most > least:
        for at in range(count):
            said = lowest + (highest - lowest) * (judged[at] - least) / (most - least)
            mixed[at] = weight * said + (1 - weight) * mixed[at]
    sums: dict[str, float] = {}
    best: dict[str, int] = {}
    for at, part in enumerate(one.parts):
        sums[part.file] = sums.get(part.file, 0) + mixed[at]
        if part.file not in best or mixed[at] > mixed[best[part.file]]:
            best[part.file] = at
    final = [(mixed[at] + part.lift) for at, part in enumerate(one.parts)]
    for file, at in best.items():
        final[at] += COHERENCE * max(mixed) * sums[file] / max(sums.values())
    final = [value * part.noise for value, part in zip(final, one.parts)]
    return sorted(range(len(final)), key=lambda at: (-final[at], at))


def interval(differences: list[float], draws: int = 2000) -> tuple[float, float, float]:
    """Mean of paired differences and the range that holds 95 % of resampled means."""
    values = torch.tensor(differences, device=DEVICE)
    chosen = torch.randint(len(values), (draws, len(values)), device=DEVICE)
    means = values[chosen].mean(1).sort().values
    return float(values.mean()), float(means[int(draws * 0.025)]), float(means[int(draws * 0.975)])
