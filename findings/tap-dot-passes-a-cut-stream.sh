#!/usr/bin/env bash
# tap-dot 2.0.0 behind tape 5.10.2 and a pipe, and a test that throws behind two assertions that hold.
#
# Expected: a failure, as the stream ends without its plan, which `faucet` and `tap-mocha-reporter` count as one.
# Seen: `2 passed`, `Pass!`, and the status 0. Of the same test without the pipe it is 1.
#
# Installs both in a temporary folder. Passes while tap-dot does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund tape@5.10.2 tap-dot@2.0.0
printf "const test = require('tape');\ntest('adds', (t) => {\n  t.equal(2, 2);\n  t.equal(3, 3);\n  JSON.parse('');\n  t.end();\n});\n" >a.js
echo 'tape 5.10.2, tap-dot 2.0.0'
alone=0
node a.js >points.txt 2>errors.txt || alone=$?
cat points.txt
status=0
set +o pipefail
node a.js 2>/dev/null | node_modules/.bin/tap-dot >printed.txt || status=$?
cat printed.txt
echo "status of tape $alone, of tape behind tap-dot $status"
[ "$alone" -eq 1 ]
[ "$status" -eq 0 ]
grep -q '2 passed' printed.txt
grep -q 'Pass!' printed.txt
if grep -q '^1\.\.' points.txt; then exit 1; fi
