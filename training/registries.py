"""Where packages are fetched from: what npm and apt of this machine are set to, with a slash at the end."""

import subprocess
from functools import cache


def answer_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@cache
def npm_registry() -> str:
    return answer_of("npm", "config", "get", "registry").strip().rstrip("/") + "/"


@cache
def debian_archive() -> str:
    named = answer_of(
        *("apt-get", "indextargets", "--format", "$(REPO_URI)"),
        *("Created-By: Packages", "Origin: Debian", "Label: Debian"),
    ).split()
    if not named:
        raise SystemExit("The sources of apt name no archive of Debian: add one, and run apt-get update.")
    return named[0].rstrip("/") + "/"
