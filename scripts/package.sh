#!/usr/bin/env bash
# package.sh [FOLDER]
# Makes the Debian packages ntune, libntune-dev and python3-ntune, and puts them into the folder (build/packages).
# DEBFULLNAME and DEBEMAIL name who answers for them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

if (($# > 1)) || [[ ${1-} == -* ]]; then
  echo "package.sh: takes one folder, or nothing" >&2
  exit 2
fi
umask 022 # the folders in the packages are for all
folder=
[[ -z ${1-} ]] || folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${folder:-$(mkdir -p build/packages && cd build/packages && pwd)}
build=build/package
scripts/install_dependencies.sh build python packaging

# The time of the last change, so that the same source gives the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGES.md)}
export SOURCE_DATE_EPOCH
maintainer="${DEBFULLNAME:-ntune developers} <${DEBEMAIL:-ntune@localhost}>"
cmake --preset package -D NTUNE_MAINTAINER="$maintainer" \
  -D NTUNE_PACKAGE_DATE="$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$folder/configure.log" 2>&1 || {
  cat "$folder/configure.log" >&2
  exit 1
}
cmake --build "$build" >&2

made=$build/packages
rm -rf "$made"/man "$made"/*.deb
scripts/packages/man_pages.py --out "$made/man" "$build"/apps/{ntune,amazons,arcade,bao,slide3} >&2
gzip -9nf "$made"/man/*.1 "$made"/*.changelog
(cd "$build" && cpack) >"$folder/cpack.log" 2>&1 || {
  cat "$folder/cpack.log" >&2
  exit 1
}
rm -f "$folder"/{configure,cpack}.log
mv "$made"/*.deb "$folder"
ls "$folder"/*.deb
