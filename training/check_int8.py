"""How near the vectors of an exported int8 model are to those of the same model before rounding.

Usage: python3 check_int8.py MODEL_FOLDER TEXTS.jsonl    one `text` a line
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MOST_TEXTS = 120


def vectors(model: Path, rows: list[list[int]]) -> np.ndarray:
    """One text at a time, as Quarry embeds."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    names = {given.name for given in session.get_inputs()}
    found = []
    for row in rows:
        ids = np.array([row], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        vector = session.run(None, {name: given[name] for name in names})[0][0].mean(0)
        found.append(vector / np.linalg.norm(vector))
    return np.array(found)


def main(folder: Path, texts: Path) -> None:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    lines = texts.read_text(encoding="utf8").splitlines()
    chosen = lines[:: max(1, len(lines) // MOST_TEXTS)][:MOST_TEXTS]
    rows = [tokenizer.encode(json.loads(line)["text"]).ids for line in chosen]
    cosines = (vectors(folder / "plain.onnx", rows) * vectors(folder / "model.onnx", rows)).sum(1)
    print(f"cosine to the model before rounding: mean {cosines.mean():.4f}, least {cosines.min():.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
