#!/usr/bin/env bash
# sanitize.sh [asan|ubsan|tsan]...
# Builds with each sanitizer (all three without arguments) and runs the default tests.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install_dependencies.sh build tests
(($#)) || set -- asan ubsan tsan
for preset in "$@"; do
  cmake --preset "$preset"
  cmake --build --preset "$preset"
  ctest --preset "$preset"
done
