import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answeringChats } from '../../../src/app/commands/human/answer-chat.ts';
import { inWorkspace } from '../../../src/app/setup/workspace.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import type { Waits } from '../../../src/domain/notification.ts';
import type { State } from '../../../src/domain/records/state.ts';
import { openGate } from '../../helpers/open-gate.ts';
import { PROJECT_FILES } from '../../helpers/project-files.ts';
import { makeRepository } from '../../helpers/repository.ts';
import { blockedRecord, finished, RUN, started } from '../../unit/state/records.ts';

const BY = 'telegram: Ada (@ada)';
const GATE: Waits = { kind: 'gate', taskId: 'T-1', request: 'G-1', escalated: false };

function project(more = ''): string {
  const toml = `${PROJECT_FILES['.ralph/ralph.toml']}${more}`;
  return makeRepository({ ...PROJECT_FILES, '.ralph/ralph.toml': toml }).root;
}

async function commit(cwd: string, ...entries: readonly Entry[]): Promise<void> {
  const done = await inWorkspace({ cwd }, ({ store }) => {
    store.commit(() => entries);
    return { ok: true as const };
  });
  if (!done.ok) throw new Error(done.message);
}

async function stateOf(cwd: string): Promise<State> {
  let state: State | null = null;
  await inWorkspace({ cwd }, ({ store }) => {
    state = store.state;
    return { ok: true as const };
  });
  if (state === null) throw new Error('there is no state');
  return state;
}

const say = (cwd: string, waits: Waits, given: { choice?: string; words?: string }, isRunning = false) =>
  answeringChats({ cwd, flags: {} }, isRunning)({ waits, choice: null, words: '', ...given, by: BY });

async function atGate(gate: Parameters<typeof openGate>[1], severity: 'low' | 'critical' = 'low', more = '') {
  const cwd = project(more);
  await openGate(cwd, gate, { taskId: 'T-1', severity, patterns: ['test_skip'], files: ['a.test.ts'] });
  return cwd;
}

async function asking(iteration = 1) {
  const cwd = project();
  const blocked = blockedRecord({ reason: 'agent_reported_blocked', detail: 'Which port?', iteration });
  await commit(cwd, RUN, started(iteration, 'T-1'), finished(iteration, { taskId: 'T-1', blocked }));
  return cwd;
}

describe('an answer at a gate', () => {
  it.each([
    ['GATE-AP-RECOVERY', { choice: 'retry' }, 'retry'],
    ['GATE-AP-DESTRUCTIVE', { words: 'suggest: move the test' }, 'suggest'],
    ['GATE-AP-DESTRUCTIVE', { words: 'Reject, it is needed' }, 'reject'],
  ] as const)('%s: %j', async (gate, given, option) => {
    const cwd = await atGate(gate);
    expect(await say(cwd, GATE, given)).toEqual({ kind: 'counted', text: `G-1 is decided: ${option}.` });
    expect((await stateOf(cwd)).human.decided).toMatchObject([{ option, user: BY }]);
    // The answer counts only once.
    expect(await say(cwd, GATE, given)).toEqual({ kind: 'gone', text: 'it is no longer open.' });
  });

  it.each([
    ["a word that isn't an option", { words: 'maybe later' }, "isn't an option"],
    ['no reason where one is needed', { words: 'suggest' }, 'needs --guidance'],
    ['an agent that it may not start', { words: 'delegate claude' }, 'needs --agent'],
    ['what shows and decides nothing', { words: 'view' }, 'is still open'],
  ])('says %s, and decides nothing', async (_what, given, text) => {
    const gate = given.words.startsWith('delegate') ? 'GATE-AP-RECOVERY' : 'GATE-AP-DESTRUCTIVE';
    const cwd = await atGate(gate);
    const result = await say(cwd, GATE, given);
    expect(result).toMatchObject({ kind: 'refused' });
    if (gate === 'GATE-AP-DESTRUCTIVE') expect(result).toMatchObject({ text: expect.stringContaining(text) });
    expect((await stateOf(cwd)).human.requests).toHaveLength(1);
  });

  const PEOPLE = '[human.people."ada@example.com"]\nrole = "tech_lead"\n';
  it.each([
    ['needs a signature', 'GATE-AP-DESTRUCTIVE', 'critical', ''],
    ['is for the people that the settings name by now', 'GATE-AP-RECOVERY', 'low', PEOPLE],
  ] as const)('decides nothing where it %s', async (_what, gate, severity, more) => {
    const cwd = await atGate(gate, severity, more);
    expect(await say(cwd, GATE, { choice: 'approve' })).toMatchObject({ kind: 'refused' });
    expect((await stateOf(cwd)).human.requests).toHaveLength(1);
  });
});

