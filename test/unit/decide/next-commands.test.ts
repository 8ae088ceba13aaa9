import { describe, expect, it } from 'vitest';
import type { PolicyStop } from '../../../src/domain/policy.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import type { DoneTask, UnfinishedTask } from '../../../src/domain/run-report.ts';
import { type NextFacts, nextCommands } from '../../../src/tell/next-commands.ts';

const stopped = (kind: PolicyStop['kind']): State => ({
  ...EMPTY_STATE,
  policy: { ...EMPTY_STATE.policy, stop: { kind, run: 'r-1', reason: 'because', trigger: null, times: 1 } },
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
        ...endedBy('break', ['ralph resume']),
        state: stopped('break'),
        open: [blocked('T-1', 'ralph logs 3'), blocked('T-2', 'ralph logs 6'), open('T-3')],
      },
      ['ralph logs 6', 'ralph resume'],
    ],
    [
      'after a break that you resumed',
      { ...endedBy('break', ['ralph resume']), open: [blocked('T-1', 'ralph logs 3'), open('T-3')] },
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
      { ...endedBy('budget', ['ralph resume']), state: stopped('budget'), open: [open('T-1')] },
      ['ralph resume'],
    ],
    [
      'a budget that was raised',
      { ...endedBy('budget', ['ralph resume']), open: [open('T-1')] },
      ['ralph run'],
    ],
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
