#!/usr/bin/env bash
# Backlog.md 1.52.0, a task that depends on one that was never done, and that one is archived.
#
# Expected: the dependency stays, to be looked at, as its work was given up and not done; or `archive` asks.
# Seen: the dependency is taken out of the other task's file, so that waits for nothing. One line says `Removed references`.
#
# Installs Backlog.md in a temporary folder. Passes while it does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund backlog.md@1.52.0
export HOME="$folder"
backlog() { "$folder/node_modules/.bin/backlog" "$@"; }
mkdir project && cd project
git init --quiet --template= .
backlog --version
backlog init Demo --defaults >/dev/null 2>&1
backlog task create 'The ground' >/dev/null 2>&1
backlog task create 'The roof' --dep task-1 >/dev/null 2>&1
sed -n '/^dependencies/,/^[a-z]*:/p' backlog/tasks/*roof.md
grep -q 'TASK-1' backlog/tasks/*roof.md
backlog task archive 1 | tee said.txt
sed -n '/^dependencies/,/^[a-z]*:/p' backlog/tasks/*roof.md
grep -q 'Removed references to TASK-1 from TASK-2' said.txt
grep -q '^dependencies: \[\]$' backlog/tasks/*roof.md
