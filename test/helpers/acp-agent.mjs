// A fake agent that speaks the Agent Client Protocol: `node acp-agent.mjs MODE ...`, where each MODE is a step of its
// turn. It runs commands in a shell, and only those that were allowed, unless a step says not to ask.
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, ...steps] = process.argv.slice(2);
const waiting = new Map();
let asked = 0;
let cancelled = () => {};

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (update) => write({ method: 'session/update', params: { sessionId: 's-1', update } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const OPTIONS = [
  { optionId: 'always', kind: 'allow_always', name: 'Always' },
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
];

function ask(toolCall, options = OPTIONS) {
  asked += 1;
  const id = `q-${asked}`;
  write({ id, method: 'session/request_permission', params: { sessionId: 's-1', toolCall, options } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function runs(command, asks) {
  const toolCallId = `call-${command}`;
  const call = { toolCallId, kind: 'execute', title: 'a command', rawInput: { command } };
  update({ sessionUpdate: 'tool_call', ...call, status: 'pending' });
  if (asks) {
    const { result } = await ask(call);
    if (result?.outcome?.optionId !== 'yes') {
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
      return false;
    }
  }
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
  const { status, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  const content = [{ type: 'content', content: { type: 'text', text: stdout } }];
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: status === 0 ? 'completed' : 'failed',
    content,
  });
  return true;
}

async function turn(id, text) {
  appendFileSync(log, `${JSON.stringify({ prompt: text })}\n`);
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [, name = step, rest = ''] = /^(\w+) ?(.*)$/s.exec(step) ?? [];
    if (name === 'say') say(rest);
    else if (name === 'run' && !(await runs(rest, true))) break;
    else if (name === 'unasked') await runs(rest, false);
    else if (name === 'crash') process.exit(3);
    else if (name === 'leave') process.exit(0);
    else if (name === 'malformed') process.stdout.write('{"jsonrpc":"2.0","id":"q","outcome":"allowed"}\n');
    else if (name === 'noise') process.stdout.write(`${rest}\n`);
    else if (name === 'blind') {
      const { result } = await ask({ toolCallId: 'blind', kind: 'execute' });
      appendFileSync(log, `${JSON.stringify(result)}\n`);
    } else if (name === 'onlyalways') {
      const { result } = await ask(
        { toolCallId: 'a', kind: 'execute', rawInput: { command: 'ls' } },
        OPTIONS.slice(0, 1),
      );
      appendFileSync(log, `${JSON.stringify(result)}\n`);
    } else if (name === 'wait') {
      await new Promise((resolve) => {
        cancelled = resolve;
      });
      appendFileSync(log, '"cancelled"\n');
      write({ id, result: { stopReason: 'cancelled' } });
      return;
    } else if (name === 'error') {
      write({ id, error: { code: 429, message: rest } });
      return;
    }
  }
  write({
    id,
    result: { stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } },
  });
  if (log.endsWith('late.log')) {
    const { result } = await ask({
      toolCallId: 'late',
      kind: 'execute',
      rawInput: { command: 'touch late' },
    });
    if (result?.outcome?.optionId === 'yes') spawnSync('touch', ['late']);
  }
}

/** Ways to sign in, by the step that asks for one. */
const AUTH_METHODS = {
  keyed: [
    { id: 'browser', name: 'Log in', description: 'Opens a browser' },
    { id: 'some-api-key', name: 'Use a key', description: 'Set in the environment' },
  ],
  personal: [
    { id: 'browser', name: 'Log in', description: 'Opens a browser' },
    { id: 'enterprise', name: 'Enterprise' },
  ],
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === undefined) waiting.get(id)?.(message);
  else if (method === 'initialize') {
    if (steps[0] === 'absent') process.exit(1);
    const agentCapabilities = { loadSession: true };
    const protocolVersion = steps[0] === 'old' ? 0 : 1;
    write({ id, result: { protocolVersion, agentCapabilities, authMethods: AUTH_METHODS[steps[0]] ?? [] } });
  } else if (method === 'authenticate') {
    appendFileSync(log, `${JSON.stringify(params)}\n`);
    steps.shift();
    write({ id, result: {} });
  } else if (method === 'session/new' && steps[0] === 'unset')
    write({ id, error: { code: -32603, message: 'Internal error', data: 'GOOSE_PROVIDER is not set' } });
  else if (method === 'session/new' && steps[0] in AUTH_METHODS)
    write({ id, error: { code: -32000, message: 'Authentication required' } });
  else if (method === 'session/new' && steps[0] === 'signedout')
    write({ id, error: { code: -32000, message: 'Authentication required' } });
  else if (method === 'session/new' && steps[0] === 'limited')
    write({ id, error: { code: 429, message: 'Too many requests' } });
  else if (method === 'session/new') write({ id, result: { sessionId: 's-1' } });
  else if (method === 'session/load' && /^(signedout|limited)$/.test(steps[0]))
    write({ id, error: { code: -32603, message: 'fetch failed' } });
  else if (method === 'session/load') {
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'past',
      kind: 'execute',
      title: 'rm -rf /',
      status: 'completed',
    });
    write({ id, result: {} });
  } else if (method === 'session/cancel') cancelled();
  else if (method === 'session/prompt') void turn(id, params.prompt[0].text);
});
process.stdin.on('end', () => process.exit(0));
