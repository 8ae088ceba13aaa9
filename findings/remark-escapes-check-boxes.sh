#!/usr/bin/env bash
# remark-cli 12.0.1, a list of tasks with boxes that it formats as its own settings are, without a plug-in.
#
# Expected: the boxes stay, as the sign of an item is all that its formatting has to change.
# Seen: `\[x]` and `\[ ]`: no Markdown renderer shows a box there any more, GitHub's included, and a tool that looks for `- [ ]` finds no task. The status
# is 0, and a second run changes nothing.
#
# Installs remark in a temporary folder. Passes while it does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund remark-cli@12.0.1 marked@16.4.1
mkdir project && cd project
printf '# Tasks\n\n- [x] **T-1** One\n- [ ] **T-2** Two\n' >PRD.md
"$folder/node_modules/.bin/remark" --version
boxes() { "$folder/node_modules/.bin/marked" --gfm -i PRD.md | grep -c 'type="checkbox"' || true; }
before=$(boxes)
"$folder/node_modules/.bin/remark" --quiet --output -- PRD.md
cat PRD.md
echo "boxes that marked shows: $before before, $(boxes) after"
[ "$before" -eq 2 ]
[ "$(boxes)" -eq 0 ]
grep -qxF '* \[x] **T-1** One' PRD.md
grep -qxF '* \[ ] **T-2** Two' PRD.md
cp PRD.md once.md
"$folder/node_modules/.bin/remark" --quiet --output -- PRD.md
cmp PRD.md once.md
