#!/usr/bin/env bash
# gallery.sh [WORD...]
# Makes the pictures and pages of configs/gallery: carries out the commands of its README, or of the sections whose
# headings hold one of the words (pig, replay). Studies go to a folder that is removed in the end. Pages are
# photographed where Chromium is installed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/help.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh games ntune amazons arcade bao slide3
PATH="$PWD/build/release/apps:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/begun"
gallery=configs/gallery
results=$work/results
mkdir "$results"

# section<TAB>command of every command of the README.
commands() {
  awk '/^## / { section = $0 } /^    (ntune|amazons|arcade|bao|slide3|scripts\/|benchmarks\/)/ { sub(/^ +/, ""); print section "\t" $0 }' "$gallery/README.md"
}

# photograph PICTURE URL WIDTH HEIGHT SECONDS: the page, that long after it was opened.
photograph() {
  command -v chromium >/dev/null || return 0
  chromium --headless=new --no-sandbox --hide-scrollbars --force-device-scale-factor=1 --window-size="$3,$4" \
    --virtual-time-budget="$(($5 * 1000))" --screenshot="$gallery/$1.png" "$2" 2>/dev/null
}

# photograph_page PAGE WIDTH HEIGHT SECONDS [FRAGMENT]: PAGE.html as PAGE.png, where it was made just now.
photograph_page() {
  [[ $gallery/$1.html -nt $work/begun ]] || return 0
  photograph "$1" "file://$PWD/$gallery/$1.html${5:-}" "$2" "$3" "$4"
}

# The board of a few studies: one was killed, one runs, and the finding of pig is tested.
photograph_board() {
  local study pids=()
  for study in pig default hartmann6 command; do
    [[ -e $results/$study ]] || ntune run "configs/$study.yaml" --out "$results/$study" --quiet >"$work/output"
  done
  timeout --signal=KILL 2 ntune run configs/pig_table.yaml --out "$results/pig_table" --quiet >"$work/output" 2>&1 || true
  ntune run configs/planet_wars_1.yaml --out "$results/planet_wars_1" --quiet >"$work/output" 2>&1 & pids+=($!)
  ntune verify "$results/pig" --quiet >"$work/output" 2>&1 & pids+=($!)
  (cd "$work" && exec ntune watch results --serve 8765) >"$work/output" 2>&1 & pids+=($!)
  sleep 8
  until python3 -c 'import sys, urllib.request as u; sys.exit(b"to be read" in u.urlopen(sys.argv[1]).read())' \
    http://127.0.0.1:8765/rows; do sleep 1; done
  # While a page is told by a stream, no virtual time passes: all four are taken, so that it is told once.
  for _ in 1 2 3 4; do
    python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1]).read()' http://127.0.0.1:8765/events & pids+=($!)
  done
  sleep 2
  photograph board http://127.0.0.1:8765/ 1280 540 4
  kill "${pids[@]}"
  wait "${pids[@]}" || true
}

while IFS=$'\t' read -r section command; do
  if (($#)); then
    wanted=no
    for word in "$@"; do [[ $section != *"$word"* ]] || wanted=yes; done
    [[ $wanted == yes ]] || continue
  fi
  echo "\$ $command"
  eval "${command// results\// $results/}" >"$work/output" || { cat "$work/output" >&2; exit 1; }
done < <(commands)
photograph_page pig_page 1280 900 1
photograph_page planet_wars_replay 1000 940 3
photograph_page bao_replay 1000 940 1 '#tick=20'
photograph_page slide3_replay 1000 900 1 '#tick=2'
photograph_page amazons_replay 1000 900 1 '#tick=18'
if (($# == 0)) || [[ " $* " == *" board "* ]]; then photograph_board; fi
