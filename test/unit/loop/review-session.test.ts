import { NO_OWN_FILES } from 'ralph-actions/forms/place';
import type { ReviewRecord } from 'ralph-actions/forms/record';
import { ADAPTERS } from 'ralph-agents';
import type { AgentEvent } from 'ralph-agents/event';
import { type Action, waitsForApproval } from 'ralph-kit/actions/action';
import { redact } from 'ralph-kit/redact';
import { describe, expect, it } from 'vitest';
import type { Halt } from '../../../src/domain/ports.ts';
import { hookProblem, planReview } from '../../../src/loop/watch/plan-review.ts';
import {
  hookLost,
  openReview,
  type PlannedReview,
  type ReviewOptions,
} from '../../../src/loop/watch/review-session.ts';
import { actionOf } from '../../helpers/action.ts';
import { REVIEWER } from '../../helpers/reviewing.ts';

const { claude } = ADAPTERS;

const HOOK: PlannedReview = { mode: 'hook', contract: claude.hook };
const DETECT: PlannedReview = { mode: 'detect', why: 'it cannot be made to ask' };
const place = {
  root: '/repo',
  home: '/home/me',
  protectedFolders: [],
  restricted: null,
  realPath: (path: string) => path,
  tmpdir: { path: '/tmp', own: false },
  bornAt: (): number | null => null,
  textSince: (): string | null => null,
  entries: (): string[] => [],
};

const OUTSIDE = 'rm -r /home/me/documents';
const action = (id: string | null, command = 'npm test', tool = 'Bash'): Action =>
  actionOf(tool, tool === 'Bash' ? { command } : { file_path: command }, { id });

/** What happened, in order: `ask` comes over the gate, the rest in the stream. */
type Step = AgentEvent | { readonly kind: 'ask'; readonly action: Action } | { readonly kind: 'ready' };
const ask = (id: string, command?: string): Step => ({ kind: 'ask', action: action(id, command) });
const call = (id: string | null, command?: string, tool?: string): Step => ({
  kind: 'tool_call',
  action: action(id, command, tool),
});
const ended = (id: string | null, ok = true): Step => ({ kind: 'tool_result', id, ok, output: '' });
const turnedDown = (id: string): Step => ({
  kind: 'tool_result',
  id,
  ok: false,
  output: '',
  refused: true,
});
const result = (ok = true): Step => ({ kind: 'result', ok, text: null });
const look = (id: string, path: string): Step => ({ kind: 'ask', action: action(id, path, 'Read') });
const write = (id: string, path: string): Step => ({ kind: 'ask', action: action(id, path, 'Write') });
const READY: Step = { kind: 'ready' };

async function review(
  steps: readonly Step[],
  planned = HOOK,
  requireGate = false,
  more: Partial<ReviewOptions> = {},
) {
  const rulings: ReviewRecord[] = [];
  const session = openReview({
    review: planned,
    ...REVIEWER,
    requireGate,
    place,
    onReview: (record) => rulings.push(record),
    ...more,
  });
  for (const step of steps) {
    if (step.kind === 'ask') await session.onMessage({ kind: 'action', request: '1', action: step.action });
    else if (step.kind === 'ready') await session.onMessage({ kind: 'ready' });
    else session.onEvent(step);
  }
  const facts = await session.facts();
  const halt = await Promise.race([session.halted, Promise.resolve(null as Halt | null)]);
  return { facts, halt, rulings };
}

