#!/usr/bin/env bash
# git 2.39.5, `git update-ref --stdin` with several transactions (`start`, `update`, `commit`, again and again).
#
# Expected: each entry of a reflog has the time at which its transaction was committed, as with one git for each of them.
# Seen: all entries that one git writes have the time of its first transaction, however long it stays. `git reflog --date=iso`
# and `branch@{5 minutes ago}` are wrong by as much. With a git of its own for each transaction the times differ.
#
# Downloads Debian's git in a temporary folder. Passes while git behaves like this, and fails when that changes.
set -euo pipefail
version='1:2.39.5-0+deb12u3'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "git=$version" >/dev/null 2>&1
dpkg -x git_*.deb git
export GIT_EXEC_PATH="$folder/git/usr/lib/git-core" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
git() { "$folder/git/usr/bin/git" "$@"; }
git --version
git init --quiet --template= repository && cd repository
git commit --quiet --allow-empty -m one
one=$(git rev-parse HEAD)
git commit --quiet --allow-empty -m two
two=$(git rev-parse HEAD)

update() { printf 'start\nupdate %s %s\ncommit\n' "$1" "$2"; }
# The time of an entry is in whole seconds.
next_second() { sleep 2; }

{ update refs/heads/stays "$one"; next_second; update refs/heads/stays "$two"; } | git update-ref --create-reflog --stdin >/dev/null
update refs/heads/anew "$one" | git update-ref --create-reflog --stdin >/dev/null
next_second
update refs/heads/anew "$two" | git update-ref --create-reflog --stdin >/dev/null

times() { sed 's/.*> \([0-9]*\) .*/\1/' ".git/logs/refs/heads/$1" | sort -u | wc -l; }
echo "different times of two updates, 2 s apart: one git $(times stays), a git for each $(times anew)"
[ "$(times stays)" -eq 1 ] && [ "$(times anew)" -eq 2 ]
