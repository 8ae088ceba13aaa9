import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { endingOfIncident } from '../../../src/decide/choice/ending.ts';
import { Config } from '../../../src/domain/config.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import { RunEnding } from '../../../src/domain/exit.ts';
import type { IncidentSummary } from '../../../src/domain/incident.ts';
import { type Cost, NO_COST, type PolicyStop } from '../../../src/domain/policy.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE, type RunSummary, type State } from '../../../src/domain/records/state.ts';
import type { DoneTask, UnfinishedTask } from '../../../src/domain/run-report.ts';
import type { Task } from '../../../src/domain/task.ts';
import { continueNow } from '../../../src/loop/policy-facts.ts';
import { refusalBefore } from '../../../src/loop/start-run.ts';
import { needsResume } from '../../../src/respond/table.ts';
import { controlCenter, type HandOff } from '../../../src/tell/control-center.ts';
import { entryLines } from '../../../src/tell/entry.ts';
import { headlineOf } from '../../../src/tell/headline.ts';
import { type NextFacts, nextCommands } from '../../../src/tell/next-commands.ts';
import { waitingMessage } from '../../../src/tell/notification.ts';

const NOW = '2026-12-01T07:00:00.000Z';

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
  ({ ...({ id, commits: [`${id}-5678901234`] } as unknown as DoneTask), branch }) satisfies DoneTask;
const waiting = (id: string, next: string) => ({ id, title: id, why: 'you hold it back.', next });

const NOTHING: NextFacts = {
  ...{
    state: EMPTY_STATE,
    continues: 'ralph run',
    running: false,
    ending: null,
    open: [],
    waiting: [],
    done: [],
  },
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
        continues: 'ralph resume',
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
      { ...endedBy('budget'), continues: 'ralph resume', open: [open('T-1')] },
      ['ralph resume'],
    ],
    [
      'a budget that was raised',
      { ...endedBy('budget'), state: stopped('budget'), open: [open('T-1')] },
      ['ralph run'],
    ],
    [
      'all is done, on whichever branch',
      { ...endedBy('all_done'), done: [done('T-1', 'ralph/T-1'), done('T-2', null)] },
      ['git show --stat T-1-567890 T-2-567890'],
    ],
    [
      'much is done: others may have committed in between',
      { ...endedBy('all_done'), done: [1, 2, 3, 4, 5, 6].map((at) => done(`T-${at}`, null)) },
      [`git show --stat ${[1, 2, 3, 4, 5, 6].map((at) => `T-${at}-567890`).join(' ')}`],
    ],
  ])('%s', (_, facts, expected) => {
    expect(nextCommands({ ...NOTHING, ...facts })).toEqual(expected);
  });
});

const budget = (iterations: number, wallTime = '0s') =>
  Config.parse({ budget: { iterations, wall_time: wallTime } });
const SPENT = { iterations: 9 };
const [RUN, RESUME] = ['ralph run', 'ralph resume'];

type Stop = readonly [what: string, state: State, command: string, config?: Config];

/** What may stop runs, with the settings as they are now, and the command that lets runs continue. */
const STOPS: readonly Stop[] = [
  ['nothing', EMPTY_STATE, RUN],
  ['an incident of the run', withIncident('run'), 'ralph resume INC-1'],
  ['an incident of a task', withIncident('task'), RUN],
  ...[1, 2, 3, 4].flatMap((times): Stop[] => {
    const afterBudget = afterSpending(stopped('budget', times), SPENT);
    const free = times < 3 ? RUN : RESUME;
    return [
      [`break ${times}`, stopped('break', times), RESUME],
      [`checkpoint ${times}`, stopped('checkpoint', times), free],
      [`budget ${times}`, afterBudget, RESUME, budget(9)],
      [`budget ${times}, raised`, afterBudget, free, budget(20)],
      [`budget ${times}, lowered`, afterBudget, RESUME, budget(5)],
      [`budget ${times}, removed`, afterBudget, free],
    ];
  }),
  ['a spent budget, in a run that was killed', afterSpending(EMPTY_STATE, SPENT), RESUME, budget(9)],
  [
    'a budget of which too little is left for another task',
    afterSpending(EMPTY_STATE, SPENT),
    RESUME,
    budget(11),
  ],
  [
    'hours without a run, which are no wall time',
    afterSpending(EMPTY_STATE, { ms: 1000 }),
    RUN,
    budget(0, '1h'),
  ],
  ['the wall time', afterSpending(EMPTY_STATE, { ms: 3_600_000 }), RESUME, budget(0, '1h')],
];

