import { describe, expect, it } from 'vitest';
import { nextCommands, stillHolds } from '../../../src/decide/run/next-commands.ts';
import type { RunEnding } from '../../../src/domain/exit.ts';
import type { PolicyStop } from '../../../src/domain/policy.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import type { DoneTask } from '../../../src/domain/run-report.ts';

const stop = (kind: PolicyStop['kind']) => ({
  ...EMPTY_STATE,
  policy: {
    ...EMPTY_STATE.policy,
    stop: { kind, run: 'r-1', reason: 'because', trigger: null, times: 1 },
  },
});
const profile = { ...emptyProfile('claude'), suspended: 'too many false claims' };

describe("the commands of a run's ending count", () => {
  it.each<[string, RunEnding, Parameters<typeof stillHolds>[1], boolean]>([
    ['a break that nobody resumed', 'break', stop('break'), true],
    ['a checkpoint that stopped the run', 'break', stop('checkpoint'), true],
    ['an agent that is suspended', 'break', { ...EMPTY_STATE, profiles: { claude: profile } }, true],
    ['a break after ralph resume', 'break', EMPTY_STATE, false],
    ['a budget that is spent', 'budget', stop('budget'), true],
    ['a budget that was raised', 'budget', EMPTY_STATE, false],
  ])('while what they are about is so: %s', (_, ending, state, expected) => {
    expect(stillHolds(ending, state)).toBe(expected);
  });
});

it('the branch is named that has what was done, where it is not yours', () => {
  const done = (id: string, branch: string | null) =>
    ({ ...({ id, commits: ['abc'] } as unknown as DoneTask), branch }) satisfies DoneTask;
  const next = (branch: string | null) =>
    nextCommands('all_done', {
      ...{ unfinished: [], waiting: [] },
      doneInRun: [done('T-1', 'ralph/T-1'), done('T-2', branch)],
    });
  expect(next("ralph/it's")).toEqual(["git log --stat -2 'ralph/it'\\''s'"]);
  expect(next(null)).toEqual(['git log --stat -2']);
});
