import { describe, expect, it } from 'vitest';
import { RunEnding } from '../../../src/domain/exit.ts';
import type { IncidentSummary } from '../../../src/domain/incident.ts';
import { NO_COST, type PolicyStop } from '../../../src/domain/policy.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import type { DoneTask, UnfinishedTask } from '../../../src/domain/run-report.ts';
import { refusalBefore } from '../../../src/loop/start-run.ts';
import { continueCommand } from '../../../src/tell/commands.ts';
import { controlCenter } from '../../../src/tell/control-center.ts';
import { headlineOf } from '../../../src/tell/headline.ts';
import { type NextFacts, nextCommands } from '../../../src/tell/next-commands.ts';
import { waitingMessage } from '../../../src/tell/notification.ts';

const stopped = (kind: PolicyStop['kind'], times = 1): State => ({
  ...EMPTY_STATE,
  policy: { ...EMPTY_STATE.policy, stop: { kind, run: 'r-1', reason: 'because', trigger: null, times } },
});
const suspended: State = {
  ...EMPTY_STATE,
  profiles: { claude: { ...emptyProfile('claude'), suspended: 'too many false claims' } },
};

const open = (id: string, given: Partial<UnfinishedTask> = {}): UnfinishedTask => ({
  ...{ id, title: id, status: 'open', group: 'not_started', why: 'Not started.', failing: null, sameAs: [] },
  ...{ work: { kind: 'none' }, next: 'ralph run', waitsFor: [], recovery: [] },
  ...given,
});
const blocked = (id: string, next: string) => open(id, { status: 'blocked', group: 'you', next });
const done = (id: string, branch: string | null) =>
  ({ ...({ id, commits: ['abc'] } as unknown as DoneTask), branch }) satisfies DoneTask;
const waiting = (id: string, next: string) => ({ id, title: id, why: 'you hold it back.', next });

const NOTHING: NextFacts = {
  ...{ state: EMPTY_STATE, running: false, ending: null, open: [], waiting: [], done: [] },
};
const endedBy = (kind: NonNullable<NextFacts['ending']>['kind'], next: string[] | null = null) => ({
  ending: { kind, next },
});

describe('what helps now', () => {
  it.each<[string, Partial<NextFacts>, readonly string[]]>([
    ['while a run is active', { running: true, open: [open('T-1')] }, ['ralph logs --follow']],
    ['nothing at all', {}, ['ralph tasks']],
    ['tasks to start', { open: [open('T-1'), open('T-2')] }, ['ralph run']],
    ['what is left waits for another', { open: [open('T-1', { waitsFor: ['T-9'] })] }, ['ralph tasks']],
    ['one is blocked', { open: [blocked('T-1', 'ralph logs 3')] }, ['ralph logs 3']],
    [
      'several are blocked, and one could start',
      { open: [blocked('T-1', 'ralph logs 3'), blocked('T-2', 'ralph logs 6'), open('T-3')] },
      ['ralph blocked --suggest', 'ralph run'],
    ],
    [
      'decisions come before what is blocked',
      {
        open: [
          blocked('T-1', 'ralph logs 3'),
          open('T-2', { status: 'parked', group: 'you', next: 'ralph approvals decide G-1' }),
        ],
      },
      ['ralph approvals decide G-1', 'ralph logs 3'],
    ],
    [
      'results land first, by one command',
      {
        waiting: [waiting('T-1', 'ralph land'), waiting('T-2', 'ralph land T-2')],
        open: [open('T-3')],
        done: [done('T-4', null)],
      },
      ['ralph land', 'ralph run'],
    ],
    [
      'a few at most',
      {
        open: [1, 2, 3, 4].map((at) =>
          open(`T-${at}`, { group: 'you', next: `ralph approvals decide G-${at}` }),
        ),
      },
      [1, 2, 3].map((at) => `ralph approvals decide G-${at}`),
    ],
    [
      'after a break: one of what was blocked, then what lets runs continue',
      {
        ...endedBy('break'),
        state: stopped('break'),
        open: [blocked('T-1', 'ralph logs 3'), blocked('T-2', 'ralph logs 6'), open('T-3')],
      },
      ['ralph logs 6', 'ralph resume'],
    ],
    [
      'after a break that you resumed',
      { ...endedBy('break'), open: [blocked('T-1', 'ralph logs 3'), open('T-3')] },
      ['ralph logs 3', 'ralph run'],
    ],
    [
      'an agent that is suspended',
      {
        ...endedBy('break', ['ralph profile --agent claude --reinstate']),
        state: suspended,
        open: [open('T-1')],
      },
      ['ralph profile --agent claude --reinstate'],
    ],
    [
      'a budget that is spent',
      { ...endedBy('budget'), state: stopped('budget'), open: [open('T-1')] },
      ['ralph resume'],
    ],
    ['a budget that was raised', { ...endedBy('budget'), open: [open('T-1')] }, ['ralph run']],
    [
      'all is done, on your branch',
      { ...endedBy('all_done'), done: [done('T-1', 'ralph/T-1'), done('T-2', null)] },
      ['git log --stat -2'],
    ],
    [
      'the branch is named that has what was done, where it is not yours',
      { ...endedBy('all_done'), done: [done('T-1', 'ralph/T-1'), done('T-2', "ralph/it's")] },
      ["git log --stat -2 'ralph/it'\\''s'"],
    ],
  ])('%s', (_, facts, expected) => {
    expect(nextCommands({ ...NOTHING, ...facts })).toEqual(expected);
  });
});

