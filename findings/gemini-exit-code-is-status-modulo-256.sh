#!/usr/bin/env bash
# @google/gemini-cli 0.61.0, a request that its service answers with 401.
#
# Expected: an exit code of its own for this, below 128: from there on they stand for signals (145 would be SIGSTKFLT, 17).
# Seen: with `--output-format stream-json` it ends with 145, the last eight bits of 401; without that with 1.
#
# Installs gemini in a temporary folder; a server on the loopback interface stands in for the service. Passes while gemini does this, and fails
# when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0
cat >service.mjs <<'SERVER'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const error = { code: 401, message: 'API keys are not supported by this API.', status: 'UNAUTHENTICATED' };
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
});
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
SERVER
node service.mjs &
server=$!
until [ -s port ]; do read -rt 0.1 <> <(:) || true; done
mkdir -p home/.gemini project
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false}}' >home/.gemini/settings.json
cd project
run() {
  env -i PATH="$folder/node_modules/.bin:$PATH" HOME="$folder/home" GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$(cat ../port)" gemini "$@"
}
echo "gemini $(run --version)"
status=0
run --skip-trust --output-format stream-json --model gemini-2.5-pro <<<"Say hello." >../out.txt 2>../err.txt || status=$?
tail -n 3 ../out.txt ../err.txt
echo "status $status"
[ "$status" -eq 145 ]
