import type { PastReview, ReviewFinding, ReviewVerdict } from '../../../src/domain/workflow/roles.ts';
import { NEW_WORKFLOW } from '../../../src/domain/workflow/roles.ts';
import type { RoleObservation, SystemObservation } from '../../../src/respond/roles/index.ts';

/** Returns so many words that say nothing. */
export const words = (times: number) => Array.from({ length: times }, (_, at) => `word${at}`).join(' ');

export const many = <T>(times: number, make: (at: number) => T): T[] =>
  Array.from({ length: times }, (_, at) => make(at));

/** A finding in changed code with everything that a good one has. */
export function finding(over: Partial<ReviewFinding> = {}): ReviewFinding {
  return {
    category: 'correctness',
    severity: 'WARNING',
    file: 'src/a.ts',
    line: 2,
    claim: 'the limit is off by one',
    repro: 'call add(1, 2)',
    fix: 'use <=',
    alternative: 'clamp the value',
    ...over,
  };
}

export const answer = (findings: ReviewFinding[], verdict: ReviewVerdict = 'CHANGES_REQUESTED') => ({
  verdict,
  findings,
});

export const past = (over: Partial<PastReview> = {}): PastReview => ({
  cycle: 1,
  role: 'guardian',
  verdict: 'CHANGES_REQUESTED',
  findings: [finding()],
  ...over,
});

/** A change of one file in three lines; nothing in it is a sign of any shadow. */
export function look(over: Partial<RoleObservation> = {}): RoleObservation {
  return {
    text: 'Summary: I recommend to change src/a.ts.',
    answer: null,
    reads: [],
    task: { text: 'Add a limit', expectedPaths: [] },
    changed: [{ path: 'src/a.ts', added: 300, removed: 0 }],
    lines: new Map([
      [
        'src/a.ts',
        new Map([
          [1, 'const a = 1;'],
          [2, 'export const b = () => a;'],
          [3, 'const c = () => b;'],
        ]),
      ],
    ]),
    proposal: null,
    outside: [],
    commits: 0,
    commands: ['npm test'],
    gatesPassed: false,
    earlier: [],
    ...over,
  };
}

export function system(over: Partial<SystemObservation> = {}): SystemObservation {
  return {
    reviews: [],
    checkMs: 60_000,
    allRead: false,
    task: NEW_WORKFLOW,
    changed: ['src/a.ts'],
    proposal: null,
    outside: [],
    lessons: [],
    deferred: [],
    cleanUp: null,
    ...over,
  };
}

/**
 * Numbers that no scenario notices when they are moved by one step, each as `name +1` or `name -1`: a scenario fires just
 * at its number, and another one is just below it.
 */
export function unnoticed(numbers: object, outcomes: () => unknown): string[] {
  const limits = numbers as Record<string, number>;
  const before = JSON.stringify(outcomes());
  return Object.entries(limits).flatMap(([name, value]) =>
    [1, -1].flatMap((sign) => {
      limits[name] = value + sign * (Number.isInteger(value) ? 1 : 0.1);
      const isSame = JSON.stringify(outcomes()) === before;
      limits[name] = value;
      return isSame ? [`${name} ${sign > 0 ? '+1' : '-1'}`] : [];
    }),
  );
}
