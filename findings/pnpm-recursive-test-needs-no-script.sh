#!/usr/bin/env bash
# pnpm 12.21.0, `pnpm -r run NAME` in a workspace in which no package has a script of that name.
#
# Expected: an error for each name, as no script was run.
# Seen: for `lint` it is an error with status 1. For `test` the status is 0: the scope is printed, and nothing about a missing script.
#
# Installs pnpm in a temporary folder. Passes while pnpm does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pnpm@12.21.0
export HOME="$folder"
mkdir -p project/packages/{a,b} && cd project
echo '{"name":"all","private":true}' >package.json
printf 'packages:\n  - packages/*\n' >pnpm-workspace.yaml
for name in a b; do
  echo "{\"name\":\"$name\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"echo built\"}}" >"packages/$name/package.json"
done
echo "pnpm $("$folder/node_modules/.bin/pnpm" --version)"
for name in lint test; do
  status=0
  "$folder/node_modules/.bin/pnpm" -r run "$name" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "$name: status $status" | tee -a "$name.txt"
done
grep -q '^lint: status 1$' lint.txt
grep -q '^test: status 0$' test.txt
if grep -qiE 'script|error|fail' test.txt; then exit 1; fi
