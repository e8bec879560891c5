"""The packages that training reads: what each row of sources.tsv says, and which licences are allowed."""

import csv
import hashlib
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path

TABLE = Path(__file__).with_name("sources.tsv")

ALLOWED_LICENCES = {
    "0bsd", "apache", "apache-2", "apache-2.0", "artistic-2.0", "blueoak-1.0.0", "boost-1.0", "bsd", "bsd-2",
    "bsd-2-clause", "bsd_2_clause", "bsd-3", "bsd-3-clause", "bsd-3-google", "bsd-c3", "bsd3", "bsl-1", "bsl-1.0", "cc-by-3.0",
    "cc-by-4.0", "cc0", "cc0-1.0", "expat", "hpnd", "isc", "mit", "mit-0", "ms-pl", "pd", "postgresql", "psf",
    "psf-2", "psf-2.0", "public-domain", "python-2.0", "unlicense", "wordnet3.0", "wtfpl", "x11", "zlib",
    "zlib/libpng", "zpl-2.1",
}  # fmt: skip

#: One source in so many is held out: its pairs choose between models and are never trained on.
HELD_OUT_EVERY = 12


@dataclass(frozen=True)
class Source:
    """One package at one version."""

    registry: str
    """`npm` or `debian`."""
    name: str
    version: str
    licence: str
    archives: str
    """Addresses of its archives below the registry, each followed by its hash, separated by blanks."""

    @property
    def key(self) -> str:
        """Names the source in chunks and pairs, and its folder below the fetched ones."""
        return key_of(self.registry, self.name)

    @property
    def is_held_out(self) -> bool:
        return int(hashlib.sha256(self.key.encode()).hexdigest(), 16) % HELD_OUT_EVERY == 0


def key_of(registry: str, name: str) -> str:
    return f"{registry}/{name.replace('/', '+')}"


def is_allowed(licence: str) -> bool:
    """Whether a licence expression leaves a choice that is allowed: any side of an `or`, every side of an `and`.

    A package that states no licence is not allowed.
    """
    plain = licence.strip().lower().replace("(", "").replace(")", "").replace("public domain", "public-domain")
    return any(
        all(part.strip().rstrip("+,") in ALLOWED_LICENCES for part in re.split(r"\s+and\s+", choice))
        for choice in re.split(r"\s+or\s+|\s*/\s*(?!libpng)", plain)
    )


def read_sources(table: Path = TABLE) -> list[Source]:
    with table.open(encoding="utf8", newline="") as lines:
        return [Source(**row) for row in csv.DictReader(lines, delimiter="\t")]


def write_sources(sources: list[Source], table: Path = TABLE) -> None:
    with table.open("w", encoding="utf8", newline="") as lines:
        names = [field.name for field in fields(Source)]
        writer = csv.DictWriter(lines, names, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(source) for source in sorted(sources, key=lambda source: source.key))
