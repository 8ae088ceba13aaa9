import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adapterFor } from 'ralph-agents';
import type { AgentEvent, HookMessage } from 'ralph-agents/event';
import type { Ruling } from 'ralph-kit/actions/action';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const AGENT = fileURLToPath(new URL('../../helpers/acp-agent.mjs', import.meta.url));
const DENY: Ruling = { decision: 'deny', rule: 'test', reason: 'Not this.' };

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

type Trial = {
  readonly onMessage?: (message: HookMessage) => Ruling | Promise<Ruling>;
  readonly log?: string;
  readonly resume?: string;
  readonly wallMs?: number;
  readonly stop?: ReturnType<typeof manualStop>;
};

/** Runs an agent that takes these steps; what it was told is in its log. */
async function speak(steps: readonly string[], trial: Trial = {}) {
  const log = join(folder, trial.log ?? 'heard.log');
  writeFileSync(log, '');
  writeFileSync(join(folder, 'prompt.md'), 'Do it.');
  const argv = [process.execPath, AGENT, log, ...steps];
  const choice = adapterFor('mine', { mine: { argv, protocol: 'acp' } });
  if (!choice.ok || choice.adapter.hook === null) throw new Error('no adapter');
  const { adapter } = choice;
  const request = agentRequest(folder, argv as [string, ...string[]]);
  const plan = adapter.plan({
    ...{ prompt: '', promptFile: request.promptFile, cwd: folder, model: null, extraArgs: [], env: {} },
    ...{ resume: trial.resume ?? null, title: '', boxed: false, hook: null, session: '', reportFile: '' },
  });
  const events: AgentEvent[] = [];
  const asked: HookMessage[] = [];
  const proc = openProc({ clock: systemClock(), env: { PATH: process.env.PATH }, root: folder });
  const { end } = await proc.runAgent({
    ...request,
    plan,
    parse: adapter.open?.() ?? adapter.parse,
    hook: {
      contract: choice.adapter.hook,
      folder: join(folder, 'hooks'),
      plan: () => plan,
      onMessage: (message) => {
        asked.push(message);
        return trial.onMessage?.(message) ?? { decision: 'allow' };
      },
    },
    stop: trial.stop ?? manualStop(),
    limits: { wallMs: trial.wallMs ?? 30_000, idleMs: 0, graceMs: 3000 },
    onEvent: (event) => events.push(event),
  });
  const heard = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line || 'null'));
  const of = <K extends AgentEvent['kind']>(kind: K) =>
    events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);
  return { end, events, asked, heard, of };
}

