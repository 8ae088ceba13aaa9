#!/usr/bin/env bash
# task-master-ai 0.43.1, `remove-task` of a task that another task and a subtask depend on.
#
# Expected: both dependencies go with it, or it is refused.
# Seen: `remove-task` reports success, and both stay. `validate-dependencies`, which found nothing before, then says that the validation failed, as both
# depend on a task that isn't there.
#
# Installs task-master in a temporary folder. Passes while it does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund task-master-ai@0.43.1
export HOME="$folder"
task-master() { "$folder/node_modules/.bin/task-master" "$@" </dev/null; }
mkdir -p project/.taskmaster/tasks && cd project
git init --quiet --template= .
task-master --version
printf '{"master":{"tasks":[],"metadata":{}}}\n' >.taskmaster/tasks/tasks.json
for title in Ground Walls Roof; do task-master add-task --title="$title" --description="$title" >/dev/null 2>&1; done
task-master add-subtask --parent=1 --title=Corner >/dev/null 2>&1
task-master add-dependency --id=2 --depends-on=3 >/dev/null 2>&1
task-master add-dependency --id=1.1 --depends-on=3 >/dev/null 2>&1
task-master validate-dependencies 2>&1 | tee before.txt
task-master remove-task --id=3 --yes >removed.txt 2>&1
task-master validate-dependencies 2>&1 | tee after.txt || true
node -e '
  const { tasks } = require("./.taskmaster/tasks/tasks.json").master;
  console.log(JSON.stringify(tasks.map(({ id, dependencies, subtasks }) => ({ id, dependencies, subtasks: subtasks.map((one) => one.dependencies) }))));
' | tee left.txt
grep -q 'No invalid dependencies' before.txt
grep -q 'Successfully removed 1 task' removed.txt
grep -q 'Found 2 issue(s)' after.txt
[ "$(grep -c 'depends on non-existent task' after.txt)" -eq 2 ]
grep -Eq '"id":2,"dependencies":\["?3"?\],' left.txt
grep -Eq '"subtasks":\[\["?3"?\]\]' left.txt
