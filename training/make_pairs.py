"""Chunks become passages with the queries that should find them; what is in an evaluation set is left out.

Usage: python3 make_pairs.py CHUNKS.jsonl EVALUATION_SETS OUTPUT.jsonl.xz [PACKAGE_FOLDER_OF_AN_EVALUATION_SET ...]
"""

import collections
import hashlib
import json
import lzma
import random
import sys
from pathlib import Path

from overlap import WORD, EvaluationTexts
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


def rows(chunks: Path, evaluation: EvaluationTexts, questions: Questions, counts: collections.Counter):
    held_out = {source.key for source in read_sources() if source.is_held_out}
    seen = set()
    with chunks.open(encoding="utf8") as lines:
        for line in lines:
            chunk = json.loads(line)
            source, text = chunk["source"], chunk["text"]
            if questions.is_reserved(source):
                counts["reserved source"] += 1
                continue
            place = f"{source} {chunk['path']} {chunk['first']}"
            identity = hashlib.sha256(" ".join(WORD.findall(text.lower())).encode()).digest()
            if len(text.strip()) < 80 or identity in seen:
                counts["short or repeated"] += 1
                continue
            seen.add(identity)
            if evaluation.share(text):
                counts["in an evaluation set"] += 1
                continue
            chance = random.Random(place)
            shown, asked = (code_queries if chunk.get("language") else prose_queries)(chunk, chance)
            asked = [query for query in asked if chance.random() < KEPT[query[0]]]
            chance.shuffle(asked)
            asked = [("asked", question) for question in questions.about(chunk)] + asked[:MOST_QUERIES]
            counts.update(kind for kind, _ in asked)
            is_held_out = source in held_out or questions.is_held_out(source)
            counts["held-out passages" if is_held_out else "passages"] += 1
            yield {"source": source, "held_out": is_held_out, "text": passage(chunk, shown, chance), "queries": asked}


def main(chunks: Path, sets: Path, output: Path, folders: list[Path]) -> None:
    counts = collections.Counter()
    evaluation = EvaluationTexts(sets, folders)
    with lzma.open(output, "wt", preset=6, encoding="utf8") as lines:
        for row in rows(chunks, evaluation, Questions.read(), counts):
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    json.dump(dict(counts), sys.stderr, indent=1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), [Path(folder) for folder in sys.argv[4:]])
