#!/usr/bin/env bash
# @openai/codex 0.171.0, a final answer that isn't what `--output-schema` asks for.
#
# Expected: an error, or an exit code that isn't 0: the file is to describe "the model's final response shape".
# Seen: the schema is sent to the service, and what the service answers isn't compared with it. A sentence that is no JSON is the final message,
# in the stream and in the file of `--output-last-message`, and codex ends with 0.
#
# Installs codex in a temporary folder; a server on the loopback interface stands in for a service that takes the schema and doesn't keep to it.
# Passes while codex does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @openai/codex@0.171.0
cat >service.mjs <<'SERVER'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const text = 'The answer is forty-two.';
const item = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] };
const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 5, output_tokens_details: null, total_tokens: 15 };
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    if (!request.url.endsWith('/responses')) {
      response.writeHead(404).end();
      return;
    }
    appendFileSync('formats.txt', `${JSON.parse(body).text?.format?.type}\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = (type, more) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    say('response.created', { response: { id: 'resp_1' } });
    say('response.output_item.done', { output_index: 0, item });
    say('response.completed', { response: { id: 'resp_1', output: [item], usage } });
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
SERVER
node service.mjs &
server=$!
until [ -s port ]; do read -rt 0.1 <> <(:) || true; done
mkdir -p home/.codex project
cat >home/.codex/config.toml <<SETTINGS
model = "gpt-5.5"
model_provider = "here"
check_for_update_on_startup = false
[model_providers.here]
name = "here"
base_url = "http://127.0.0.1:$(cat port)/v1"
env_key = "KEY_OF_NOBODY"
wire_api = "responses"
SETTINGS
cat >schema.json <<'SCHEMA'
{
  "type": "object",
  "properties": { "answer": { "type": "integer" } },
  "required": ["answer"],
  "additionalProperties": false
}
SCHEMA
cd project
run() {
  env -i PATH="$folder/node_modules/.bin:$PATH" HOME="$folder/home" KEY_OF_NOBODY=none codex "$@"
}
run --version
status=0
run exec --skip-git-repo-check --json --output-schema ../schema.json --output-last-message ../last.txt 'What is six times seven?' \
  </dev/null >../out.txt 2>../err.txt || status=$?
cat ../out.txt ../last.txt
echo
echo "status $status"
[ "$(head -n 1 ../formats.txt)" = json_schema ]
[ "$status" -eq 0 ]
[ "$(cat ../last.txt)" = 'The answer is forty-two.' ]
