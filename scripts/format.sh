#!/usr/bin/env bash
# format.sh [--check]
# Formats the C++ sources in place with clang-format 14; with --check only names those that differ.
# Exits with 77 if that clang-format is not there: other versions format differently.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."

formatter=
for candidate in clang-format-14 clang-format; do
  if [[ $("$candidate" --version 2>/dev/null) == *"version 14."* ]]; then
    formatter=$candidate
    break
  fi
done
if [[ -z $formatter ]]; then
  echo "format: skipped, clang-format 14 is not installed" >&2
  exit 77
fi

mapfile -d '' sources < <(find lib apps benchmarks tests \( -name '*.h' -o -name '*.cpp' \) -print0)
if [[ ${1-} != --check ]]; then
  "$formatter" --style=file -i "${sources[@]}"
elif ! complaints=$("$formatter" --style=file --dry-run -Werror "${sources[@]}" 2>&1); then
  echo "not as scripts/format.sh would have them:" >&2
  sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error: .*/\1/p' <<<"$complaints" | uniq >&2
  exit 1
fi