describe('an agent that speaks the Agent Client Protocol', () => {
  it('is told the prompt, asks, acts, and what it did and used is known', async () => {
    const { end, of, asked, heard } = await speak([
      'noise starting',
      'say I work.',
      'run touch made',
      'say Done.',
    ]);
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(heard).toEqual([{ prompt: readFileSync(join(folder, 'prompt.md'), 'utf8') }]);
    expect(existsSync(join(folder, 'made'))).toBe(true);
    expect(asked).toMatchObject([
      { kind: 'action', action: { kind: 'system_command', command: 'touch made' } },
    ]);
    expect(of('text').map(({ text }) => text)).toEqual(['I work.', 'Done.']);
    expect(of('tool_result')).toMatchObject([{ id: 'call-touch made', ok: true }]);
    expect(of('usage')).toMatchObject([{ scope: 'add', usage: [{ inputTokens: 10, outputTokens: 2 }] }]);
    expect(of('session')).toEqual([{ kind: 'session', id: 's-1' }]);
    expect(of('result')).toEqual([{ kind: 'result', ok: true, text: null }]);
  });

  it('does not do what is refused, gets the reason, and continues', async () => {
    const { heard, of } = await speak(['run touch made', 'say Another way.'], {
      onMessage: ({ kind }) => (kind === 'action' ? DENY : { decision: 'allow' }),
    });
    expect(existsSync(join(folder, 'made'))).toBe(false);
    expect(heard[1].prompt).toContain('Not this.');
    expect(of('text').map(({ text }) => text)).toEqual(['Another way.']);
    expect(of('result').at(-1)).toEqual({ kind: 'result', ok: true, text: null });
  });

  it.each([
    ['the reviewer fails', ['run touch made'], () => Promise.reject(new Error('broken'))],
    ['the question does not say what would happen', ['blind'], () => ({ decision: 'allow' }) as const],
    ['no answer allows this once alone', ['onlyalways'], () => ({ decision: 'allow' }) as const],
  ])('refuses where %s', async (_, steps, onMessage) => {
    const { heard } = await speak(steps, { onMessage });
    expect(existsSync(join(folder, 'made'))).toBe(false);
    expect(JSON.stringify(heard)).not.toMatch(/"optionId":"(?:yes|always)"/);
  });

  it('refuses what is asked for after the end', async () => {
    await speak(['say Done.'], { log: 'late.log' });
    expect(existsSync(join(folder, 'late'))).toBe(false);
  });

  it.each([
    ['crashes', 'crash', { kind: 'exited', code: 3 }, /ended before it had answered/],
    ['leaves in the middle', 'leave', { kind: 'exited', code: 0 }, /ended before it had answered/],
    [
      "prints what isn't a message",
      'malformed',
      { kind: 'exited', code: 0 },
      /a message that isn't one of the protocol/,
    ],
  ])('has failed when it %s', async (_, step, ended, message) => {
    const { end, of } = await speak([step, 'wait']);
    expect(end).toEqual(ended);
    expect(of('error')[0]?.message).toMatch(message);
    expect(of('result')).toEqual([{ kind: 'result', ok: false, text: null }]);
  });

  it.each([
    ['speaks another version', 'old', /^mine: it speaks version 0 of the protocol, and ralph 1$/],
    ['opens no session', 'unset', /^Internal error: GOOSE_PROVIDER is not set$/],
    ['ends before it has opened one', 'absent', /^mine ended before it had answered$/],
  ])('is not started where it %s: no attempt', async (_, step, message) => {
    const { end } = await speak([step]);
    expect(end).toEqual({
      kind: 'spawn_failed',
      code: 'no session',
      message: expect.stringMatching(message),
    });
  });

  it('is signed in by what needs no person, and by nothing else', async () => {
    const { end, heard, of } = await speak(['keyed', 'say Done.']);
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(heard.filter((line) => 'methodId' in line)).toEqual([{ methodId: 'some-api-key' }]);
    expect(of('text').map(({ text }) => text)).toEqual(['Done.']);
    expect(of('error')).toEqual([]);
  });

  it('names the ways to sign in where each needs one', async () => {
    const { end, heard, of } = await speak(['personal', 'say Done.']);
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(heard).toEqual([null]);
    expect(of('error')).toMatchObject([
      {
        cause: 'auth',
        message: 'Authentication required. It takes: Log in (Opens a browser); Enterprise',
      },
    ]);
  });

  it.each([
    ['is not signed in', 'signedout', 'auth'],
    ['is at its limit', 'limited', 'throttled'],
  ])('is known to be no use when it opens no session because it %s', async (_, step, cause) => {
    const { of } = await speak([step], { resume: 's-0' });
    expect(of('error')).toMatchObject([{ cause, fatal: true }]);
    expect(of('result')).toEqual([{ kind: 'result', ok: false, text: null }]);
    expect(of('text')).toEqual([]);
  });

  it('is asked to stop before it gets a signal', async () => {
    const { end, heard } = await speak(['wait'], { wallMs: 4000 });
    expect(end).toMatchObject({ kind: 'timed_out', which: 'wall' });
    expect(heard.at(-1)).toBe('cancelled');
  });

  it('continues a session, whose past counts for nothing', async () => {
    const { of } = await speak(['say Again.'], { resume: 's-0' });
    expect(of('session')).toEqual([{ kind: 'session', id: 's-0' }]);
    expect(of('tool_call')).toEqual([]);
    expect(of('text').map(({ text }) => text)).toEqual(['Again.']);
  });

  it('reports a limit of its service', async () => {
    const { of } = await speak(['error Too many requests']);
    expect(of('limit')).toMatchObject([{ message: 'Too many requests' }]);
    expect(of('result')).toEqual([{ kind: 'result', ok: false, text: null }]);
  });
});
