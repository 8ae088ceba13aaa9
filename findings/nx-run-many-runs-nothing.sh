#!/usr/bin/env bash
# nx 22.7.12, `nx run-many` with a target that no project of the workspace has.
#
# Expected: an error and a status other than 0, as `nx run a:tset` gives.
# Seen: `No tasks were run`, and the status is 0, for a misspelled target as well.
#
# Installs nx in a temporary folder. Passes while nx does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/a
git init --quiet --template= .
echo '{"name":"all","private":true,"workspaces":["packages/*"],"devDependencies":{"nx":"22.7.12"}}' >package.json
echo '{"name":"a","version":"1.0.0","scripts":{"test":"exit 1"}}' >packages/a/package.json
echo '{}' >nx.json
npm install --silent --no-audit --no-fund
export HOME="$folder" NX_DAEMON=false NX_NO_CLOUD=true CI=1
echo "nx $(node -p "require('./node_modules/nx/package.json').version")"
for run in 'run-many -t test' 'run a:tset' 'run-many -t tset'; do
  status=0
  # shellcheck disable=SC2086
  node_modules/.bin/nx $run >printed.txt 2>&1 || status=$?
  grep -v '^$' printed.txt
  echo "nx $run: status $status" | tee -a seen.txt
done
grep -q 'No tasks were run' printed.txt
printf 'nx run-many -t test: status 1\nnx run a:tset: status 1\nnx run-many -t tset: status 0\n' | cmp - seen.txt
