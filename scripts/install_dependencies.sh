#!/usr/bin/env bash
# install_dependencies.sh GROUP...
# Installs the packages of Debian 12 or 13 of the groups that are missing; does and says nothing if none is.
#   build    what the library and the command need
#   tests    what the tests and benchmarks need beside
#   python   what the CMake option NTUNE_PYTHON needs, and pip to install the package
#   mpi      what the CMake option NTUNE_MPI needs
#   partners what ntune works with where it is there: tests of it are skipped where it is missing
#   packaging what scripts/package.sh needs beside, and its test
#   arena    what scripts/arena.sh needs beside
#   peers    the systems that scripts/compare_peers.py sets beside ntune, and what it needs itself
#   engines  engines of chess and Go that the slow tests and configs/glaurung.yaml play with
#   solvers  what the slow tests and the studies of programs with instances tune
#   dev      Clang and its tools, coverage and memory checkers, Doxygen
#   machines what scripts/other_machines.sh needs, and Slurm for its test
# Exits with 2 and the line to run if it may not install.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

build=(g++ cmake ninja-build libeigen3-dev libyaml-cpp-dev libtbb-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libboost-dev libsqlite3-dev zlib1g-dev libre2-dev
  libcpp-httplib-dev libssl-dev pkgconf)
tests=(catch2 libbenchmark-dev python3 python3-jsonschema python3-yaml procps git)
python=(python3 pybind11-dev python3-dev python3-setuptools python3-wheel python3-pip python3-venv
  python3-numpy)
mpi=(libopenmpi-dev openmpi-bin)
partners=(chromium chromium-driver python3-selenium default-jdk-headless librsvg2-bin python3-optuna
  python3-pandas python3-tqdm python3-sklearn python3-distributed python3-mpi4py mypy)
packaging=(dpkg-dev file help2man lintian debootstrap)
arena=(python3 python3-yaml python3-matplotlib)
peers=(python3 python3-yaml python3-numpy python3-optuna r-base-core r-cran-irace libpagmo-dev)
engines=(python3 glaurung toga2 gnuchess gnugo stockfish)
solvers=(python3 minisat xz-utils clasp glpk-utils)
dev=(clang clang-format clang-tidy libclang-rt-dev gcovr valgrind doxygen)
machines=(debootstrap qemu-user-static munge slurm-wlm)
groups=(build tests python mpi partners packaging arena peers engines solvers dev machines)

packages=()
for group in "$@"; do
  if [[ " ${groups[*]} " != *" $group "* || $group == *" "* || -z $group ]]; then
    echo "install_dependencies.sh: no group '$group'; there are: ${groups[*]}" >&2
    exit 2
  fi
  declare -n members=$group
  packages+=("${members[@]}")
done
((${#packages[@]})) || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
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
