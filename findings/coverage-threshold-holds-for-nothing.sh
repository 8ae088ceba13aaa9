#!/usr/bin/env bash
# nyc 18.0.0 and c8 12.0.0, `--check-coverage --lines 90` of a command that runs no file of the project.
#
# Expected: a status other than 0: the table that both print says 0 % of lines, and 90 % are asked for.
# Seen: the status is 0, below a table whose only row is `All files | 0 | 0 | 0 | 0`. With `--all`, a file of which nothing ran is in the table, and it is 1.
#
# Installs both in a temporary folder. Passes while they do this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund nyc@18.0.0 c8@12.0.0
mkdir project && cd project
echo '{"name":"sums","version":"1.0.0"}' >package.json
echo 'exports.add = (a, b) => a + b;' >sums.js
for tool in nyc c8; do
  echo "$tool $("$folder/node_modules/.bin/$tool" --version)"
  for all in false true; do
    status=0
    "$folder/node_modules/.bin/$tool" --all=$all --check-coverage --lines 90 node -e '1 + 1' >"$tool-$all.txt" 2>&1 || status=$?
    cat "$tool-$all.txt"
    echo "$tool --all=$all: status $status" | tee -a seen.txt
    rm -rf .nyc_output coverage
  done
  grep -qE '^All files \| +0 \| +0 \| +0 \| +0 \|' "$tool-false.txt"
done
printf 'nyc --all=false: status 0\nnyc --all=true: status 1\nc8 --all=false: status 0\nc8 --all=true: status 1\n' | cmp - seen.txt
