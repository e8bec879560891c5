#!/usr/bin/env bash
# Installs PostgreSQL with pgvector for the tests of the store, on Debian and as root. Debian 12 has no package of
# pgvector, so that its source is taken from Debian 13 and compiled. Nothing is started and nothing runs afterwards.
set -euo pipefail

if ! command -v pg_lsclusters >/dev/null || ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
  apt-get update -qq
  # No cluster and no service: the tests make their own.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get install -y -qq --no-install-recommends postgresql >/dev/null
fi
version=$(ls /usr/lib/postgresql | sort -n | tail -1)
[ -e "/usr/share/postgresql/$version/extension/vector.control" ] && exit 0
apt-get install -y -qq --no-install-recommends "postgresql-$version-pgvector" >/dev/null 2>&1 && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sources" "$work/lists/partial" "$work/headers" "$work/pgvector"
chmod -R a+rX "$work"
# From where this machine has its own packages.
apt-get -qq update
debian=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -1)
[ -n "$debian" ] || { echo 'The sources of apt name no archive of Debian.' >&2; exit 1; }
cat >"$work/sources/debian13.sources" <<SOURCES
Types: deb-src
URIs: $debian
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
cd "$work"
lists=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources" -o "Dir::State::lists=$work/lists")
apt-get -qq "${lists[@]}" update
apt-get -qq "${lists[@]}" source --download-only pgvector
# The headers alone: the package would bring a compiler of its own with it.
apt-get -qq download "postgresql-server-dev-$version"
command -v gcc >/dev/null || apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
dpkg -x postgresql-server-dev-*.deb headers
tar -xzf pgvector_*.orig.tar.gz -C pgvector --strip-components=1
cd pgvector
gcc -O2 -fPIC -shared -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math \
  -I "$work/headers/usr/include/postgresql/$version/server" -I "$work/headers/usr/include/postgresql/internal" \
  src/*.c -o vector.so -lm
release=$(sed -n "s/^default_version = '\(.*\)'/\1/p" vector.control)
install -m 644 vector.so "/usr/lib/postgresql/$version/lib/"
install -m 644 sql/vector.sql "/usr/share/postgresql/$version/extension/vector--$release.sql"
install -m 644 vector.control "/usr/share/postgresql/$version/extension/"
