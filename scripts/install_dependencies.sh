#!/usr/bin/env bash
# install_dependencies.sh GROUP...
# Installs the Debian 12 packages of the groups that are missing; does and says nothing if none is.
#   build    what the library and the command need
#   tests    what the tests and benchmarks need beside
#   python   what the CMake option NTUNE_PYTHON needs, and pip to install the package
#   adapters other packages that the Python package works with; its tests skip what is missing
#   packaging what scripts/package.sh needs beside, and its test
#   mpi      what the CMake option NTUNE_MPI needs
#   arena    what scripts/arena.sh needs beside
#   peers    the systems that scripts/compare_peers.py sets beside ntune, and what it needs itself
#   engines  engines of chess and Go that the slow tests and configs/glaurung.yaml play with
#   solvers  what the slow tests and the studies of programs with instances tune
#   dev      Clang, coverage and memory checkers, Doxygen
# Exits with 2 and the line to run if it may not install.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

build=(g++ cmake ninja-build libeigen3-dev libyaml-cpp-dev libtbb-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libboost-dev libsqlite3-dev zlib1g-dev libre2-dev libcpp-httplib-dev pkg-config
  librsvg2-bin)
tests=(catch2 libbenchmark-dev python3 python3-jsonschema python3-yaml procps python3-optuna
  default-jdk-headless clang-format clang-tidy git chromium chromium-driver python3-selenium)
python=(pybind11-dev python3-dev python3-setuptools python3-wheel python3-pip python3-venv
  python3-numpy)
adapters=(python3-pandas python3-tqdm python3-optuna python3-sklearn python3-distributed python3-mpi4py
  mypy)
packaging=(dpkg-dev file help2man lintian debootstrap)
mpi=(libopenmpi-dev openmpi-bin)
arena=(python3 python3-yaml python3-matplotlib)
peers=(python3 python3-yaml python3-numpy python3-optuna r-base-core r-cran-irace libpagmo-dev)
engines=(python3 glaurung toga2 gnuchess gnugo stockfish)
solvers=(python3 minisat xz-utils)
dev=(clang libclang-rt-14-dev gcovr valgrind doxygen)

packages=()
for group in "$@"; do
  case "$group" in
    build) packages+=("${build[@]}") ;;
    tests) packages+=("${tests[@]}") ;;
    python) packages+=("${python[@]}") ;;
    adapters) packages+=("${adapters[@]}") ;;
    packaging) packages+=("${packaging[@]}") ;;
    mpi) packages+=("${mpi[@]}") ;;
    arena) packages+=("${arena[@]}") ;;
    peers) packages+=("${peers[@]}") ;;
    engines) packages+=("${engines[@]}") ;;
    solvers) packages+=("${solvers[@]}") ;;
    dev) packages+=("${dev[@]}") ;;
    *)
      echo "install_dependencies.sh: no group '$group'; there are build, tests, python, adapters, packaging, mpi, arena, peers, engines, solvers and dev" >&2
      exit 2
      ;;
  esac
done
((${#packages[@]})) || exit 0

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: taking for granted what these packages hold: ${packages[*]}" >&2
  exit 0
fi

# dpkg-query fails if it has never heard of one of them.
status=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$status" || missing+=("$package")
done
((${#missing[@]})) || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
if ((EUID == 0)); then
  as_root=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo -n env DEBIAN_FRONTEND=noninteractive)
else
  command -v sudo >/dev/null && install=(sudo "${install[@]}")
  echo "${install[*]}" >&2
  exit 2
fi

echo "installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A package list that is absent or out of date is the usual reason to fail: fetch it and try again.
if ! "${as_root[@]}" "${install[@]}" >"$log" 2>&1; then
  if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" "${install[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
fi
