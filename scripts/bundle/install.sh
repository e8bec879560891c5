#!/bin/sh
# Installs Quarry from this folder, without a network: ./install.sh [--prefix FOLDER] [--remove]
here=$(cd "${0%/*}" && pwd) || exit 1
exec "$here/node/bin/node" "$here/install.mjs" "$@"
