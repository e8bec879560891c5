"""Adds packages to sources.tsv: newest version, licence and hashes. Refuses what is not freely licensed or too large.

Usage: python3 pin_sources.py NAMES    (one `npm NAME` or `debian NAME` a line)
"""

import io
import json
import lzma
import re
import sys
import tarfile
import urllib.parse
import urllib.request

from prose import DATA_SOURCES
from registries import debian_archive, npm_registry
from sources import TABLE, Source, is_allowed, key_of, read_sources, write_sources

#: Asked in this order; a mirror does not keep the archives of every version.
SUITES = ("bookworm", "trixie")
MOST_ARCHIVE_BYTES = 12_000_000
MOST_DATA_BYTES = 32_000_000


class Refused(Exception):
    """Why a package is not taken."""


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def pin_npm(name: str) -> Source:
    about = json.loads(fetch(f"{npm_registry()}{urllib.parse.quote(name, safe='@')}/latest"))
    licence = about.get("license") or ""
    licence = licence.get("type", "") if isinstance(licence, dict) else licence
    if not is_allowed(licence):
        raise Refused(f"licence {licence!r}")
    distribution = about["dist"]
    # A mirror may name the archive by another host.
    archive = f"{name}/-/{distribution['tarball'].rpartition('/')[2]}"
    return Source("npm", name, about["version"], licence, f"{archive} {distribution['integrity']}")


def debian_index(suite: str) -> dict[str, dict[str, str]]:
    """The newest paragraph of each source package, with the fields that are used here."""
    text = lzma.decompress(fetch(f"{debian_archive()}dists/{suite}/main/source/Sources.xz")).decode("utf8", "replace")
    found = {}
    for paragraph in text.split("\n\n"):
        parts = dict(re.findall(r"^(Package|Version|Directory|Checksums-Sha256):((?:.|\n )*)", paragraph, re.M))
        if "Package" in parts:
            found[parts["Package"].strip()] = {key: value.strip() for key, value in parts.items()}
    return found


def text_in(archive: bytes, path: str) -> str:
    """The first file of an archive whose path matches, empty where there is none."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        member = next((entry for entry in files if re.search(path, entry.name)), None)
        return files.extractfile(member).read().decode("utf8", "replace") if member else ""


def r_licence(archive: bytes) -> str:
    """The licence that an R package states of itself."""
    stated = re.search(r"^License:[ \t]*(\S[^\n]*)$", text_in(archive, r"^[^/]+/DESCRIPTION$"), re.M)
    # A file beside the licence names years and holders, or is a second choice.
    return re.sub(r"\s*[+|]\s*file LICEN[CS]E$", "", stated[1].strip()) if stated else ""


def debian_licence(archive: bytes) -> str:
    """The licence of the upstream files, from the machine-readable debian/copyright."""
    text = text_in(archive, "debian/copyright$")
    for paragraph in re.split(r"\n\s*\n", text):
        if re.search(r"^Files:\s*\*\s*$", paragraph, re.M):
            stated = re.search(r"^License:[ \t]*(\S[^\n]*)$", paragraph, re.M)
            return stated[1].strip() if stated else ""
    return ""


def pin_debian(name: str, index: dict[str, dict[str, str]]) -> Source:
    if name not in index:
        raise Refused("not in the suite")
    about = index[name]
    rows = [line.split() for line in about["Checksums-Sha256"].splitlines()]
    archives = {file: (int(size), hash_) for hash_, size, file in rows if re.search(r"\.tar\.\w+$", file)}
    packaging = next((file for file in archives if ".debian.tar." in file), None)
    upstream = [file for file in archives if file != packaging]
    most = MOST_DATA_BYTES if key_of("debian", name) in DATA_SOURCES else MOST_ARCHIVE_BYTES
    if sum(archives[file][0] for file in upstream) > most:
        raise Refused("too large")
    licence = ""
    try:
        licence = debian_licence(fetch(f"{debian_archive()}{about['Directory']}/{packaging or upstream[0]}"))
    except OSError:
        # A mirror may keep the package and not what was added for Debian.
        if not name.startswith("r-"):
            raise
    if not licence and name.startswith("r-"):
        licence = r_licence(fetch(f"{debian_archive()}{about['Directory']}/{upstream[0]}"))
    if not is_allowed(licence):
        raise Refused(f"licence {licence!r}")
    places = " ".join(f"{about['Directory']}/{file} sha256-{archives[file][1]}" for file in upstream)
    return Source("debian", name, about["Version"], licence, places)


def main(names_file: str) -> None:
    known = {source.key: source for source in read_sources()} if TABLE.exists() else {}
    indexes = [debian_index(suite) for suite in SUITES]
    with open(names_file, encoding="utf8") as lines:
        wanted = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    for registry, name in wanted:
        if key_of(registry, name) in known:
            continue
        ways = [lambda: pin_npm(name)] if registry == "npm" else [lambda at=at: pin_debian(name, at) for at in indexes]
        for pin in ways:
            try:
                source = pin()
                known[source.key] = source
                break
            except (Refused, OSError, KeyError, tarfile.TarError) as reason:
                print(f"left out {registry} {name}: {reason}", file=sys.stderr)
    write_sources(list(known.values()))
    print(f"{len(known)} sources", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
