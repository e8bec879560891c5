"""Passages and queries as token ids on the device.

Usage: python3 corpus.py PAIRS.jsonl TOKENIZER.json OUTPUT.npz.xz    token ids travel; no time of the device goes into them
"""

import io
import json
import lzma
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from open_text import open_text
from prose import DATA_SOURCES

LONGEST = 256
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
START, END = 101, 102


class Texts:
    """Many texts in one array of token ids, with start and end marks."""

    def __init__(self, ids: list[list[int]]) -> None:
        lengths = [len(row) for row in ids]
        self._place(np.array(lengths), np.concatenate([np.asarray(row, dtype=np.int32) for row in ids]))

    def _place(self, lengths: np.ndarray, flat: np.ndarray) -> None:
        self.lengths = torch.from_numpy(lengths.astype(np.int64)).to(DEVICE)
        self.starts = self.lengths.cumsum(0) - self.lengths
        self.flat = torch.from_numpy(flat.astype(np.int32)).to(DEVICE)

    def packed(self) -> tuple[np.ndarray, np.ndarray]:
        """Lengths and token ids, which need 16 bits each."""
        return self.lengths.cpu().numpy().astype(np.uint16), self.flat.cpu().numpy().astype(np.uint16)

    @classmethod
    def unpacked(cls, lengths: np.ndarray, flat: np.ndarray) -> "Texts":
        texts = cls.__new__(cls)
        texts._place(lengths, flat)
        return texts

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, chosen: Tensor, prefix: list[int] | None = None) -> Tensor:
        """Rows padded with zeros to the longest; a prefix comes after the start mark."""
        lengths = self.lengths[chosen]
        places = torch.arange(int(lengths.max()), device=DEVICE)
        inside = places < lengths[:, None]
        rows = torch.where(inside, self.flat[(self.starts[chosen][:, None] + places).clamp_max(len(self.flat) - 1)], 0)
        if prefix:
            before = torch.tensor(prefix, device=DEVICE).expand(len(chosen), -1)
            rows = torch.cat([rows[:, :1], before, rows[:, 1:]], 1)
        return rows.long()


@dataclass
class Corpus:
    """Pairs point into the texts; training and held-out sources never mix."""

    passages: Texts
    queries: Texts
    passage_of: Tensor
    """For each query, the passage that it should find."""
    kinds: list[str]
    query_is_held_out: Tensor
    passage_is_held_out: Tensor
    is_general: Tensor
    """Passages of prose about everything, which code and its documentation lack."""
    source_of: Tensor
    """A number for the source of each passage."""


def joined(corpora: list[Corpus]) -> Corpus:
    """Several corpora as one; sources are told apart."""
    first, *others = corpora
    for more in others:
        passages = len(first.passages)
        texts = [
            Texts.unpacked(*(np.concatenate(parts) for parts in zip(one.packed(), other.packed())))
            for one, other in ((first.passages, more.passages), (first.queries, more.queries))
        ]
        first = Corpus(
            *texts,
            torch.cat([first.passage_of, more.passage_of + passages]),
            first.kinds + more.kinds,
            torch.cat([first.query_is_held_out, more.query_is_held_out]),
            torch.cat([first.passage_is_held_out, more.passage_is_held_out]),
            torch.cat([first.is_general, more.is_general]),
            torch.cat([first.source_of, more.source_of + 1 + first.source_of.max()]),
        )
    return first


def open_tokenizer(file: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def tokenise(tokenizer: Tokenizer, texts: list[str]) -> Texts:
    return Texts([encoding.ids for encoding in tokenizer.encode_batch_fast(texts)])


def read_corpus(file: Path, tokenizer: Tokenizer) -> Corpus:
    texts, held_out, sources, queries, passage_of, kinds = [], [], [], [], [], []
    with open_text(file) as lines:
        for place, line in enumerate(lines):
            row = json.loads(line)
            texts.append(row["text"])
            held_out.append(row["held_out"])
            sources.append(row["source"])
            for kind, query in row["queries"]:
                queries.append(query)
                passage_of.append(place)
                kinds.append(kind)
    passage_held_out = torch.tensor(held_out, device=DEVICE)
    places = torch.tensor(passage_of, device=DEVICE)
    numbers = {source: number for number, source in enumerate(dict.fromkeys(sources))}
    return Corpus(
        tokenise(tokenizer, texts),
        tokenise(tokenizer, queries),
        places,
        kinds,
        passage_held_out[places],
        passage_held_out,
        torch.tensor([source in DATA_SOURCES for source in sources], device=DEVICE),
        torch.tensor([numbers[source] for source in sources], device=DEVICE),
    )


def pack_corpus(corpus: Corpus) -> bytes:
    """The corpus in a small archive."""
    buffer = io.BytesIO()
    names = sorted(set(corpus.kinds))
    tensors = (corpus.passage_of, corpus.query_is_held_out, corpus.passage_is_held_out, corpus.is_general)
    np.savez(
        buffer,
        *corpus.passages.packed(),
        *corpus.queries.packed(),
        *(tensor.cpu().numpy() for tensor in (*tensors, corpus.source_of)),
        np.array([names.index(kind) for kind in corpus.kinds], dtype=np.uint8),
        np.array(names),
    )
    # Ids have two bytes, and copies of a text may be far from each other.
    ways = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 2**27, "lc": 2, "lp": 1, "pb": 1}]
    return lzma.compress(buffer.getvalue(), filters=ways)


def unpack_corpus(content: bytes) -> Corpus:
    archive = np.load(io.BytesIO(lzma.decompress(content)))
    arrays = [archive[name] for name in archive.files]
    of, query_held_out, held_out, general, source = (torch.from_numpy(array).to(DEVICE) for array in arrays[4:9])
    # Prose about everything is scarce: all of it is learned from, also where it was packed as held out.
    held_out &= ~general
    query_held_out &= ~general[of]
    kinds = arrays[10][arrays[9]].tolist()
    passages, queries = Texts.unpacked(*arrays[:2]), Texts.unpacked(*arrays[2:4])
    return Corpus(passages, queries, of, kinds, query_held_out, held_out, general, source)


if __name__ == "__main__":
    made = read_corpus(Path(sys.argv[1]), open_tokenizer(Path(sys.argv[2])))
    Path(sys.argv[3]).write_bytes(pack_corpus(made))
