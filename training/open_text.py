"""Text files, compressed where their name says so."""

import lzma
from pathlib import Path
from typing import IO


def open_text(file: Path, mode: str = "rt") -> IO[str]:
    return lzma.open(file, mode, encoding="utf8") if file.suffix == ".xz" else file.open(mode, encoding="utf8")
