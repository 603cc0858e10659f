#!/usr/bin/env bash
# sanitize.sh [asan|tsan]...
# Builds with sanitizers and runs the default tests: asan for addresses, leaks and undefined behaviour,
# tsan for threads. Without arguments first one, then the other.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests
(($#)) || set -- asan tsan
for preset in "$@"; do
  cmake --preset "$preset"
  cmake --build --preset "$preset"
  ctest --preset "$preset"
done
