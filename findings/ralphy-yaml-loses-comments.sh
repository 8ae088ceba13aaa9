#!/usr/bin/env bash
# ralphy-cli 4.7.2, a YAML list with comments and a task that it ticks.
#
# Expected: `completed: true` in that task, and every other line as it was.
# Seen: the file is written anew: all comments are gone, quotes too.
#
# Installs ralphy-cli in a temporary folder; a shell script stands in for the agent. Passes while ralphy does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ralphy-cli@4.7.2
mkdir bin project
cat >bin/claude <<'AGENT'
#!/bin/sh
echo x >>made.txt
printf '{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":1,"output_tokens":1}}\n'
AGENT
chmod +x bin/claude
export PATH="$folder/bin:$PATH" HOME="$folder"
cd project
git init --quiet --template= .
cat >tasks.yaml <<'LIST'
# What has to be done before the release.
tasks:
  - title: "One"
    completed: false
  # Only after the review.
  - title: "Two"
    completed: false
LIST
cp tasks.yaml before.yaml
"$folder/node_modules/.bin/ralphy" --version
"$folder/node_modules/.bin/ralphy" --yaml tasks.yaml --max-iterations 1 --no-tests --no-lint --no-commit >"$folder/out.txt" 2>&1
diff before.yaml tasks.yaml || true
grep -q 'completed: true' tasks.yaml
grep -c '#' before.yaml
! grep -q '#' tasks.yaml
