"""One stretch on an accelerator: tokenises, asks the teachers, trains, measures, and keeps what it made.

Usage: python3 stretch.py FOLDER OUTPUT NAME...    FOLDER holds corpus.npz.xz or pairs.jsonl.xz, the teachers' *.npz.xz,
tokenizer.json and shared/
A NAME is a row of PLANS, NAME=SECONDS the same for another time, `compile:NAME` compiles its steps for a process beside
it. Token ids and targets stay in FOLDER for the next call on the same machine.
"""

import json
import sys
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import torch
from tokenizers import Tokenizer

from copying import CopyPlan, compile_ahead, train_copy
from corpus import DEVICE, END, START, Corpus, Texts, joined, open_tokenizer, read_corpus, unpack_corpus
from embedding import embed_all
from encoder import VOCABULARY, Encoder, to_weights
from lessons import Lessons
from losses import Weights
from measure import HeldOut, SharedSet, measure_shared, read_shared_set
from teachers import BGE_PREFIX, WEIGHTS, Targets, open_encoder, teach
from token_table import TokenTable, file_of, first_rows
from train import Plan, train
from weights import pack

#: What comes back is taken in files of this size at most.
PART_BYTES = 15 * 2**20
TABLE_WIDTH = 256


@dataclass(frozen=True)
class Student:
    """Layers of MiniLM to begin with, or none for a token table."""

    layers: tuple[int, ...]
    plan: Plan | CopyPlan
    """A copy has MiniLM as its only teacher, in its own space."""
    inner: int | None = None
    """Inner units that each layer keeps; all where absent."""
    begins_as: str = "minilm"
    """The weights that the layers are taken from: MiniLM's, or what an earlier stretch made (`NAME.npz.xz`)."""
    rectified: bool = False

    @property
    def copies(self) -> bool:
        return isinstance(self.plan, CopyPlan)


def table(seconds: float, seed: int, rate: float, pairs: float = 0.1) -> Student:
    return Student((), Plan(seconds, seed, rate, pairs=4032, alone=4096, weights=Weights(pairs=pairs)))


def encoder(
    layers: tuple[int, ...], seconds: float, seed: int, pairs: float = 0.1, inner: int | None = None
) -> Student:
    return Student(layers, Plan(seconds, seed, 3e-4, weights=Weights(pairs=pairs), int8_from=0.7), inner)


THREE, FOUR, FIVE, SIX = (0, 2, 5), (0, 2, 3, 5), (0, 1, 2, 3, 5), (0, 1, 2, 3, 4, 5)
PLANS = {
    "table-i": table(10, 0, 3e-4),
    "table-j": table(10, 1, 3e-4),
    "table-k": table(15, 0, 5e-4, 0.02),
    "three-f": encoder(THREE, 150, 0),
    "three-g": encoder(THREE, 150, 1),
    "three-h": encoder(THREE, 150, 2, 0.02),
    "thin-a": encoder(SIX, 150, 0, inner=384),
    "copy-4": Student(FOUR, CopyPlan(1080), 896),
    "copy-4-on": Student((0, 1, 2, 3), CopyPlan(430, seed=1, rate=5e-4, bound=False, int8_from=0.6), None, "copy-4"),
    "copy-4-tokens": Student(FOUR, CopyPlan(1100, seed=2, tokens=4.0, late=1.0, shorts=1 / 3), 896),
    "copy-4-even": Student(
        FOUR, CopyPlan(1400, seed=3, int8_from=0.55, tokens=4.0, late=1.0, shorts=1 / 3), 1024, rectified=True
    ),
    "thin-b": encoder(SIX, 150, 1, inner=384),
}


