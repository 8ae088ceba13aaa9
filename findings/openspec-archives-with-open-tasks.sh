#!/usr/bin/env bash
# @fission-ai/openspec 1.13.2, `openspec archive --yes` of a change with an open task.
#
# Expected: it isn't archived, or the status says so: `--yes` answers questions, and an open task isn't one of them.
# Seen: a line warns of the open tasks; the change is archived, its specification becomes the project's, and the status is 0.
#
# Installs OpenSpec in a temporary folder. Passes while it does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @fission-ai/openspec@1.13.2
export HOME="$folder" OPENSPEC_TELEMETRY=0 DO_NOT_TRACK=1
openspec() { "$folder/node_modules/.bin/openspec" "$@"; }
mkdir project && cd project
openspec --version
openspec init --tools none . >/dev/null 2>&1
openspec new change files >/dev/null 2>&1
change=openspec/changes/files
mkdir -p "$change/specs/files"
printf '## ADDED Requirements\n\n### Requirement: Files\nThe system SHALL have files.\n\n#### Scenario: There\n- **WHEN** looked for\n- **THEN** there\n' >"$change/specs/files/spec.md"
printf '## Why\n\nA reason that is long enough for whoever reads it, and then some.\n\n## What Changes\n\n- files\n' >"$change/proposal.md"
printf '# Tasks\n\n- [x] 1.1 Done\n- [ ] 1.2 Open\n' >"$change/tasks.md"
status=0
openspec archive files --yes >out.txt 2>&1 || status=$?
cat out.txt
echo "status $status"
[ "$status" -eq 0 ]
grep -qi 'incomplete' out.txt
[ ! -e "$change" ]
grep -q 'Requirement: Files' openspec/specs/files/spec.md
