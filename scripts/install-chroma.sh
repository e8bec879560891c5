#!/usr/bin/env bash
# Installs Chroma's own server for the tests of the store, on Linux x64: 417 MB, so in a folder of its own and once for
# all clones. Later versions of the package need glibc 2.38. Nothing is started and nothing runs afterwards.
set -euo pipefail

package=chromadb-js-bindings-linux-x64-gnu
folder="$HOME/.cache/quarry-tests/chroma"
[ -e "$folder/node_modules/$package/package.json" ] && exit 0
mkdir -p "$folder"
npm install --ignore-scripts --no-save --no-package-lock --no-audit --no-fund --prefix "$folder" "$package@1.0.5"
