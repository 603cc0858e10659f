#!/usr/bin/env bash
# commit_msg.sh FILE | commit_msg.sh --range BASE..HEAD
# Checks messages of commits: a subject of at most 72 characters that begins with a module, an empty line after it, and
# no commit of more than 100 files that is not a pure move. FILE holds one message, as git's hook commit-msg gives it.
set -euo pipefail
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/help.sh"

wrong=0

complain() {
  echo "commit_msg.sh: $1" >&2
  wrong=1
}

# check_message NAME: a message on standard input.
check_message() {
  local subject second
  IFS= read -r subject || true
  IFS= read -r second || true
  [[ $subject == "Merge "* || $subject == "Revert "* ]] && return
  ((${#subject} <= 72)) || complain "$1: the subject has ${#subject} characters; at most 72 are allowed: $subject"
  [[ $subject =~ ^[a-z0-9_/.,\ -]+:\ [^\ ] ]] ||
    complain "$1: the subject begins with the module, as in 'study: stratified means': $subject"
  [[ -z $second ]] || complain "$1: an empty line stands between the subject and the body"
}

# check_files NAME DIFF...: what `git diff DIFF` changes.
check_files() {
  local name=$1 files
  shift
  files=$(git diff --name-only -M100% --diff-filter=r "$@" | wc -l)
  ((files <= 100)) || complain "$name: changes $files files; above 100 only those that a commit moves as they are are allowed"
}

if [[ ${1-} == --range ]]; then
  for commit in $(git rev-list --no-merges --reverse "${2:?--range: a range of commits is needed}"); do
    name=$(git log -1 --format=%h "$commit")
    check_message "$name" < <(git log -1 --format=%B "$commit")
    check_files "$name" "$commit^" "$commit"
  done
else
  check_message "message" < <(grep -v '^#' "${1:?a file with the message, or --range, is needed}")
  check_files "commit" --cached
fi
exit "$wrong"
