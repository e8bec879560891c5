#!/usr/bin/env bash
# Installs what runs the packages of other platforms for their tests, on Debian and as root: Wine for Windows x64, qemu's
# user mode with the libraries of Debian for Linux arm64; 700 MB. Nothing is started and nothing runs afterwards.
set -euo pipefail

[ -x /usr/lib/wine/wine64 ] && [ -x /usr/bin/qemu-aarch64-static ] && [ -e /usr/aarch64-linux-gnu/lib/libstdc++.so.6 ] &&
  exit 0
apt-get update -qq
apt-get install -y -qq --no-install-recommends wine64 qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross >/dev/null
