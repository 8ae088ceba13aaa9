/** @module-tag rest */

import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { clampProject, RIGHT } from '../helpers/clamp-project.ts';
import { appears, BIN, type Project } from '../helpers/cli.ts';
import { finishedOf } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const INIT = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function environment(more: Record<string, string> = {}): Record<string, string> {
  const all = Object.entries({ ...process.env, RALPH_TRUST: '1', ...more });
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Calls the server in a folder through the SDK's own client. */
async function withServer<R>(
  cwd: string,
  work: (client: Client) => Promise<R>,
  more?: Record<string, string>,
) {
  const client = new Client({ name: 'test', version: '1' });
  const env = environment(more);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], cwd, env }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, input: object = {}) {
  const result = await client.callTool({ name, arguments: { ...input } });
  const [first] = result.content as { text: string }[];
  return { isError: result.isError === true, text: first?.text ?? '' };
}

/** Returns a document without what differs from call to call. */
function lasting(text: string): object {
  const { timestamp: _, duration_ms: __, ...rest } = JSON.parse(text);
  return rest;
}

function project(): Project {
  const made = clampProject([], { 'src/clamp.js': RIGHT });
  made.write('src/clamp.js', 'export const clamp = (x) => x;\n');
  return made;
}

it('offers four tools that only look, and each gives what the command prints', async () => {
  const made = project();
  await withServer(made.root, async (client) => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['verify', 'tasks', 'status', 'report']);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).not.toContain('trust');
    for (const name of ['tasks', 'status', 'report']) {
      const { text, isError } = await call(client, name);
      const { stdout, code } = made.ralph('--json', name);
      expect({ ...lasting(text), isError }, name).toEqual({ ...lasting(stdout), isError: code !== 0 });
    }
    const { text, isError } = await call(client, 'verify', { dirty: true });
    expect(isError).toBe(false);
    expect(lasting(text)).toEqual(lasting(made.ralph('--json', 'verify', '--dirty').stdout));
    expect(lasting(text)).toMatchObject({ verdict: 'not_verified', exit_code: 1 });
  });
  expect(made.git('status', '--porcelain').trim()).toBe('M src/clamp.js');
});

it('says what is wrong with a call, and answers the next one', async () => {
  const made = project();
  const wrong = [
    ['verify', { brnach: 'main' }, /brnach/],
    ['verify', { pr: 'twelve' }, /pr/],
    ['verify', { staged: true, dirty: true }, /Name one thing to verify/],
    ['verify', { criteria: '../none.md' }, /can't be read/],
    ['report', { since: 'soon' }, /isn't a time/],
    ['nosuch', {}, /nosuch/],
  ] as const;
  await withServer(made.root, async (client) => {
    for (const [name, input, why] of wrong) {
      const { isError, text } = await call(client, name, input);
      expect(text).toMatch(why);
      expect(isError, text).toBe(true);
    }
    expect(await call(client, 'tasks')).toMatchObject({ isError: false });
  });
  const none = await withServer(temporaryFolder(), (client) => call(client, 'status'));
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining("isn't in a git repository") });
});

it('runs nothing that you have not approved', async () => {
  const made = project();
  const refused = await withServer(made.root, (client) => call(client, 'verify'), { RALPH_TRUST: '' });
  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.text)).toMatchObject({ exit_code: 3, error: { next: 'ralph verify --trust' } });
});

it.each([
  ['when its client goes', null, 0],
  ['by one signal', 'SIGTERM', 143],
] as const)('prints nothing but the protocol, stops what it is at %s, and ends', async (_, signal, exit) => {
  const begun = `${temporaryFolder()}/begun`;
  const made = clampProject([], {
    'src/clamp.js': RIGHT,
    '.ralph/ralph.toml': `[[gates.commands]]\nname = "slow"\nrun = "echo noise; touch ${begun}; sleep 300"\n`,
  });
  made.write('src/clamp.js', 'export const clamp = (x) => x;\n');
  const child = spawn(process.execPath, [BIN, 'mcp'], {
    cwd: made.root,
    env: environment({ RALPH_BOX_MODE: 'off' }),
    stdio: 'pipe',
  });
  const ended = finishedOf(child);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.write('this is no message\n');
  send({ id: 1, ...INIT });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'tasks', arguments: {} } });
  send({ id: 3, method: 'tools/call', params: { name: 'verify', arguments: {} } });
  await appears(begun);
  // The second call waits for the first.
  send({ id: 4, method: 'tools/call', params: { name: 'verify', arguments: {} } });
  if (signal === null) child.stdin.end();
  else child.kill(signal);
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(exit);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(lines.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
  expect(stdout).not.toContain('noise');
});
