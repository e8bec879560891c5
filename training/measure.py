"""Exact search with a model's vectors: on held-out pairs, which choose, and on the shared sets, which only report."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from corpus import DEVICE, END, LONGEST, START, Corpus, Texts
from embedding import embed_all

DEPTH = 10
#: Kinds of held-out queries that a person could have typed; names and sentences are left to training.
CHOOSING = ("comment", "request", "question", "heading", "asked")
MOST_QUERIES = 6000


@dataclass
class SharedSet:
    """Documents in windows, queries, and which documents are right for each."""

    windows: Texts
    document_of: Tensor
    queries: Texts
    right: list[dict[int, float]]
    allowed: Tensor | None
    """For each query, the documents of its scope; none where there is one scope only."""


def window_ids(ids: list[int], size: int) -> list[list[int]]:
    """A long text in windows of equal size."""
    count = max(1, math.ceil(len(ids) / size))
    step = max(1, math.ceil(len(ids) / count))
    return [[START, *ids[at : at + step], END] for at in range(0, max(1, len(ids)), step)]


def read_lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf8").splitlines() if line.strip()]


def read_shared_set(folder: Path, tokenizer: Tokenizer) -> SharedSet:
    tokenizer.no_truncation()
    documents, asked = read_lines(folder / "corpus.jsonl"), read_lines(folder / "queries.jsonl")
    place = {document["_id"]: at for at, document in enumerate(documents)}
    right: dict[str, dict[int, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf8").splitlines():
        query, document, score = line.split("\t")[:3]
        if score.replace(".", "").isdigit() and float(score) > 0 and document in place:
            right.setdefault(query, {})[place[document]] = float(score)
    asked = [query for query in asked if query["_id"] in right]
    texts = [f"{document.get('title') or ''}\n\n{document['text']}".strip() for document in documents]
    windows, document_of = [], []
    for at, encoding in enumerate(tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
        rows = window_ids(encoding.ids, LONGEST - 2)
        windows += rows
        document_of += [at] * len(rows)
    encodings = tokenizer.encode_batch_fast([query["text"] for query in asked], add_special_tokens=False)
    queries = [window_ids(encoding.ids, LONGEST - 2)[0] for encoding in encodings]
    tokenizer.enable_truncation(LONGEST)
    allowed = None
    if "scope" in documents[0]:
        scopes = {scope: number for number, scope in enumerate(sorted({document["scope"] for document in documents}))}
        of_documents = torch.tensor([scopes[document["scope"]] for document in documents], device=DEVICE)
        of_queries = torch.tensor([scopes[query["scope"]] for query in asked], device=DEVICE)
        allowed = of_queries[:, None] == of_documents
    return SharedSet(
        Texts(windows),
        torch.tensor(document_of, device=DEVICE),
        Texts(queries),
        [right[query["_id"]] for query in asked],
        allowed,
    )


def gain(found: list[int], right: dict[int, float]) -> float:
    """nDCG@10 of one query."""
    score = sum(right.get(document, 0) / math.log2(rank + 2) for rank, document in enumerate(found))
    best = sorted(right.values(), reverse=True)[:DEPTH]
    return score / sum(value / math.log2(rank + 2) for rank, value in enumerate(best))


def measure_shared(model: nn.Module, sets: dict[str, SharedSet], asking: nn.Module | None = None) -> dict[str, float]:
    """Another model may make the vectors of the queries, where both have learned the same space."""
    results = {}
    for name, one in sets.items():
        similar = embed_all(asking or model, one.queries) @ embed_all(model, one.windows).T
        documents = int(one.document_of.max()) + 1
        best = torch.full((len(similar), documents), -2.0, device=DEVICE)
        best.scatter_reduce_(1, one.document_of.expand(len(similar), -1), similar, "amax")
        if one.allowed is not None:
            best[~one.allowed] = -2
        found = best.topk(min(DEPTH, documents), 1).indices.tolist()
        results[name] = sum(map(gain, found, one.right)) / len(found)
    results["mean"] = sum(results.values()) / max(1, len(results))
    return {name: round(value, 4) for name, value in results.items()}


class HeldOut:
    """Held-out queries against all held-out passages: the mean reciprocal rank within ten decides."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        places = corpus.passage_is_held_out.nonzero().flatten()
        self.passages = places
        at = torch.zeros(len(corpus.passages), dtype=torch.long, device=DEVICE)
        at[places] = torch.arange(len(places), device=DEVICE)
        held_out = corpus.query_is_held_out.nonzero().flatten().tolist()
        wanted = [query for query in held_out if corpus.kinds[query] in CHOOSING]
        spread = max(1, len(wanted) // MOST_QUERIES)
        asked = [query for number, query in enumerate(wanted) if number % spread == 0 or corpus.kinds[query] == "asked"]
        self.queries = torch.tensor(asked, device=DEVICE)
        self.answers = at[corpus.passage_of[self.queries]]
        self.kinds = [corpus.kinds[query] for query in asked]

    def measure(self, model: nn.Module) -> dict[str, float]:
        passages = embed_all(model, _Part(self.corpus.passages, self.passages))
        queries = embed_all(model, _Part(self.corpus.queries, self.queries))
        similar = queries @ passages.T
        rank = (similar > similar.gather(1, self.answers[:, None])).sum(1) + 1
        scores = torch.where(rank <= DEPTH, 1 / rank.float(), 0).tolist()
        by_kind: dict[str, list[float]] = {}
        for kind, score in zip(self.kinds, scores):
            by_kind.setdefault(kind, []).append(score)
        means = {kind: round(sum(values) / len(values), 4) for kind, values in sorted(by_kind.items())}
        return {**means, "mean": round(sum(means.values()) / len(means), 4)}


class _Part:
    """Some of the texts, by place."""

    def __init__(self, texts: Texts, places: Tensor) -> None:
        self.texts, self.places, self.lengths = texts, places, texts.lengths[places]

    def __len__(self) -> int:
        return len(self.places)

    def batch(self, chosen: Tensor, prefix: list[int] | None = None) -> Tensor:
        return self.texts.batch(self.places[chosen], prefix)
