#!/usr/bin/env bash
# ralphy-cli 4.7.2, `ralphy` over a PRD.md whose open tasks have the bullets `*` and `+`, or stand below another one.
#
# Expected: they are tasks, as in every Markdown renderer; or a line says that they are passed over.
# Seen: `No tasks remaining. All done!`, with exit code 0 and without starting the agent.
#
# Installs ralphy-cli in a temporary folder; a shell script stands in for the agent that it looks for. Passes while ralphy does this, and
# fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ralphy-cli@4.7.2
mkdir bin project
printf '#!/bin/sh\necho called >>"$HOME/called.txt"\nexit 0\n' >bin/claude
chmod +x bin/claude
export PATH="$folder/bin:$PATH" HOME="$folder"
cd project
git init --quiet --template= .
printf '# List\n\n- [x] One\n* [ ] Two\n+ [ ] Three\n\n- Group\n  - [ ] Four\n' >PRD.md
"$folder/node_modules/.bin/ralphy" --version
status=0
NO_COLOR=1 timeout 60 "$folder/node_modules/.bin/ralphy" --max-iterations 2 --no-commit </dev/null >"$folder/out.txt" 2>&1 || status=$?
cat "$folder/out.txt"
echo "status $status"
[ "$status" -eq 0 ]
grep -q 'No tasks remaining. All done!' "$folder/out.txt"
if [ -e "$folder/called.txt" ]; then exit 1; fi
[ "$(grep -c '\[ \]' PRD.md)" -eq 3 ]
