#!/usr/bin/env bash
# ralphy-cli 4.7.2, `ralphy --dry-run` over a PRD.md with two open tasks.
#
# Expected: both tasks are shown once, and the command ends.
# Seen: `Skipped` is said of the first task again and again, as the dry run ticks nothing and takes what is open first. The second one is never
# shown, and nothing ends it but `--max-iterations`: it is stopped here after ten seconds.
#
# Installs ralphy-cli in a temporary folder; a shell script stands in for the agent that it looks for. Passes while ralphy does this, and
# fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ralphy-cli@4.7.2
mkdir bin project
printf '#!/bin/sh\nexit 0\n' >bin/claude
chmod +x bin/claude
export PATH="$folder/bin:$PATH" HOME="$folder"
cd project
git init --quiet --template= .
printf '# List\n\n- [ ] One\n- [ ] Two\n' >PRD.md
"$folder/node_modules/.bin/ralphy" --version
status=0
timeout 10 "$folder/node_modules/.bin/ralphy" --dry-run >"$folder/out.txt" 2>&1 || status=$?
head -6 "$folder/out.txt"
times=$(grep -c 'Task [0-9]*: One' "$folder/out.txt" || true)
echo "status $status, One shown $times times, Two shown $(grep -c 'Task [0-9]*: Two' "$folder/out.txt" || true) times"
[ "$status" -eq 124 ]
[ "$times" -gt 2 ]
! grep -q 'Task [0-9]*: Two' "$folder/out.txt"
