#!/usr/bin/env bash
# tape 5.10.2, and a test that throws behind two assertions that hold.
#
# Expected: `not ok` for that test, the tests behind it, and the plan and sums with which each run of tape ends.
# Seen: `ok 1` and `ok 2`, then the error on the other stream. No `not ok`, no plan, no sum, and no later test: what reads the stream by its points finds
# two that passed and none that failed. The status is 1.
#
# Installs tape in a temporary folder. Passes while tape does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund tape@5.10.2
printf "const test = require('tape');\ntest('adds', (t) => {\n  t.equal(2, 2);\n  t.equal(3, 3);\n  JSON.parse('');\n  t.end();\n});\ntest('later', (t) => {\n  t.fail('it is reached');\n  t.end();\n});\n" >a.js

node --version
status=0
node a.js >points.txt 2>errors.txt || status=$?
cat points.txt errors.txt
echo "status $status"
[ "$status" -eq 1 ]
[ "$(grep -c '^ok ' points.txt)" -eq 2 ]
if grep -qE '^not ok|^1\.\.|^# pass|^# later' points.txt; then exit 1; fi
grep -q SyntaxError errors.txt
