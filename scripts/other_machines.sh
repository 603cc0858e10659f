#!/usr/bin/env bash
# other_machines.sh [--folder DIR] [--csv FILE] [--clean] [NAME...]
# Tries the last commit on machines made for it: minimal roots of Debian, by debootstrap, in DIR (build/machines).
#   debian12          the two commands of the README, as root, where nothing but git is installed
#   debian13          the same on Debian 13
#   debian13-clang    the same with Clang 19
#   debian12-packages makes the Debian packages, installs them in another minimal root, and uses them there
#   debian13-packages the same on Debian 13
#   arm64             cross-compiled for arm64; the command, the laboratories and the tests of core, optim and study under qemu
# Without names all of them. A minimal root is kept for the next call, and what was built in it is not; --clean deletes
# both. Prints a row of a table for each, and writes them to FILE: a machine's row there is replaced.
# Needs root, some 3 GB of disk for each machine, and Debian's mirror (NTUNE_DEBIAN_MIRROR, or deb.debian.org).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mirror=${NTUNE_DEBIAN_MIRROR:-http://deb.debian.org/debian}
folder=build/machines csv='' names=() clean=''
all=(debian12 debian13 debian13-clang debian12-packages debian13-packages arm64)
while (($#)); do
  case $1 in
    --folder | --csv)
      (($# > 1)) || { echo "other_machines.sh: $1 needs a value" >&2; exit 2; }
      path=$(cd "$here" && realpath -m "$2")
      if [[ $1 == --csv ]]; then csv=$path; else folder=$path; fi
      shift
      ;;
    --clean) clean=1 ;;
    *)
      if [[ " ${all[*]} " != *" $1 "* || $1 == *" "* ]]; then
        echo "other_machines.sh: no machine '$1'; there are: ${all[*]}" >&2
        exit 2
      fi
      names+=("$1")
      ;;
  esac
  shift
done
((EUID == 0)) || { echo "other_machines.sh: debootstrap and chroot need root" >&2; exit 2; }
if [[ -d $csv || (-n $csv && ! -d $(dirname "$csv")) ]]; then
  echo "other_machines.sh: --csv: '$csv' is no file in a folder that exists" >&2
  exit 2
fi
if [[ -n $clean ]]; then
  # What this script makes there, and nothing else.
  rm -rf "$folder"/{bookworm,trixie}{,.part,.log} "$folder"/of-*
  [[ ! -d $folder ]] || rmdir --ignore-fail-on-non-empty "$folder"
  ((${#names[@]})) || exit 0
fi
((${#names[@]})) || names=("${all[@]}")
scripts/install_dependencies.sh machines
mkdir -p "$folder"
folder=$(realpath "$folder")

# make_root SUITE: the minimal root of the suite, which is never used itself but copied.
make_root() {
  [[ -e $folder/$1/etc/debian_version ]] && return
  rm -rf "${folder:?}/$1" "$folder/$1.part"
  debootstrap --variant=minbase --include=git,ca-certificates "$1" "$folder/$1.part" "$mirror" >"$folder/$1.log" 2>&1 ||
    { tail -n 5 "$folder/$1.log" >&2; return 1; }
  mv "$folder/$1.part" "$folder/$1"
}

# inside COMMAND: a shell's command in the machine's copy of the project; nothing of it stays mounted or running.
inside() {
  unshare --mount --pid --fork --kill-child --propagation private bash -c '
    mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && cp -L /etc/resolv.conf "$0/etc/resolv.conf" &&
      exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "cd /ntune 2>/dev/null || cd /; $1"' "$root" "$1" </dev/null
}

# timed COMMAND: the same; afterwards wall_s and cpu_s hold its seconds.
timed() {
  local TIMEFORMAT='%R %U %S' code=0
  { time inside "$1" >"$root.out" 2>"$root.err"; } 2>"$root.time" || code=$?
  read -r wall_s user_s system_s <"$root.time"
  cpu_s=$(awk -v u="$user_s" -v s="$system_s" 'BEGIN { printf "%.0f", u + s }')
  wall_s=$(awk -v w="$wall_s" 'BEGIN { printf "%.0f", w }')
  return "$code"
}

# What a first study prints, without its line of seconds.
first_result() { grep -v 'evaluations a second$' "$root.out"; }

# try_commands [SETTINGS]: both commands of the README.
try_commands() {
  timed "$1 scripts/run.sh configs/hartmann6.yaml" || fail "scripts/run.sh"
  row[first_s]=$wall_s row[first_cpu_s]=$cpu_s
  row[value]=$(first_result | sed -n 's/^ *value *\([0-9.]*\)  95 % interval.*/\1/p')
  row[digest]=$(first_result | sha256sum | cut -c1-12)
  row[steps]=$(sed -n 's/.* step [0-9]* of \([0-9]*\),.*/\1/p' "$root.err" | tail -n 1)
  row[warnings]=$(grep -c 'warning:' "$root.err" || true)
  timed "$1 scripts/test.sh" || note "scripts/test.sh"
  row[test_s]=$wall_s row[test_cpu_s]=$cpu_s
  row[warnings]=$((row[warnings] + $(grep -c 'warning:' "$root.err" || true)))
  count_tests
}

# The counts that ctest prints last.
count_tests() {
  row[passed]=$(sed -n 's/.* tests passed, .* out of \([0-9]*\)$/\1/p' "$root.out")
  local failed
  failed=$(sed -n 's/.* tests passed, \([0-9]*\) tests failed out of .*/\1/p' "$root.out")
  row[passed]="$((row[passed] - failed)) of ${row[passed]}"
  row[skipped]=$(grep -c '(Skipped)$' "$root.out" || true)
}

# try_packages: the packages as a stranger would use them.
try_packages() {
  timed 'scripts/install_dependencies.sh build python packaging && scripts/package.sh' || fail "scripts/package.sh"
  row[first_s]=$wall_s row[first_cpu_s]=$cpu_s
  cp -a --reflink=auto "$folder/$suite" "$root/minimal"
  timed 'tests/scripts/debian_packages.py --packages build/packages --root /minimal' || fail "debian_packages.py"
  row[test_s]=$wall_s row[test_cpu_s]=$cpu_s row[passed]="used as installed"
}

# try_arm64: what Debian's cross-compiler makes of it, executed by qemu.
try_arm64() {
  local cross='for package in libyaml-cpp-dev libtbb-dev libfmt-dev libsqlite3-dev zlib1g-dev libre2-dev catch2; do
      apt-cache show "$package:arm64" >/dev/null 2>&1 && wanted+=("$package:arm64"); done'
  timed "dpkg --add-architecture arm64 && apt-get update && wanted=() && $cross &&
    apt-get install -y --no-install-recommends g++-aarch64-linux-gnu cmake ninja-build pkgconf qemu-user-static python3 \
      libeigen3-dev nlohmann-json3-dev libboost-dev:arm64 libcli11-dev libcpp-httplib-dev:arm64 libssl-dev:arm64 \"\${wanted[@]}\" &&
    cmake --preset arm64 && cmake --build build/arm64 --target ntune amazons arcade bao slide3 test_core test_optim test_study" ||
    fail "cross-compiling"
  row[steps]=$(sed -n 's/^\[[0-9]*\/\([0-9]*\)\] .*/\1/p' "$root.out" | tail -n 1)
  row[warnings]=$(grep -c 'warning:' "$root.out" || true)
  timed 'qemu-aarch64-static build/arm64/apps/ntune run configs/hartmann6.yaml' || fail "the first study"
  row[first_s]=$wall_s row[first_cpu_s]=$cpu_s
  row[value]=$(first_result | sed -n 's/^ *value *\([0-9.]*\)  95 % interval.*/\1/p')
  row[digest]=$(first_result | sha256sum | cut -c1-12)
  timed 'for laboratory in "bao match default:depth=1 ga3:depth=1 --quiet" "amazons coverage --variants TDS --nodes 10 --quiet" \
      "arcade agents" "slide3 sample"; do qemu-aarch64-static build/arm64/apps/$laboratory || echo "failed: $laboratory" >&2; done' || true
  grep '^failed: ' "$root.err" >&2 && note "laboratories"
  # Two tests ask for limits that qemu does not keep: of memory, and of threads.
  timed 'ctest --test-dir build/arm64 -j 2 -L "^(core|optim|study)$" -LE "slow|statistical" \
      -E "more memory than it is given|a pool that gets too few threads"' || note "ctest"
  row[test_s]=$wall_s row[test_cpu_s]=$cpu_s
  count_tests
}

fail() {
  note "$1"
  tail -n 15 "$root.err" "$root.out" >&2
  return 1
}

# What did not work, for the row.
note() { row[failed]+="${row[failed]:+; }$1"; }

columns=(date commit machine system compiler cmake steps warnings first_s first_cpu_s value digest test_s test_cpu_s passed skipped failed)
comma() { local IFS=,; echo "$*"; }

comma "${columns[@]}"
all_good=1
for name in "${names[@]}"; do
  suite=trixie
  [[ $name == debian12* || $name == arm64 ]] && suite=bookworm
  root=$folder/of-$name
  rm -rf "$root"
  if ! { make_root "$suite" && cp -a --reflink=auto "$folder/$suite" "$root" && git clone --quiet . "$root/ntune"; }; then
    echo "other_machines.sh: $name could not be made" >&2
    all_good=''
    continue
  fi
  declare -A row=([date]=$(date -u +%F) [commit]=$(git rev-parse --short HEAD) [machine]=$name)
  compiler=g++
  case $name in
    debian13-clang)
      compiler=clang++-19
      inside "apt-get update && apt-get install -y --no-install-recommends clang-19" >"$root.out" 2>&1 || fail "installing Clang" || true
      try_commands "CXX=clang++-19" || true
      ;;
    *-packages) try_packages || true ;;
    arm64) compiler=aarch64-linux-gnu-g++ && try_arm64 || true ;;
    *) try_commands "" || true ;;
  esac
  row[system]="Debian $(cat "$root/etc/debian_version")"
  row[compiler]=$(inside "$compiler --version | head -n 1" 2>/dev/null | tr -d ,) || row[compiler]=''
  row[cmake]=$(inside "cmake --version | head -n 1" 2>/dev/null | grep -o '[0-9.]*$') || row[cmake]=''
  values=()
  for column in "${columns[@]}"; do values+=("${row[$column]-}"); done
  comma "${values[@]}"
  [[ -z ${row[failed]-} ]] || all_good=''
  if [[ -n $csv ]]; then
    { comma "${columns[@]}"; [[ -e $csv ]] && tail -n +2 "$csv" | grep -v "^[^,]*,[^,]*,$name," || true; comma "${values[@]}"; } >"$csv.new"
    mv "$csv.new" "$csv"
  fi
  rm -rf "$root"
done
[[ -n $all_good ]]