describe('an answer to a question', () => {
  const question = (iteration: number): Waits => ({ kind: 'question', taskId: 'T-1', iteration });

  it('is given to the agent, and who gave it is on record', async () => {
    const cwd = await asking();
    expect(await say(cwd, question(1), { words: '8080' }, true)).toMatchObject({ kind: 'counted' });
    const { tasks, feedback } = await stateOf(cwd);
    expect(tasks['T-1']?.blocked).toBeNull();
    expect(readFileSync(join(cwd, '.ralph/journal.jsonl'), 'utf8')).toContain(`"answered by ${BY}"`);
    expect(feedback).toMatchObject([{ taskId: 'T-1', source: 'person', text: '8080' }]);
    expect(await say(cwd, question(1), { words: '9090' }, true)).toMatchObject({ kind: 'gone' });
  });

  it('is not given to a later question', async () => {
    const cwd = await asking(3);
    expect(await say(cwd, question(1), { words: '8080' })).toMatchObject({ kind: 'gone' });
    expect((await stateOf(cwd)).tasks['T-1']?.blocked).not.toBeNull();
  });
});

it('a task that waits is tried again by a button', async () => {
  const cwd = project();
  const parked = { taskId: 'T-1', taskStatus: 'parked', parkedBecause: 'no way back' } as const;
  await commit(cwd, RUN, started(1, 'T-1'), finished(1, parked));
  const waits: Waits = { kind: 'task', taskId: 'T-1', iteration: 1 };
  expect(await say(cwd, waits, { choice: 'retry' })).toEqual({
    kind: 'counted',
    text: 'T-1 is tried again.',
  });
  expect((await stateOf(cwd)).tasks['T-1']).toMatchObject({
    parked: false,
    history: [{ reason: `by ${BY}` }],
  });
});

describe('stopped runs', () => {
  const STOP: Waits = { kind: 'stop', run: 'r-1' };
  const stopped: Entry = {
    type: 'policy_stopped',
    stop: { kind: 'break', run: 'r-1', reason: '3 tasks in a row blocked', trigger: null, times: 1 },
    event: null,
  };

  it('continue when no run is active; before that the answer waits', async () => {
    const cwd = project();
    await commit(cwd, RUN, stopped);
    expect(await say(cwd, STOP, { choice: 'resume' }, true)).toEqual({ kind: 'later' });
    expect(await say(cwd, STOP, { words: 'go on' })).toMatchObject({ kind: 'refused' });
    expect(await say(cwd, STOP, { choice: 'resume' })).toEqual({ kind: 'counted', text: 'Runs continue.' });
    expect((await stateOf(cwd)).policy.stop).toBeNull();
  });

  it('get no new budget from a chat', async () => {
    const cwd = project('[budget]\nmoney = 5\n');
    await commit(cwd, RUN, stopped);
    expect(await say(cwd, STOP, { choice: 'resume' })).toMatchObject({
      kind: 'refused',
      text: expect.stringContaining('new budget'),
    });
    expect((await stateOf(cwd)).policy.stop).not.toBeNull();
  });
});

it('an emergency stop is not resolved', async () => {
  const cwd = project();
  await commit(cwd, RUN, {
    type: 'incident_opened',
    incident: {
      ...{ id: 'INC-1', at: '2026-01-20T00:01:00.000Z', run: 'r-1', iteration: 1, taskId: 'T-1', issue: 'x' },
      ...{ severity: 'high', summary: 'It left the repository.', scope: 'task', resolved: null },
    },
    plan: [],
  });
  const waits: Waits = { kind: 'incident', taskId: 'T-1', incident: 'INC-1' };
  expect(await say(cwd, waits, { choice: 'abort' })).toMatchObject({ kind: 'refused' });
  expect((await stateOf(cwd)).incidents).toMatchObject([{ resolved: null }]);
});
