"""Chunks become passages with the queries that should find them; what is in an evaluation set is left out.

Usage: python3 make_pairs.py CHUNKS.jsonl EVALUATION_SETS OUTPUT.jsonl[.xz] [PACKAGE_FOLDER_OF_AN_EVALUATION_SET ...]
"""

import collections
import hashlib
import json
import multiprocessing
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from open_text import open_text
from overlap import WORD, EvaluationTexts
from prose import DATA_SOURCES
from queries import code_queries, prose_queries
from questions import Questions
from sources import read_sources

#: How often each kind of query is kept: comments say the most, names the least that other search would not find.
KEPT = {"comment": 1.0, "request": 0.7, "name": 0.35, "file": 1.0, "question": 1.0, "heading": 0.8, "sentence": 0.7}
MOST_QUERIES = 3
WITHOUT_HEADER = 0.1
WITHOUT_LAST_HEADING = 0.4


def passage(chunk: dict, text: str, chance: random.Random) -> str:
    """The text as it is embedded. Headers vary, so that a model does not lean on them alone."""
    header = chunk["header"]
    if chance.random() < WITHOUT_HEADER:
        return text.strip()
    if chance.random() < WITHOUT_LAST_HEADING and " > " in header:
        header = header.rsplit(" > ", 1)[0]
    return f"{header}\n\n{text.strip()}"


def row_of(line: str, parts: "Parts") -> tuple[bytes, str, dict | None]:
    """What names the chunk's text, what becomes of it, and its row where it is kept."""
    chunk = json.loads(line)
    source, text = chunk["source"], chunk["text"]
    identity = hashlib.sha256(" ".join(WORD.findall(text.lower())).encode()).digest()
    if parts.questions.is_reserved(source):
        return identity, "reserved source", None
    if len(text.strip()) < 80:
        return identity, "short or repeated", None
    if parts.evaluation.share(text):
        return identity, "in an evaluation set", None
    chance = random.Random(f"{source} {chunk['path']} {chunk['first']}")
    shown, asked = (code_queries if chunk.get("language") else prose_queries)(chunk, chance)
    asked = [query for query in asked if chance.random() < KEPT[query[0]]]
    chance.shuffle(asked)
    asked = [("asked", question) for question in parts.questions.about(chunk)] + asked[:MOST_QUERIES]
    is_held_out = source in parts.held_out or parts.questions.is_held_out(source)
    row = {"source": source, "held_out": is_held_out, "text": passage(chunk, shown, chance), "queries": asked}
    return identity, "held-out passages" if is_held_out else "passages", row


@dataclass
class Parts:
    """What every chunk is compared with."""

    evaluation: EvaluationTexts
    questions: Questions
    held_out: set[str]


def rows(chunks: Path, parts: Parts, counts: collections.Counter):
    seen = set()
    # Copies of this process: they know the evaluation texts without being sent them.
    with multiprocessing.get_context("fork").Pool(initializer=_remember, initargs=(parts,)) as pool:
        with chunks.open(encoding="utf8") as lines:
            for identity, outcome, row in pool.imap(_row_of, lines, 256):
                if row is not None and identity in seen:
                    row, outcome = None, "short or repeated"
                counts[outcome] += 1
                if row is not None:
                    seen.add(identity)
                    counts.update(kind for kind, _ in row["queries"])
                    yield row


_parts: Parts | None = None


def _remember(parts: Parts) -> None:
    global _parts
    _parts = parts


def _row_of(line: str) -> tuple[bytes, str, dict | None]:
    return row_of(line, _parts)


def main(chunks: Path, sets: Path, output: Path, folders: list[Path]) -> None:
    counts = collections.Counter()
    # Prose about everything is scarce: all of it is learned from.
    held_out = {source.key for source in read_sources() if source.is_held_out} - DATA_SOURCES
    parts = Parts(EvaluationTexts(sets, folders), Questions.read(), held_out)
    with open_text(output, "wt") as lines:
        for row in rows(chunks, parts, counts):
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    json.dump(dict(counts), sys.stderr, indent=1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), [Path(folder) for folder in sys.argv[4:]])