def first_table(folder: Path, corpus: Corpus, targets: Targets) -> TokenTable:
    """Rows from the teachers' vectors of single tokens, brought to the targets' axes by least squares over passages."""
    tokens = Texts([[START, piece, END] for piece in range(VOCABULARY)])
    said = torch.cat([embed_all(open_encoder(folder, name), tokens) for name in WEIGHTS], 1)
    frequencies = torch.bincount(corpus.passages.flat.long(), minlength=VOCABULARY).float()
    rows = TokenTable(first_rows(said, frequencies))
    sample = torch.arange(0, len(corpus.passages), max(1, len(corpus.passages) // 20_000), device=DEVICE)
    with torch.no_grad():
        summed = torch.cat([rows(corpus.passages.batch(part)) for part in sample.split(2000)])
        turn = torch.linalg.lstsq(summed, targets.passages[sample]).solution
        return TokenTable((rows.rows @ turn).contiguous())


def keep(content: bytes, output: Path, name: str) -> None:
    for number, at in enumerate(range(0, len(content), PART_BYTES)):
        whole = output / f"{name}.{number}"
        part = whole.with_name(f".{whole.name}")
        part.write_bytes(content[at : at + PART_BYTES])
        part.replace(whole)


def read_or_make(file: Path, make):
    """What an earlier call on this machine left, or made now and left for the next."""
    if file.exists():
        return torch.load(file, weights_only=False, map_location=DEVICE)
    made = make()
    torch.save(made, file)
    return made


def open_corpus(folder: Path, tokenizer: Tokenizer) -> Corpus:
    packed = sorted(folder.glob("corpus*.npz.xz"))
    if packed:
        return joined([unpack_corpus(file.read_bytes()) for file in packed])
    return read_corpus(next(folder.glob("pairs.jsonl*")), tokenizer)


def main(folder: Path, output: Path, names: list[str]) -> None:
    began = time.monotonic()

    def report(what: str, value: object) -> None:
        line = f"{time.monotonic() - began:6.0f} s  {what}: {json.dumps(value)}"
        print(line, flush=True)
        with (output / "report.txt").open("a", encoding="utf8") as lines:
            lines.write(line + "\n")

    tokenizer = open_tokenizer(folder / "tokenizer.json")
    prefix = tokenizer.encode(BGE_PREFIX, add_special_tokens=False).ids
    corpus = read_or_make(folder / "corpus.pt", lambda: open_corpus(folder, tokenizer))
    tokens = int(corpus.passages.lengths.sum() + corpus.queries.lengths.sum())
    report("corpus", {"passages": len(corpus.passages), "queries": len(corpus.queries), "tokens": tokens})
    targets = narrow = None
    # Whoever copies MiniLM asks it directly.
    if any(name in PLANS and not PLANS[name].copies for name in names):
        targets = read_or_make(folder / "targets.pt", lambda: teach(folder, corpus, prefix))
        report("targets", list(targets.passages.shape))
        narrow = targets.of_width(TABLE_WIDTH)
    held_out = HeldOut(corpus)

    @cache
    def shared() -> dict[str, SharedSet]:
        """Read when they are needed: a training that runs on between calls may get them with a later one."""
        return {home.name: read_shared_set(home, tokenizer) for home in sorted((folder / "shared").iterdir())}

    def measured(model: torch.nn.Module) -> dict[str, object]:
        return {"held out": held_out.measure(model), "shared": measure_shared(model, shared())}

    if "minilm" in names:
        report("minilm", measured(open_encoder(folder, "minilm")))
    asking = open_encoder(folder, "minilm").eval()
    for word in (name for name in names if name != "minilm"):
        name, _, seconds = word.removeprefix("compile:").partition("=")
        student = PLANS[name]
        if seconds:
            student = replace(student, plan=replace(student.plan, seconds=float(seconds)))
        if student.layers:
            model = open_encoder(
                folder, student.begins_as, list(student.layers), student.inner, student.rectified
            )
            wanted = targets
        else:
            model, wanted = first_table(folder, corpus, narrow), narrow
            report(f"{name} untrained", measured(model))
        keeper = open_encoder(folder, "minilm").eval() if student.layers else None
        if word.startswith("compile:"):
            compile_ahead(model, keeper, Lessons.of(corpus), student.plan)
            continue
        if student.copies:
            inner = model.layers[0].wide.out_features

            def show(state: dict[str, torch.Tensor]) -> None:
                shown = Encoder(len(student.layers), inner=inner, rectified=student.rectified)
                shown.load_state_dict(state)
                keep(pack(to_weights(shown), fine=True), output, name)

            train_copy(name, model, keeper, Lessons.of(corpus), student.plan, folder / f"{name}.saved", show)
            # Measuring may fail or be cut; what was learned is kept before.
            keep(pack(to_weights(model), fine=True), output, name)
        else:
            train(name, model, corpus, wanted, student.plan, keeper)
        if not student.copies:
            made = pack(to_weights(model), fine=True) if isinstance(model, Encoder) else file_of(*model.quantised())
            keep(made, output, name)
        report(name, measured(model))
        if isinstance(model, Encoder):
            model.act_as_int8(True)
            report(f"{name} as int8", measured(model))
            report(f"{name} as int8, MiniLM asks", {"shared": measure_shared(model, shared(), asking)})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