describe('with a hook', () => {
  it.each<[string, Step[], { allowed: number; denied: number }]>([
    ['an allowed call', [READY, call('1'), ask('1'), ended('1')], { allowed: 1, denied: 0 }],
    ['one that failed', [READY, call('1'), ask('1'), ended('1', false)], { allowed: 1, denied: 0 }],
    [
      'asked before the stream reports it',
      [READY, ask('1'), call('1'), ended('1')],
      { allowed: 1, denied: 0 },
    ],
    [
      'a denied call',
      [READY, call('1', OUTSIDE), ask('1', OUTSIDE), ended('1', false)],
      { allowed: 0, denied: 1 },
    ],
    ['a question alone as the handshake', [ask('1'), call('1'), ended('1')], { allowed: 1, denied: 0 }],
    ['a call whose end is not told', [READY, call('1'), ask('1'), result()], { allowed: 1, denied: 0 }],
    ['a call that was cut off before it asked', [READY, call('1'), result(false)], { allowed: 0, denied: 0 }],
    ['a call that only reads', [READY, call('1', 'a.ts', 'Read'), ended('1')], { allowed: 0, denied: 0 }],
    ['an unknown tool', [READY, call('1', 'x', 'mcp__a__b'), ended('1')], { allowed: 0, denied: 0 }],
    [
      'a path that the hook made plain',
      [READY, write('1', '/repo/src/a.ts'), call('1', '@src/a.ts', 'Write'), ended('1')],
      { allowed: 1, denied: 0 },
    ],
    ['one asked for twice', [READY, ask('1'), ask('1'), call('1'), ended('1')], { allowed: 2, denied: 0 }],
    ['an end without a call', [READY, ended('9')], { allowed: 0, denied: 0 }],
  ])('lets %s be', async (_, steps, counts) => {
    const { facts, halt } = await review(steps);
    expect(halt).toBeNull();
    expect(facts).toMatchObject({ mode: 'hook', unreviewed: null, ...counts });
  });

  it.each<[string, Step[]]>([
    ['never asked', [READY, call('1'), ended('1')]],
    ['denied, and happened', [READY, call('1', OUTSIDE), ask('1', OUTSIDE), ended('1', true)]],
    ['of another number than was asked for', [READY, ask('1'), call('2'), ended('2')]],
    ['asked for as another command', [READY, ask('1'), call('1', 'npm publish'), ended('1')]],
    ['asked for as more of it', [READY, ask('1'), call('1', 'npm test; npm publish'), ended('1')]],
    ['asked for as another tool', [READY, ask('1'), call('1', 'a.ts', 'Write'), ended('1')]],
    ['asked for as a look', [READY, look('1', 'a.ts'), call('1', 'a.ts', 'Write'), ended('1')]],
    ['asked for with another file', [READY, write('1', 'a.ts'), call('1', 'b.ts', 'Write'), ended('1')]],
    ['asked for once, and done twice', [READY, ask('1'), call('1'), ended('1'), call('1'), ended('1')]],
    ['asked for after it was done', [READY, call('1'), ended('1'), ask('1')]],
    [
      'allowed, after one of its number was denied',
      [READY, ask('1', OUTSIDE), ask('1'), call('1', OUTSIDE), ended('1')],
    ],
    ['a writing tool', [READY, call('1', 'a.ts', 'Write'), ended('1')]],
    ['found at the end only', [READY, call('1'), result()]],
    ['of two without a number', [READY, ask('1'), call(null), call(null), ended(null)]],
  ])('ends the attempt for an action %s', async (_, steps) => {
    const { facts, halt } = await review(steps);
    expect(halt?.why).toBe('unreviewed_action');
    expect(facts.unreviewed).not.toBeNull();
    expect(facts.mode).toBe('hook');
    expect(hookLost(HOOK, facts)).toContain('without having been allowed');
  });

  it('ends the attempt for one that failed without having been asked for, and stays for the next attempt', async () => {
    const { facts, halt } = await review([READY, call('1'), ended('1', false)]);
    expect(halt?.why).toBe('unreviewed_action');
    expect(facts).toMatchObject({ mode: 'hook', unreviewed: { failed: true } });
    expect(hookLost(HOOK, facts)).toBeNull();
  });

  it('is lost with an action that happened, whatever failed before it', async () => {
    const steps = [READY, call('1'), call('2'), ended('1', false), ended('2')];
    const { facts } = await review(steps);
    expect(hookLost(HOOK, facts)).toContain('without having been allowed');
  });

  it('has nothing to say of a call that the agent turned down itself', async () => {
    const { facts, halt } = await review([READY, call('1', OUTSIDE), turnedDown('1')], HOOK, true);
    expect(halt).toBeNull();
    expect(facts).toMatchObject({ mode: 'hook', unreviewed: null, allowed: 0, denied: 0 });
    const early = await review([call('1'), turnedDown('1')], HOOK, true);
    expect(early).toMatchObject({ halt: null, facts: { mode: 'hook' } });
  });

  it('is answered too late: the agent turns the call down, and the question counts', async () => {
    const { facts, halt } = await review([READY, call('1', OUTSIDE), turnedDown('1'), ask('1', OUTSIDE)]);
    expect(halt).toBeNull();
    expect(facts).toMatchObject({ unreviewed: null, denied: 1 });
  });

  it('that the agent took no notice of, watches instead', async () => {
    const harmless = await review([call('1'), ended('1'), call('2'), ended('2')]);
    expect(harmless.halt).toBeNull();
    expect(harmless.facts).toMatchObject({ mode: 'detect', proven: false, unreviewed: null, allowed: 2 });
    expect(hookLost(HOOK, harmless.facts)).toBe("claude didn't report that its hook is in force");
    const harmful = await review([call('1'), ended('1'), call('2', OUTSIDE)]);
    expect(harmful.halt?.why).toBe('denied_action');
  });

  it('that has to be there and is not, ends the attempt with the first action', async () => {
    const { halt, facts } = await review([call('1'), ended('1')], HOOK, true);
    expect(halt?.message).toContain('require_gate');
    expect(facts.mode).toBe('detect');
  });

  it('names the first of many denied actions, and counts all', async () => {
    const asked = Array.from({ length: 60 }, (_, number) => ask(String(number), `${OUTSIDE}/${number}`));
    const { facts, rulings } = await review([READY, ...asked]);
    expect(facts.denied).toBe(60);
    expect(facts.blocked).toHaveLength(50);
    expect(rulings).toHaveLength(60);
  });
});

