"""Whether a text shares runs of words with an evaluation set: such a text is not trained on."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

RUN = 8
#: Fewer shared runs than this are common phrases.
FEWEST_SHARED = 3
LEAST_SHARE = 0.05

WORD = re.compile(r"[a-z0-9]+")


def runs(text: str) -> list[int]:
    words = WORD.findall(text.lower())
    return [hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1)]


class EvaluationTexts:
    """The runs of words of all evaluation sets, and of folders of packages that are asked about."""

    def __init__(self, sets: Path, folders: Iterable[Path]) -> None:
        self.runs: set[int] = set()
        for file in [*sets.glob("*/corpus.jsonl"), *sets.glob("*/queries.jsonl")]:
            with file.open(encoding="utf8") as lines:
                for line in lines:
                    self.runs.update(runs(json.loads(line).get("text", "")))
        for folder in folders:
            for file in folder.rglob("*"):
                if file.is_file() and file.stat().st_size < 300_000:
                    self.runs.update(runs(file.read_text(encoding="utf8", errors="ignore")))

    def share(self, text: str) -> bool:
        own = runs(text)
        shared = sum(run in self.runs for run in own)
        return shared >= FEWEST_SHARED and shared >= LEAST_SHARE * len(own)
