import { describe, expect, it } from 'vitest';
import { notificationOf, waitingNotification, waitsIn } from '../../../src/decide/index.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import { isKept } from '../../../src/domain/entry.ts';
import { type GateRequest, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import { waitsKey } from '../../../src/domain/notification.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { blockedRecord, finished, numbered, RUN, started } from '../state/records.ts';

const DECIDING = { human: HumanSettings.parse({}), hasBudget: false };

const request = (more: Partial<GateRequest> = {}): GateRequest => ({
  id: 'G-1',
  gate: 'GATE-AP-RECOVERY',
  facts: { ...NO_GATE_FACTS, taskId: 'A', title: 'One' },
  triggers: [{ gate: 'GATE-AP-RECOVERY', name: 'recovery_attempts', text: '3 of 3 attempts' }],
  action: null,
  ...{ at: '2026-01-20T00:01:00.000Z', run: 'r-1', iteration: 1, diffSha256: null, deadline: null },
  ...{ onTimeout: 'block', recoveryLimit: 3, escalated: false, notes: [] },
  ...more,
});
const action = (id: string, iteration: number) =>
  request({
    ...{ id, gate: 'MANUAL', iteration },
    action: { tool: 'Bash', shown: `rm ${id}`, detail: '', sha256: id },
  });
const opened = (one: GateRequest): JournalBody => ({ type: 'human_gate_opened', request: one });
const asks = finished(1, {
  blocked: blockedRecord({ reason: 'agent_reported_blocked', detail: 'Which port?', iteration: 1 }),
});
const incident = (scope: 'run' | 'task'): JournalBody => ({
  type: 'incident_opened',
  incident: {
    ...{ id: 'INC-1', at: '2026-01-20T00:01:00.000Z', run: 'r-1', iteration: 1, taskId: 'A', issue: 'x' },
    ...{ severity: 'high', summary: 'It left the repository.', scope, resolved: null },
  },
  plan: ['Look at it.'],
});
const stop = (kind: 'break' | 'budget', times: number): JournalBody => ({
  type: 'policy_stopped',
  stop: { kind, run: 'r-1', reason: '3 tasks in a row blocked', trigger: null, times },
  event: null,
});

/** The state after the entries of one commit, and what is sent because of it. */
function sent(...entries: readonly Entry[]) {
  const before = foldRecords(EMPTY_STATE, numbered([RUN, started(1)]));
  const state = foldRecords(before, numbered(entries.filter(isKept), 3));
  return { state, titles: titlesOf(entries, state) };
}

function titlesOf(entries: readonly Entry[], state: State): string[] {
  return entries.flatMap((entry) => notificationOf(entry, state, DECIDING)?.title ?? []);
}

const TABLE: readonly (readonly [string, readonly Entry[], readonly string[]])[] = [
  ['an attempt that ended otherwise', [finished(1)], []],
  ['a question', [asks], ['ralph: the agent asks about A']],
  [
    'a task that waits',
    [finished(1, { taskStatus: 'parked', parkedBecause: 'no way back' })],
    ['ralph: task A waits for you'],
  ],
  [
    'a task that waits at a gate',
    [finished(1, { taskStatus: 'parked', parkedBecause: 'G-1' }), opened(request())],
    ['ralph: task A waits for you (G-1)'],
  ],
  [
    'a task that waits for its emergency stop',
    [finished(1, { taskStatus: 'parked', parkedBecause: 'INC-1' }), incident('task')],
    ['ralph: task A waits for you (INC-1)'],
  ],
  ['an emergency stop', [incident('run')], ['ralph: emergency stop INC-1 at task A']],
  [
    'actions of two attempts: the first of each',
    [opened(action('G-1', 1)), opened(action('G-2', 1)), opened(action('G-3', 2))],
    ['ralph: an action of A waits for you (G-1)', 'ralph: an action of A waits for you (G-3)'],
  ],
  ['a break', [stop('break', 1)], ['ralph: stopped, and needs you']],
  ['a budget that the next run begins anew', [stop('budget', 1)], []],
  ['a budget that was reached again and again', [stop('budget', 3)], ['ralph: limits reached (budget)']],
  [
    'what is no more than worth knowing',
    [{ type: 'false_positives_told', patterns: ['a'], texts: ['a'] }],
    [],
  ],
];

describe('a notification', () => {
  it.each(TABLE)('of %s', (_what, entries, titles) => {
    expect(sent(...entries).titles).toEqual(titles);
  });

  it('says cause, place of the work and command', () => {
    const { state } = sent(asks);
    expect(notificationOf(asks, state, DECIDING)).toMatchObject({
      text: 'Which port?',
      next: ['ralph answer A "…"'],
      waits: { kind: 'question', taskId: 'A', iteration: 1, answerable: { ok: true, choices: [] } },
    });
  });

  it('is the same after the run that opened what waits was killed', () => {
    for (const [, entries, titles] of TABLE) {
      const { state } = sent(...entries);
      const again = waitsIn(state).map((waits) => waitingNotification(waits, state, DECIDING)?.title);
      const isLive = (title: string) => !title.includes('an action of') && !title.includes('emergency stop');
      expect(again).toEqual(titles.filter(isLive));
    }
  });

  it('is another one for each new question', () => {
    const keys = [
      { kind: 'question', taskId: 'A', iteration: 1 },
      { kind: 'question', taskId: 'A', iteration: 2 },
      { kind: 'task', taskId: 'A', iteration: 1 },
      { kind: 'gate', taskId: 'A', request: 'G-1', escalated: false },
      { kind: 'gate', taskId: 'A', request: 'G-1', escalated: true },
    ] as const;
    expect(new Set(keys.map(waitsKey)).size).toBe(keys.length);
  });
});

describe('an answer from a chat', () => {
  const answerable = (entry: JournalBody, deciding = DECIDING) =>
    notificationOf(entry, sent(entry).state, deciding)?.waits?.answerable;
  const names = (entry: JournalBody) => {
    const one = answerable(entry);
    return one?.ok === true ? one.choices.map(({ name }) => name) : null;
  };

  it('decides what needs no signature', () => {
    expect(names(opened(request()))).toEqual(['approve', 'reject', 'retry', 'abort']);
    expect(names(opened(request({ gate: 'GATE-AP-DESTRUCTIVE' })))).toEqual(['approve', 'reject', 'abort']);
    expect(names(stop('break', 1))).toEqual(['resume']);
  });

  const critical = { ...NO_GATE_FACTS, taskId: 'A', severity: 'critical' as const };
  const people = HumanSettings.parse({ people: { 'ada@example.com': { role: 'tech_lead' } } });
  it.each([
    ['a signature', opened(request({ gate: 'GATE-AP-DESTRUCTIVE', facts: critical })), DECIDING],
    ['the role of a user', opened(request()), { ...DECIDING, human: people }],
    ['an emergency stop', incident('task'), DECIDING],
    ['an emergency stop of all runs', incident('run'), DECIDING],
    ['a new budget', stop('budget', 3), { ...DECIDING, hasBudget: true }],
    ['a new budget after a break', stop('break', 1), { ...DECIDING, hasBudget: true }],
  ])('decides nothing where it takes %s', (_what, entry, deciding) => {
    expect(answerable(entry, deciding)).toMatchObject({ ok: false, why: expect.stringMatching(/\.$/) });
  });
});
