"""Texts to copy a teacher on: any text is a lesson where the teacher can be asked, so windows are cut anywhere in the corpus."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from corpus import DEVICE, END, START, Corpus
from encoder import VOCABULARY

#: Passages of one step, in runs of neighbours: what is alike has to stay in the teacher's order.
RUNS, NEIGHBOURS = 480, 4
#: A step's windows have so many lengths; all of one length need no padding.
LENGTHS, SHORTEST_WINDOW, LONGEST_WINDOW = 3, 40, 256
#: How often a window has the longest length: long documents are cut into such.
FULL = 0.35
#: Tokens of a short text, its marks included.
SHORTEST, LONGEST_SHORT = 6, 64
#: Pieces that end a sentence: `.`, `?`, `!`.
STOPS = (1012, 1029, 999)
#: Pieces from here on are words and their parts; before them stand marks and single characters.
FIRST_WORD = 1996
#: The largest share of words that are replaced in a text.
SWAPPED = 0.25
#: How often a short text is what somebody might ask, where there is such a thing, and not a sentence.
ASKED = 0.6


@dataclass
class Lessons:
    """The training passages as one stream of tokens without marks, with the places of sentences and the queries."""

    stream: Tensor
    starts: Tensor
    """Where each passage begins, and the end of the last."""
    general: Tensor
    """Passages of prose about everything."""
    sentences: Tensor
    """Where each sentence begins."""
    first_sentence: Tensor
    """For each passage the number of its first sentence, and their count at the end."""
    corpus: Corpus
    queries: Tensor
    """Queries ordered by passage."""
    first_query: Tensor

    @classmethod
    def of(cls, corpus: Corpus) -> "Lessons":
        kept = (~corpus.passage_is_held_out).nonzero().flatten()
        texts = corpus.passages
        inside = torch.repeat_interleave(~corpus.passage_is_held_out, texts.lengths)
        inside[texts.starts] = False
        inside[texts.starts + texts.lengths - 1] = False
        stream = texts.flat[inside]
        lengths = texts.lengths[kept] - 2
        starts = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        after_stop = torch.zeros(len(stream) + 1, dtype=torch.bool, device=DEVICE)
        for stop in STOPS:
            after_stop[1:] |= stream == stop
        after_stop[starts] = True
        sentences = after_stop.nonzero().flatten()
        asked = (~corpus.query_is_held_out).nonzero().flatten()
        place = torch.zeros(len(texts), dtype=torch.long, device=DEVICE)
        place[kept] = torch.arange(len(kept), device=DEVICE)
        of_query = place[corpus.passage_of[asked]]
        order = torch.argsort(of_query)
        numbers = torch.arange(len(kept) + 1, device=DEVICE)
        return cls(
            stream,
            starts,
            corpus.is_general[kept].nonzero().flatten(),
            sentences,
            torch.searchsorted(sentences, starts),
            corpus,
            asked[order],
            torch.searchsorted(of_query[order].contiguous(), numbers),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def draw(self, shorts: float = 1.0) -> tuple[list[Tensor], Tensor]:
        """Windows, all of one length in each tensor, and short texts about the same passages, padded with zeros.

        Neighbours stay beside each other. With fewer short texts than windows the first passages have them.
        """
        half = RUNS // 2
        first = torch.randint(len(self), (RUNS,), device=DEVICE)
        if len(self.general):
            first[:half] = self.general[torch.randint(len(self.general), (half,), device=DEVICE)]
        first = first[torch.randperm(RUNS, device=DEVICE)]
        passages = (first[:, None] + torch.arange(NEIGHBOURS, device=DEVICE)).flatten().clamp_max(len(self) - 1)
        windows = [self._windows(part, _some_length()) for part in passages.chunk(LENGTHS)]
        # One part stays as it was written.
        windows[1:] = [with_other_words(with_other_ends(ids)) for ids in windows[1:]]
        return windows, self._shorts(passages[: math.ceil(len(passages) * shorts)])

    def _some_sentence(self, passages: Tensor) -> Tensor:
        first, end = self.first_sentence[passages], self.first_sentence[passages + 1]
        return first + (torch.rand(len(passages), device=DEVICE) * (end - first)).long()

    def _windows(self, passages: Tensor, length: int) -> Tensor:
        """Half begin with their passage, half with a sentence of it; they may run on into the next passage."""
        at = self.starts[passages]
        inner = self.sentences[self._some_sentence(passages)]
        at = torch.where(torch.rand(len(at), device=DEVICE) < 0.5, at, inner).clamp_max(len(self.stream) - length)
        return _marked(self.stream[at[:, None] + torch.arange(length - 2, device=DEVICE)].long())

    def _shorts(self, passages: Tensor) -> Tensor:
        """A query of each passage, or one of its sentences."""
        places = torch.arange(LONGEST_SHORT, device=DEVICE)
        sentence = self._some_sentence(passages)
        at = self.sentences[sentence]
        size = (self.sentences[sentence + 1] - at).clamp(SHORTEST - 2, LONGEST_SHORT - 2)
        at = at.clamp_max(len(self.stream) - LONGEST_SHORT)
        body = self.stream[at[:, None] + places[:-2]].long()
        rows = torch.zeros(len(passages), LONGEST_SHORT, dtype=torch.long, device=DEVICE)
        rows[:, 0] = START
        rows[:, 1:-1] = torch.where(places[:-2] < size[:, None], body, 0)
        rows.scatter_(1, size[:, None] + 1, END)
        first, end = self.first_query[passages], self.first_query[passages + 1]
        has_query = (end > first) & (torch.rand(len(passages), device=DEVICE) < ASKED)
        number = first + (torch.rand(len(passages), device=DEVICE) * (end - first)).long()
        query = self.queries[number.clamp_max(len(self.queries) - 1)]
        texts = self.corpus.queries
        size = texts.lengths[query].clamp_max(LONGEST_SHORT)
        body = texts.flat[(texts.starts[query][:, None] + places).clamp_max(len(texts.flat) - 1)].long()
        asked = torch.where(places < size[:, None], body, 0)
        asked.scatter_(1, size[:, None] - 1, END)
        return torch.where(has_query[:, None], asked, rows)


def _some_length() -> int:
    if torch.rand(()) < FULL:
        return LONGEST_WINDOW
    # Multiples of eight: other shapes are slow on the device.
    return int(torch.randint(SHORTEST_WINDOW // 8, LONGEST_WINDOW // 8 + 1, ())) * 8


def _marked(body: Tensor) -> Tensor:
    ends = body.new_tensor([[START, END]]).expand(len(body), 2)
    return torch.cat([ends[:, :1], body, ends[:, 1:]], 1)


def with_other_words(ids: Tensor) -> Tensor:
    """The same texts with some pieces replaced: so the student meets words that the sources never put side by side."""
    share = torch.rand(len(ids), 1, device=ids.device) * SWAPPED
    chosen = (torch.rand(ids.shape, device=ids.device) < share) & (ids >= FIRST_WORD)
    return torch.where(chosen, torch.randint(FIRST_WORD, VOCABULARY, ids.shape, device=ids.device), ids)


def with_other_ends(ids: Tensor) -> Tensor:
    """Every second text goes on as another one from some place on."""
    cut = (torch.rand(len(ids), 1, device=ids.device) * 2).clamp_max(1) * ids.shape[1]
    goes_on = torch.arange(ids.shape[1], device=ids.device) >= cut
    return torch.where(goes_on, ids.roll(len(ids) // 2, 0), ids)
