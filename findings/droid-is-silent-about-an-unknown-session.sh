#!/usr/bin/env bash
# droid 0.225.2 (its package for Linux), a session to continue that isn't there.
#
# Expected: a message that names the session, and an exit code that isn't 0.
# Seen: it ends with 1 and prints nothing, on neither stream.
#
# Installs droid in a temporary folder; nothing is listening where its model would be, and it isn't asked. Passes while droid does this, and
# fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @factory/cli-linux-x64@0.225.2
mkdir -p home/.factory project
cat >home/.factory/settings.json <<'SETTINGS'
{
  "customModels": [
    { "model": "any", "id": "custom:any", "displayName": "any", "baseUrl": "http://127.0.0.1:9/v1", "apiKey": "none", "provider": "generic-chat-completion-api" }
  ],
  "sessionDefaultSettings": { "model": "custom:any" }
}
SETTINGS
cd project
run() {
  env -i PATH="$folder/node_modules/@factory/cli-linux-x64/bin:$PATH" HOME="$folder/home" FACTORY_AIRGAP_ENABLED=true droid "$@"
}
echo "droid $(run --version)"
status=0
run exec -o stream-json --fork 00000000-0000-4000-8000-000000000000 'Say hello.' </dev/null >../out.txt 2>../err.txt || status=$?
wc -c ../out.txt ../err.txt
echo "status $status"
[ "$status" -eq 1 ]
[ ! -s ../out.txt ]
[ ! -s ../err.txt ]
