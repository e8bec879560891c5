#!/usr/bin/env bash
# Installs Azurite, Azure's emulator of its blob storage, for the tests of LanceDB there: 186 MB, so in a folder of its own
# and once for all clones. Nothing is started and nothing runs afterwards.
set -euo pipefail

folder="$HOME/.cache/quarry-tests/azurite"
[ -e "$folder/node_modules/azurite/package.json" ] && exit 0
mkdir -p "$folder"
npm install --ignore-scripts --no-save --no-package-lock --no-audit --no-fund --prefix "$folder" azurite@3.35.0