/** What may stop runs, with the command that lets them continue. */
const STOPS: readonly (readonly [what: string, state: State, command: string])[] = [
  ['nothing', EMPTY_STATE, 'ralph run'],
  ['an incident of the run', withIncident('run'), 'ralph resume INC-1'],
  ['an incident of a task', withIncident('task'), 'ralph run'],
  ...[1, 2, 3, 4].flatMap((times) => [
    [`break ${times}`, stopped('break', times), 'ralph resume'] as const,
    [`budget ${times}`, stopped('budget', times), 'ralph resume'] as const,
    [`checkpoint ${times}`, stopped('checkpoint', times), times < 3 ? 'ralph run' : 'ralph resume'] as const,
  ]),
];

describe.each(STOPS)('stopped by %s', (_, state, command) => {
  const { stop } = state.policy;

  it('has one command that continues, and no run that it starts is refused', () => {
    expect(continueCommand(state)).toBe(command);
    if (refusalBefore(state) !== null) expect(command).not.toBe('ralph run');
  });

  it.each(RunEnding.options)('after %s no other is offered', (kind) => {
    const offered = nextCommands({
      ...NOTHING,
      state,
      ending: { kind, next: null },
      open: [open('T-1', { next: command })],
    });
    expect(offered.filter((one) => /^ralph (?:run|resume)/.test(one))).toEqual([command]);
  });

  it('the hand-off names it', () => {
    const text = controlCenter({
      at: '2026-11-30T20:00:00.000Z',
      run: 'r-1',
      tasks: { total: 1, done: 0, blocked: 0 },
      done: [],
      blocked: [],
      waiting: [],
      current: null,
      limits: NO_COST,
      spent: NO_COST,
      quality: { first: null, last: null },
      saved: 'saved/1',
      stop,
      incidents: state.incidents,
    });
    expect(text).toContain(`- \`${command}\`${command === 'ralph run' ? '' : ', then `ralph run`'}\n`);
  });

  it.runIf(stop !== null)('the first line and the message name it', () => {
    const line = headlineOf({
      ending: 'break',
      reason: 'Stopped: because',
      counts: '',
      open: [open('T-1')],
      unchecked: [],
      away: [],
      resume: continueCommand(state),
    });
    expect(line).toBe(`Stopped: because To continue: ${command}`);
    expect(waitingMessage({ kind: 'stop', run: 'r-1' }, state, [])?.next).toEqual(['ralph report', command]);
  });
});

function withIncident(scope: IncidentSummary['scope']): State {
  const incident: IncidentSummary = {
    id: 'INC-1',
    at: '2026-11-30T20:00:00.000Z',
    run: 'r-1',
    iteration: 1,
    taskId: 'T-1',
    issue: 'no_files',
    severity: 'medium',
    summary: 'Nothing was changed.',
    scope,
    resolved: null,
  };
  return { ...EMPTY_STATE, incidents: [incident] };
}