describe.each(
  STOPS.map(([what, state, command, config = Config.parse({})]) => [what, state, command, config] as const),
)('stopped by %s', (_, state, command, config) => {
  const { stop } = state.policy;
  const tasks: readonly Task[] = [{ ...EMPTY_TASK, id: 'T-1', title: 'T-1', status: 'open' }];
  const continues = continueNow({ config, state, tasks, now: NOW });

  it('has one command that continues, and no run that it starts is refused', () => {
    expect(continues).toBe(command);
    if (refusalBefore(state) !== null) expect(command).not.toBe('ralph run');
  });

  it.each(RunEnding.options)('after %s no other is offered', (kind) => {
    const offered = nextCommands({
      ...NOTHING,
      state,
      continues,
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
      continues,
    });
    expect(text).toContain(`- \`${command}\`${command === 'ralph run' ? '' : ', then `ralph run`'}\n`);
  });

  it.runIf(stop !== null)('the first line names it', () => {
    const line = headlineOf({
      ending: 'break',
      reason: 'Stopped: because',
      counts: '',
      open: [open('T-1')],
      unchecked: [],
      away: [],
      resume: continues,
      incident: null,
    });
    expect(line).toBe(`Stopped: because To continue: ${command}`);
  });

  it.runIf(needsResume(stop))('the message names it', () => {
    expect(waitingMessage({ kind: 'stop', run: 'r-1' }, state, [])?.next).toEqual(['ralph report', command]);
  });
});

it.each<[IncidentSummary['resolved'], string]>([
  [null, 'Emergency stop: INC-1 waits for you.'],
  [
    { at: NOW, option: 'resume_with_limits', reason: '' },
    'INC-1 stopped the run, and is resolved (resume_with_limits).',
  ],
])('the first line after an emergency stop, resolved: %j', (resolved, line) => {
  const [incident] = withIncident('run').incidents;
  if (incident === undefined) throw new Error('there is an incident');
  const facts = { unchecked: [], away: [], resume: null, open: [open('T-1')] };
  const counts = '0 of 1 task done, 1 open.';
  const { reason } = endingOfIncident('INC-1');
  const stop = { ending: 'emergency_stop', reason, counts, incident: { ...incident, resolved } } as const;
  expect(headlineOf({ ...facts, ...stop })).toBe(line);
});

/** The last run ended hours ago, and the budget's runs spent this. A task takes 3 iterations on average. */
function afterSpending(state: State, spent: Partial<Cost>): State {
  const ended = '2026-11-30T20:00:00.000Z';
  const levels = { medium: { tasks: 1, cost: { ...NO_COST, iterations: 3 } } };
  const all = { ...NO_COST, ...spent };
  const window = { since: ended, spent: all, runStartedAt: ended, activeAt: ended };
  const runs = [{ endedAt: ended, ending: 'budget' } as RunSummary];
  return { ...state, runs, policy: { ...state.policy, levels, budget: window } };
}

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

describe('the hand-off', () => {
  const handOff = (given: Partial<HandOff>) =>
    controlCenter({
      ...{ at: NOW, run: 'r-1', done: [], blocked: [], waiting: [], current: null, stop: null },
      ...{ limits: NO_COST, spent: NO_COST, quality: { first: null, last: null } },
      ...{ saved: 'saved/1', continues: RUN, tasks: { total: 3, done: 1, blocked: 1 } },
      ...given,
    });
  const RUN_LINE = '- `ralph run`\n';

  it('offers no run where every task that is left is blocked or waits for you', () => {
    expect(handOff({})).toContain(RUN_LINE);
    expect(handOff({})).not.toContain('blocked --suggest');
    for (const given of [{ tasks: { total: 3, done: 1, blocked: 2 } }, { waiting: ['T-3: third'] }]) {
      expect(handOff(given)).not.toContain(RUN_LINE);
      expect(handOff(given)).toContain('- `ralph blocked --suggest`\n');
    }
  });

  it('says nothing of money that no agent reports, unless money has a limit', () => {
    const tokens = { ...NO_COST, tokens: 10 };
    expect(handOff({ spent: tokens })).not.toContain('Money');
    expect(handOff({ spent: { ...tokens, usd: 0.5 } })).toContain('Money: $0.50');
    expect(handOff({ spent: tokens, limits: { ...NO_COST, usd: 20 } })).toContain('Money: $0.00 of $20.00');
  });

  it.each([
    [0, 'Spent: 10 tokens.'],
    [0.5, 'Spent: 10 tokens, $0.50.'],
  ])('the line about it says the same of $%d', (usd, says) => {
    const entry = {
      type: 'checkpoint_taken',
      why: 'tasks',
      limits: NO_COST,
      spent: { ...NO_COST, usd, tokens: 10 },
    };
    const lines = entryLines(entry as unknown as Entry, {} as never);
    expect(lines.map(({ text }) => text).join(' ')).toContain(says);
  });
});