it('says a warning again when the call is over, for agents that hear it only then', async () => {
  const session = openReview({
    review: HOOK,
    ...REVIEWER,
    requireGate: false,
    place,
    onReview: () => undefined,
  });
  const one = action('1', 'rm -r old');
  expect(await session.onMessage({ kind: 'action', request: '', action: one })).toMatchObject({
    decision: 'warn',
  });
  expect(await session.onMessage({ kind: 'done', request: '', action: one })).toMatchObject({
    decision: 'warn',
  });
  expect(await session.onMessage({ kind: 'done', request: '', action: one })).toEqual({ decision: 'allow' });
});

describe('a command that ran as another one', () => {
  const ran = async (id: string | null, command: string) => {
    const seen: [string, string | null][] = [];
    const session = openReview({
      ...{ review: HOOK, ...REVIEWER, requireGate: false, place, onReview: () => undefined },
      onRewritten: (asked, { command: now }) => seen.push([asked, now]),
    });
    await session.onMessage({ kind: 'action', request: '', action: action('1', 'npm test') });
    await session.onMessage({ kind: 'done', request: '', action: action(id, command) });
    await session.facts();
    const halt = await Promise.race([session.halted, Promise.resolve(null as Halt | null)]);
    return { seen, halt };
  };

  it('is named, and judged as it ran', async () => {
    expect(await ran('1', 'npm run lint')).toEqual({ seen: [['npm test', 'npm run lint']], halt: null });
    expect((await ran('1', OUTSIDE)).halt).toMatchObject({ why: 'denied_action' });
  });

  it.each([
    ['the same', '1', 'npm test'],
    ['the same with space around it', '1', ' npm test\n'],
    ['one that was never asked', '2', 'npm run lint'],
    ['one without a number', null, 'npm run lint'],
  ])("%s isn't one", async (_what, id, command) => {
    expect((await ran(id, command)).seen).toEqual([]);
  });
});

describe('without a hook', () => {
  it('judges what the stream reports, and ends what is denied', async () => {
    const { facts, halt } = await review([call('1'), call('2', OUTSIDE), call('3')], DETECT);
    expect(halt).toMatchObject({ why: 'denied_action', message: expect.stringContaining(OUTSIDE) });
    expect(facts).toMatchObject({ mode: 'detect', why: DETECT.why, allowed: 2, denied: 1, unreviewed: null });
    expect(hookLost(DETECT, facts)).toBeNull();
  });

  it('or with none wanted, reviews nothing', async () => {
    const off: PlannedReview = { mode: 'off', why: 'it is not wanted' };
    const { facts, halt } = await review([call('1', OUTSIDE), ended('1')], off);
    expect(halt).toBeNull();
    expect(facts).toMatchObject({ mode: 'off', allowed: 0, denied: 0 });
  });
});

it('a line of the rulings holds no secret', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const command = `curl -H "Authorization: Bearer ${secret}" x`;
  const hide = (text: string) => redact(text, []);
  const { rulings } = await review([READY, ask('1', command)], HOOK, false, { hide });
  expect(JSON.stringify(rulings)).not.toContain(secret);
  expect(rulings).toMatchObject([{ id: 'R-1-1', call: '1', tool: 'Bash' }]);
});

