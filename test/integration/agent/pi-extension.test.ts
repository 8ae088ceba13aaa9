import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADAPTERS } from 'ralph-agents';
import type { HookAnswer } from 'ralph-agents/hook';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHook } from '../../../src/io/hook/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const { pi } = ADAPTERS;

type Call = { toolName: string; toolCallId: string; input: Record<string, unknown> };
type Handlers = {
  session_start: () => Promise<void>;
  tool_call: (
    call: Call,
    context: { cwd: string },
  ) => Promise<{ block: boolean; reason: string } | undefined>;
};

let folder: string;
const open: (() => void)[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Loads the extension as Pi does, with ralph's hook at `socket`. */
async function load(socket: string, token: string): Promise<Handlers> {
  const hook = { folder, client: 'none', socket, token, patienceSeconds: 60 };
  const request = {
    prompt: 'p',
    promptFile: 'p.md',
    cwd: '/repo',
    model: null,
    extraArgs: [],
    resume: null,
    session: '00000000-0000-8000-8000-000000000001',
    title: 'Write the parser',
    boxed: false,
    reportFile: '/state/report.json',
  };
  const [file] = pi.plan({ ...request, env: {}, hook }).files ?? [];
  // Pi reads TypeScript, of which this is the part that JavaScript has too.
  const path = join(folder, 'extension.mjs');
  writeFileSync(path, file?.content ?? '');
  const handlers: Record<string, unknown> = {};
  const { default: extension } = await import(pathToFileURL(path).href);
  extension({ on: (event: string, handler: unknown) => Object.assign(handlers, { [event]: handler }) });
  return handlers as Handlers;
}

async function reviewed(onMessage: (text: string) => HookAnswer): Promise<Handlers> {
  const hook = await openHook({ folder, patienceSeconds: 60, cwd: folder, onMessage });
  open.push(hook.close);
  return load(hook.place.socket, hook.place.token);
}

/** Loads the extension where something else than a reviewer listens at the socket. */
async function instead(answer: string | null): Promise<Handlers> {
  const socket = join(folder, 's');
  const server: Server = createServer((connection) => {
    connection.on('error', () => undefined);
    connection.once('data', () => (answer === null ? connection.destroy() : connection.end(answer)));
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  open.push(() => server.close());
  return load(socket, 'word');
}

const bash = (): Call => ({
  toolName: 'bash',
  toolCallId: 'c1',
  input: { command: 'rm x', list: [{ a: 1 }] },
});
const here = { cwd: '/repo' };

describe('the extension of pi', () => {
  it('reports that it is there, and asks before each call', async () => {
    const messages: unknown[] = [];
    const handlers = await reviewed((text) => {
      messages.push(JSON.parse(text));
      return { text: '', exitCode: 0 };
    });
    await handlers.session_start();
    expect(await handlers.tool_call(bash(), here)).toBeUndefined();
    const action = { kind: 'action', tool: 'bash', id: 'c1', input: bash().input };
    expect(messages).toEqual([{ kind: 'ready' }, action]);
  });

  it('blocks what is denied, with the reason', async () => {
    const handlers = await reviewed(() => ({ text: 'not that\nway', exitCode: 2 }));
    expect(await handlers.tool_call(bash(), here)).toEqual({ block: true, reason: 'not that\nway' });
  });

  it.each([null, '', '0', '00\n', 'hello', ' 0\n', '{"decision":"allow"}'])(
    'blocks after an answer of %j',
    async (answer) => {
      const handlers = await instead(answer);
      await handlers.session_start();
      expect(await handlers.tool_call(bash(), here)).toMatchObject({ block: true });
    },
  );

  it("blocks when ralph isn't there, and when a call cannot be told", async () => {
    const unheard = await load(join(folder, 'none'), 'word');
    await unheard.session_start();
    expect(await unheard.tool_call(bash(), here)).toMatchObject({ block: true });
    const call = bash();
    call.input.self = call.input;
    expect(await unheard.tool_call(call, here)).toMatchObject({ block: true });
  });

  it.each([
    ['@/etc/x', '/etc/x'],
    ['~/x', join(homedir(), 'x')],
    ['@~', homedir()],
    ['file:///etc/x%20y', '/etc/x y'],
    ['a\u00A0b/../c', '/repo/c'],
    ['~x', '/repo/~x'],
  ])('makes %s the path that pi takes it for', async (path, plain) => {
    const handlers = await reviewed(() => ({ text: '', exitCode: 0 }));
    const call = { toolName: 'write', toolCallId: 'c1', input: { path, content: '' } };
    await handlers.tool_call(call, here);
    expect(call.input.path).toBe(plain);
    const other = { toolName: 'custom', toolCallId: 'c2', input: { path } };
    await handlers.tool_call(other, here);
    expect(other.input.path).toBe(path);
  });

  it('lets nothing change what was allowed', async () => {
    const handlers = await reviewed(() => ({ text: '', exitCode: 0 }));
    const call = bash();
    await handlers.tool_call(call, here);
    expect(() => Object.assign(call.input, { command: 'rm y' })).toThrow();
    expect(() => Object.assign((call.input.list as object[])[0] ?? {}, { a: 2 })).toThrow();
  });
});
