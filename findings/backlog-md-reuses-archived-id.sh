#!/usr/bin/env bash
# Backlog.md 1.52.0, a task that is archived and one that is created then.
#
# Expected: a new id, as ids stand in commits, branches and the dependencies of other tasks.
# Seen: the new task has the id of the archived one, so both files say `id: TASK-2`. `backlog doctor` finds no duplicate.
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
for title in First Second; do backlog task create "$title" >/dev/null 2>&1; done
backlog task archive 2
backlog task create Other
grep -H '^id:' backlog/archive/tasks/*.md backlog/tasks/*.md
backlog doctor
grep -q '^id: TASK-2$' backlog/archive/tasks/*Second.md
grep -q '^id: TASK-2$' backlog/tasks/*Other.md
backlog doctor | grep -q 'No duplicate IDs'
