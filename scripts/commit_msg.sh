#!/usr/bin/env bash
# commit_msg.sh FILE | commit_msg.sh --range BASE..HEAD
# Checks messages of commits: a subject of at most 72 characters that begins with a module, an empty line after it, and
# no commit of more than 100 files that is not a pure move. FILE holds one message, as git's hook commit-msg gives it.
set -euo pipefail
export LC_ALL=C.UTF-8
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
  # What git writes by itself, and what a rebase will join.
  [[ $subject =~ ^(Merge\ (branch|branches|remote-tracking|tag|commit|pull)|Revert\ \"|(fixup|squash|amend)!)\ ? ]] && return
  ((${#subject} <= 72)) || complain "$1: the subject has ${#subject} characters; at most 72 are allowed: $subject"
  [[ $subject =~ ^[a-z0-9_.][a-z0-9_/.,\ -]*:\ [^\ ] ]] ||
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
  if [[ $# != 2 || ${2-} == -* || -z ${2-} ]]; then
    echo "commit_msg.sh: --range needs one range of commits, as in main..HEAD" >&2
    exit 2
  fi
  commits=$(git rev-list --no-merges --reverse "$2" --) || exit 2
  for commit in $commits; do
    name=$(git log -1 --format=%h "$commit")
    check_message "$name" < <(git log -1 --format=%B "$commit")
    # The first commit is set beside nothing; what a shallow clone was cut from is not there to compare with.
    parent=$(git rev-parse -q --verify "$commit^") || parent=$(git hash-object -t tree /dev/null)
    [[ $parent != 4b825dc* || $(git rev-parse --is-shallow-repository) == false ]] || continue
    check_files "$name" "$parent" "$commit"
  done
else
  if [[ ! -f ${1-} ]]; then
    echo "commit_msg.sh: a file with the message, or --range, is needed" >&2
    exit 2
  fi
  # Without comments, and without the changes that `git commit -v` shows below its line of scissors.
  check_message "message" < <(sed '/^# -* >8 -*$/,$d; /^#/d' "$1" | tr -d '\r' | sed '/./,$!d')
  git rev-parse -q --verify MERGE_HEAD >/dev/null || check_files "commit" --cached
fi
exit "$wrong"
