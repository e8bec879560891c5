"""Paired comparison of two folders of answers of the engine (ask-engine.ts): nDCG@10, difference, 95 % interval.

Usage: python3 compare.py BEFORE AFTER
"""

import json
import random
import sys
from pathlib import Path


def read(folder: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf8").splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            name = "questions" if row["set"].startswith("questions/") else row["set"]
            found.setdefault(name, {})[f"{row['set']} {row['id']}"] = row["ndcg"]
    return found


def main(before: Path, after: Path) -> None:
    first, second = read(before), read(after)
    means = []
    for name in sorted(set(first) & set(second)):
        both = sorted(set(first[name]) & set(second[name]))
        differences = [second[name][one] - first[name][one] for one in both]
        chance = random.Random(1)
        draws = sorted(sum(chance.choices(differences, k=len(both))) / len(both) for _ in range(2000))
        old, new = (sum(side[name][one] for one in both) / len(both) for side in (first, second))
        means.append((old, new))
        low, high = draws[50], draws[1949]
        real = "REAL" if low > 0 or high < 0 else ""
        print(f"{name:16} {len(both):4} {old:.4f} {new:.4f} {new - old:+.4f} ({low:+.4f} to {high:+.4f}) {real}")
    print("mean", *(f"{sum(side) / len(side):.4f}" for side in zip(*means)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