describe('planReview', () => {
  const setup = {
    requireGate: true,
    hookFolder: '/state',
    placeIn: () => place,
    tmpdir: place.tmpdir,
    trustedGit: { git: NO_OWN_FILES.git },
    rules: [],
    askRules: async () => [],
  };
  const streaming = { name: 'mine', output: 'claude-stream', hook: null } as const;
  const plain = { name: 'mine', output: 'text', hook: null } as const;

  it.each([
    ['an agent with a hook', claude, setup, null, 'hook'],
    ["one whose hook isn't in force", claude, setup, 'it went around it', 'detect'],
    ['one without a hook', streaming, setup, null, 'detect'],
    ['one that prints plain text', plain, setup, null, 'off'],
    ["any, where it isn't wanted", claude, null, null, 'off'],
  ] as const)('%s', (_, adapter, wanted, lost, mode) => {
    const planned = planReview(adapter, wanted, lost);
    expect(planned.mode).toBe(mode);
    if (planned.mode !== 'hook') expect(planned.why).not.toBe('');
    expect(hookProblem('mine', planned, wanted) === null).toBe(mode === 'hook' || wanted === null);
    const lenient = { ...setup, requireGate: false };
    expect(hookProblem('mine', planned, lenient)).toBeNull();
  });
});

describe('where you approve each action', () => {
  const asked: string[] = [];
  const approve = (answer: 'allow' | 'deny') => async (one: Action) => {
    asked.push(`${one.tool} ${one.command ?? ''}`.trim());
    return answer === 'allow'
      ? ({ decision: 'allow' } as const)
      : ({ decision: 'deny', rule: 'manual_intervention', reason: 'not yet', harmless: true } as const);
  };
  const approvals = (answer: 'allow' | 'deny') => ({
    ...{ everyAction: true, concerns: waitsForApproval, approve: approve(answer) },
  });

  it.each<[string, Action, 'allow' | 'deny', string[], string]>([
    ['a command waits', action('1'), 'allow', ['Bash npm test'], 'allow'],
    ['a command that is rejected', action('1'), 'deny', ['Bash npm test'], 'deny'],
    ['a write waits', action('1', 'a.ts', 'Write'), 'deny', ['Write'], 'deny'],
    ['an unknown tool waits', action('1', 'x', 'mcp__a__b'), 'deny', ['mcp__a__b'], 'deny'],
    ['a look passes', action('1', 'a.ts', 'Read'), 'deny', [], 'allow'],
    ['what the review denies is not asked', action('1', OUTSIDE), 'allow', [], 'deny'],
  ])('%s', async (_what, one, answer, expected, decision) => {
    asked.length = 0;
    const session = openReview({
      ...{ review: HOOK, ...REVIEWER, place, onReview: () => undefined },
      approvals: approvals(answer),
    });
    session.onMessage({ kind: 'ready' });
    const ruling = await session.onMessage({ kind: 'action', request: '1', action: one });
    expect(asked).toEqual(expected);
    expect(ruling.decision).toBe(decision);
    const isReview = expected.length === 0 && decision === 'deny';
    expect(await session.facts()).toMatchObject({
      allowed: decision === 'allow' ? 1 : 0,
      denied: isReview ? 1 : 0,
      harmless: decision === 'deny' && !isReview ? 1 : 0,
    });
    session.onEvent({ kind: 'tool_call', action: one });
    session.onEvent({ kind: 'tool_result', id: '1', ok: decision === 'allow', output: '' });
    expect((await session.facts()).unreviewed).toBeNull();
  });

  it('an action that was rejected and happened all the same ends the attempt', async () => {
    const session = openReview({
      ...{ review: HOOK, ...REVIEWER, place, onReview: () => undefined, approvals: approvals('deny') },
    });
    session.onMessage({ kind: 'ready' });
    await session.onMessage({ kind: 'action', request: '1', action: action('1') });
    session.onEvent({ kind: 'tool_call', action: action('1') });
    session.onEvent({ kind: 'tool_result', id: '1', ok: true, output: '' });
    expect(await session.halted).toMatchObject({ why: 'unreviewed_action' });
  });

  it('where only some wait, an agent that is only watched continues', async () => {
    const session = openReview({
      ...{ review: DETECT, ...REVIEWER, place, onReview: () => undefined },
      approvals: { ...approvals('deny'), everyAction: false },
    });
    session.onEvent({ kind: 'tool_call', action: action('2') });
    await session.facts();
    expect(await Promise.race([session.halted, Promise.resolve(null)])).toBeNull();
  });

  it('an agent that is only watched is ended with its first action', async () => {
    const session = openReview({
      ...{ review: DETECT, ...REVIEWER, place, onReview: () => undefined, approvals: approvals('allow') },
    });
    session.onEvent({ kind: 'tool_call', action: action('1', 'a.ts', 'Read') });
    session.onEvent({ kind: 'tool_call', action: action('2') });
    expect(await session.halted).toMatchObject({ why: 'denied_action' });
  });
});
