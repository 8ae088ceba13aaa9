import { describe, expect, it } from 'vitest';
import { EXIT_0, eventsOf, IDLE, report } from '../../../test/helpers/agent-recordings.ts';
import type { SocketHook } from './hook.ts';
import { ADAPTERS } from './index.ts';

const { pi } = ADAPTERS;

const parse = (line: unknown) => pi.parse(JSON.stringify(line));
const assistant = (message: object) => ({ role: 'assistant', content: [], ...message });

describe('the stream of pi', () => {
  it('fails by its last message, although its exit code is 0', () => {
    for (const [scenario, kind] of [
      ['f-401', 'auth'],
      ['f-429', 'rate_limited'],
      ['f-500', 'outage'],
    ] as const) {
      expect(report(eventsOf(pi, scenario), EXIT_0)).toMatchObject({ ok: false, infrastructure: { kind } });
    }
  });

  it('blames an error that it was about to try again only when it did not get to that', () => {
    const lines = eventsOf(pi, 'f-429').slice(0, 2);
    expect(lines.at(-1)).toMatchObject({ kind: 'error', fatal: false });
    expect(report(lines, IDLE).infrastructure?.kind).toBe('rate_limited');
    expect(report(lines, EXIT_0).infrastructure).toBeNull();
  });

  it('takes a stream that ended in the middle for an outage', () => {
    const message = assistant({ stopReason: 'error', errorMessage: 'terminated' });
    expect(report(parse({ type: 'agent_end', messages: [message] }), EXIT_0)).toMatchObject({
      ok: false,
      errors: ['terminated'],
      infrastructure: { kind: 'outage' },
    });
  });

  it('counts the tokens of each message, what came from a cache among the input', () => {
    const usage = { input: 5, cacheRead: 3, cacheWrite: 2, output: 7, cost: { total: 0.5 } };
    const line = { type: 'message_end', message: assistant({ usage, stopReason: 'stop' }) };
    expect(report([...parse(line), ...parse(line)], EXIT_0).usage).toEqual([
      {
        ...{ model: null, inputTokens: 20, outputTokens: 14, cachedTokens: 6, cacheWriteTokens: 4 },
        costUsd: 1,
      },
    ]);
    expect(report(eventsOf(pi, 'g-resume-2'), EXIT_0).usage).toMatchObject([{ inputTokens: 1200 }]);
  });

  it("joins the parts of a message, and counts only the agent's own", () => {
    const content = [
      { type: 'text', text: 'one ' },
      { type: 'thinking', text: 'no' },
      { type: 'text', text: 'two' },
    ];
    const ended = (role: string) =>
      parse({ type: 'message_end', message: { role, content, stopReason: 'stop' } });
    expect(report(ended('assistant'), EXIT_0).finalMessage).toBe('one two');
    for (const role of ['user', 'system', 'toolResult']) expect(ended(role)).toEqual([]);
  });

  it('was interrupted', () => {
    const line = { type: 'agent_end', messages: [assistant({ stopReason: 'aborted' })] };
    expect(report(parse(line), EXIT_0)).toMatchObject({ ok: false, infrastructure: null });
    expect(parse({ ...line, willRetry: true })).toEqual([]);
  });
});

describe('the hook of pi', () => {
  const hook = pi.hook as SocketHook;

  it('is an extension in the folder of the hook', () => {
    const request = {
      prompt: 'p',
      promptFile: 'p.md',
      cwd: '/repo',
      model: null,
      extraArgs: ['--x'],
      resume: null,
      session: '00000000-0000-8000-8000-000000000001',
      title: 'Write the parser',
      boxed: false,
      reportFile: '/state/report.json',
    };
    const place = {
      folder: '/state/gate',
      client: 'c',
      socket: '/state/"s"',
      token: 'word',
      patienceSeconds: 9,
    };
    const { argv, files } = pi.plan({ ...request, env: {}, hook: place });
    expect(argv.slice(-3)).toEqual(['-e', '/state/gate/hook.ts', '--x']);
    expect(files?.map(({ name }) => name)).toEqual(['hook.ts']);
    expect(files?.[0]?.content).toContain(JSON.stringify(place.socket));
    expect(pi.plan({ ...request, env: {}, hook: null }).files).toEqual([]);
  });

  it('finds a call of the stream again by its number', () => {
    const question = { kind: 'action', tool: 'bash', id: 'call_1', input: { command: 'ls' } };
    const message = hook.read(JSON.stringify(question));
    if (message.kind !== 'action') throw new Error(message.kind);
    const [call] = parse({ type: 'tool_execution_start', toolCallId: 'call_1', toolName: 'bash', args: {} });
    if (call?.kind !== 'tool_call') throw new Error('no call');
    expect(hook.key(call.action)).toBe(hook.key(message.action));
  });
});
