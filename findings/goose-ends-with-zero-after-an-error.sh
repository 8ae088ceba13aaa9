#!/usr/bin/env bash
# goose 1.52.0, a request that its service answers with 404, as it doesn't have the model.
#
# Expected: an exit code that isn't 0, as nothing was done.
# Seen: it prints the error and ends with 0. So it does after 400 and 500; after 401 it ends with 1.
#
# Installs goose in a temporary folder; a server on the loopback interface stands in for the service. Passes while goose does this, and fails
# when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aaif/goose-binary-linux-x64@1.52.0
cat >service.mjs <<'SERVER'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const error = { message: 'The model does not exist.', type: 'invalid_request_error', param: null, code: 'model_not_found' };
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
});
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
SERVER
node service.mjs &
server=$!
until [ -s port ]; do read -rt 0.1 <> <(:) || true; done
mkdir home project
cd project
run() {
  env -i PATH="$folder/node_modules/@aaif/goose-binary-linux-x64/bin:$PATH" HOME="$folder/home" GOOSE_PROVIDER=openai GOOSE_MODEL=any GOOSE_DISABLE_KEYRING=1 \
    OPENAI_HOST="http://127.0.0.1:$(cat ../port)" OPENAI_BASE_PATH=v1/chat/completions OPENAI_API_KEY=none goose "$@"
}
echo "goose $(run --version)"
status=0
run run --no-session --text 'Say hello.' </dev/null >../out.txt 2>&1 || status=$?
tail -n 8 ../out.txt
echo "status $status"
grep -q 'The model does not exist' ../out.txt
[ "$status" -eq 0 ]
