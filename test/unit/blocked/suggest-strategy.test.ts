import { describe, expect, it } from 'vitest';
import type { StrategyFacts } from '../../../src/domain/records/blocked.ts';
import { suggestStrategy } from '../../../src/tell/suggest-strategy.ts';
import { attempt, blockedBy, error, facts, falseClaim, gatesFailed, noFiles, timedOut } from './facts.ts';

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
const THREE_TIMEOUTS = blockedBy('timeout', [timedOut(), timedOut(), timedOut()]);
const AT_CEILING = blockedBy(
  'timeout',
  [600, 1800, 3600].map((seconds) => timedOut({ timeoutSeconds: seconds, durationMs: seconds * 1000 })),
);
const MISSING = attempt({
  failedGates: ['lint'],
  missingTools: [{ gate: 'lint', tool: 'eslint' }],
});
const TOOL_MISSING = blockedBy('gate_tool_missing', [MISSING, MISSING, MISSING]);
const BETTER = [
  { name: 'claude', attempts: 6, done: 1 },
  { name: 'codex', attempts: 4, done: 3 },
];

type Row = readonly [name: string, facts: Partial<StrategyFacts>, strategy: string, command: string];

const ROWS: readonly Row[] = [
  [
    'time-outs while files were written',
    { blocked: THREE_TIMEOUTS },
    'increase_timeout',
    'ralph unblock T-1 --timeout 240',
  ],
  [
    'time-outs of an agent that was at work, before a file was written',
    { blocked: blockedBy('timeout', [timedOut({ filesChanged: 0 }), timedOut({ filesChanged: 0 })]) },
    'increase_timeout',
    'ralph unblock T-1 --timeout 240',
  ],
  [
    'most of them time-outs',
    { blocked: blockedBy('timeout', [timedOut(), noFiles, timedOut({ filesChanged: 4 })]) },
    'increase_timeout',
    'ralph unblock T-1 --timeout 240',
  ],
  [
    'the 90th percentile of the level where that is more',
    { blocked: THREE_TIMEOUTS, levelDurationsMs: [700_000, 640_000, 30_000] },
    'increase_timeout',
    'ralph unblock T-1 --timeout 720',
  ],
  [
    'rounded up to a minute',
    { blocked: blockedBy('timeout', [timedOut({ durationMs: 120_030 })]) },
    'increase_timeout',
    'ralph unblock T-1 --timeout 300',
  ],
  [
    'never more than max_timeout',
    { blocked: THREE_TIMEOUTS, maxTimeoutSeconds: 200 },
    'increase_timeout',
    'ralph unblock T-1 --timeout 200',
  ],
  [
    'time-outs come before the number of criteria',
    { blocked: THREE_TIMEOUTS, acceptance: SIX },
    'increase_timeout',
    'ralph unblock T-1 --timeout 240',
  ],
  ['time-outs at the ceiling', { blocked: AT_CEILING }, 'split_task', 'ralph tasks split T-1'],
  [
    'a timeout above the ceiling that the user gave',
    {
      blocked: blockedBy('timeout', [timedOut({ timeoutSeconds: 7200, durationMs: 7_200_000 })]),
    },
    'split_task',
    'ralph tasks split T-1',
  ],
  ['more than five criteria', { acceptance: SIX }, 'split_task', 'ralph tasks split T-1'],
  [
    'more than five criteria come before missing evidence',
    { acceptance: SIX, blocked: blockedBy('no_files', [noFiles, noFiles]) },
    'split_task',
    'ralph tasks split T-1',
  ],
  [
    'part of the criteria are met',
    { acceptance: SIX, met: [0, 3] },
    'skip_subtasks',
    "ralph feedback add --task T-1 'Already met, leave as they are: criteria 1, 4. Do only the others.' && ralph unblock T-1",
  ],
  [
    'part of the criteria are met, at the ceiling',
    { blocked: AT_CEILING, acceptance: ['a', 'b'], met: [1] },
    'skip_subtasks',
    "ralph feedback add --task T-1 'Already met, leave as they are: criteria 2. Do only the others.' && ralph unblock T-1",
  ],
  [
    'all criteria are met: there is no rest to do',
    { acceptance: SIX, met: [0, 1, 2, 3, 4, 5] },
    'split_task',
    'ralph tasks split T-1',
  ],
  [
    'a tool of a gate is missing',
    { blocked: TOOL_MISSING },
    'fix_gate_tooling',
    "ralph unblock T-1 --reason 'the gate can be run'",
  ],
  [
    'a missing tool comes before the number of criteria',
    { blocked: TOOL_MISSING, acceptance: SIX },
    'fix_gate_tooling',
    "ralph unblock T-1 --reason 'the gate can be run'",
  ],
  [
    'an agent that could not start',
    { blocked: blockedBy('agent_error', [error('The agent failed (exit code 127).')]) },
    'fix_environment',
    "ralph unblock T-1 --reason 'the environment is fixed'",
  ],
  [
    'an agent that is not signed in, by its last lines',
    {
      blocked: blockedBy('agent_error', [error('exit code 1.', { filesChanged: 2 })], {
        outputTail: 'HTTP 401: please log in',
      }),
    },
    'fix_environment',
    "ralph unblock T-1 --reason 'the environment is fixed'",
  ],
  [
    'an agent without a network',
    {
      blocked: blockedBy('agent_error', [error('exit code 1: ECONNREFUSED.', { filesChanged: 2 })]),
      acceptance: SIX,
    },
    'fix_environment',
    "ralph unblock T-1 --reason 'the environment is fixed'",
  ],
  [
    'no files and false completions only',
    { blocked: blockedBy('no_files', [noFiles, falseClaim, noFiles]) },
    'show_evidence',
    "ralph feedback add --task T-1 'Write the changes to files, then name each file as evidence.' && ralph unblock T-1",
  ],
  [
    'missing evidence comes before another agent',
    { blocked: blockedBy('no_files', [noFiles, noFiles]), agents: BETTER },
    'show_evidence',
    "ralph feedback add --task T-1 'Write the changes to files, then name each file as evidence.' && ralph unblock T-1",
  ],
  [
    'another agent does better on the level',
    { agents: BETTER },
    'switch_agent',
    "ralph unblock T-1 --reason 'another agent: codex' && ralph run --agent codex --task T-1",
  ],
  [
    'the step reviewer blocked it',
    { blocked: blockedBy('review_blocked', [gatesFailed]), agents: BETTER, acceptance: SIX },
    'review_scope',
    "ralph unblock T-1 --reason 'the scope is reviewed'",
  ],
  ['anything else', {}, 'manual_review', 'ralph logs 3'],
  [
    'the user rejected it',
    { blocked: blockedBy('human_rejected', [attempt({ verdict: 'done' })]) },
    'manual_review',
    'ralph unblock T-1',
  ],
  [
    'the agent says that it is blocked',
    { blocked: blockedBy('agent_reported_blocked', [attempt({ verdict: 'agent_blocked' })]) },
    'manual_review',
    'ralph answer T-1 "…"',
  ],
  ['anything else, its log gone', { log: null }, 'manual_review', 'ralph unblock T-1'],
  [
    'an error after work was done, of which nothing is known',
    { blocked: blockedBy('agent_error', [error('exit code 3.', { filesChanged: 2 })]) },
    'manual_review',
    'ralph logs 3',
  ],
  [
    'time-outs of an agent that did nothing',
    { blocked: blockedBy('timeout', [timedOut({ filesChanged: 0, active: false })]) },
    'manual_review',
    'ralph logs 3',
  ],
  [
    'attempts that were ended for their silence',
    {
      blocked: blockedBy('timeout', [timedOut({ durationMs: 600_000, timeoutSeconds: 1800 })]),
    },
    'manual_review',
    'ralph logs 3',
  ],
  ['a mark in the task list by hand', { blocked: null }, 'manual_review', 'ralph unblock T-1'],
  [
    'an unblock that failed comes before everything',
    { blocked: THREE_TIMEOUTS, unblocks: 1 },
    'manual_review',
    'ralph logs 3',
  ],
  [
    'an unblock of the two that are allowed',
    { blocked: THREE_TIMEOUTS, unblocks: 1, reviewAfter: 2 },
    'increase_timeout',
    'ralph unblock T-1 --timeout 240',
  ],
];

describe('suggestStrategy', () => {
  it.each(ROWS)('%s', (_name, given, strategy, command) => {
    expect(suggestStrategy(facts(given))).toMatchObject({ strategy, command });
  });

  it('gives a reason in words for each, and names what the user does first exactly where that is needed', () => {
    const first = new Map(
      ROWS.map(([, given]) => suggestStrategy(facts(given))).map((one) => [one.strategy, one.first]),
    );
    for (const [, given] of ROWS) {
      const { reason } = suggestStrategy(facts(given));
      expect(reason).toMatch(/^\S.{10,}[.]$/);
      expect(reason).not.toMatch(/undefined|NaN|null|Infinity/);
    }
    const byHand = [...first].filter(([, what]) => what !== null).map(([strategy]) => strategy);
    expect(byHand.toSorted()).toEqual(
      ['fix_environment', 'fix_gate_tooling', 'manual_review', 'review_scope', 'split_task'].toSorted(),
    );
  });

  it.each([
    [[{ name: 'codex', attempts: 2, done: 2 }], 'too little is known of it'],
    [
      [
        { name: 'claude', attempts: 5, done: 3 },
        { name: 'codex', attempts: 5, done: 3 },
      ],
      'it is not better',
    ],
    [[{ name: 'claude', attempts: 9, done: 9 }], 'it is the same'],
  ])('does not switch to an agent where %#: %s', (agents, _why) => {
    expect(suggestStrategy(facts({ agents })).strategy).toBe('manual_review');
  });

  it('says what helps where completion is never claimed', () => {
    const idle = attempt({ verdict: 'progress', filesChanged: 0 });
    const blocked = blockedBy('incomplete', [attempt({ verdict: 'progress' }), idle, idle, idle]);
    const { strategy, first } = suggestStrategy(facts({ blocked }));
    expect(strategy).toBe('manual_review');
    expect(first).toContain('The agent never said that it is done.');
  });

  it.each([
    ['test/date.test.js:5', 'See test/date.test.js:5. Fix code or task, then: ralph unblock T-1'],
    ['src/date.js:5', 'Fix src/date.js:5 or reword the task, then: ralph unblock T-1'],
  ])('what is at fault at %s', (place, says) => {
    const failing = { gate: 'test', since: 'before' as const, lines: [`failing: a year (${place})`] };
    const blocked = blockedBy('gate_failed', [attempt({ failing })]);
    expect(suggestStrategy(facts({ blocked })).first).toBe(says);
  });

  it('names the tool and the gate', () => {
    const { reason, first } = suggestStrategy(facts({ blocked: TOOL_MISSING }));
    expect(reason).toContain('Gate "lint" needs eslint');
    expect(first).toContain('Install eslint');
  });

  it('proposes a timeout also where no duration is on record', () => {
    const imported = timedOut({ durationMs: 0, timeoutSeconds: 0 });
    expect(suggestStrategy(facts({ blocked: blockedBy('timeout', [imported]) })).timeoutSeconds).toBe(60);
  });
});

it.each(['no_files', 'timed_out', 'agent_error', 'gates_failed'] as const)(
  'the advice is the same where %s was answered by a rollback',
  (verdict) => {
    const plain = attempt({ verdict });
    const rolledBack = attempt({ verdict, restarts: true });
    const adviceFor = (...attempts: (typeof plain)[]) =>
      suggestStrategy(facts({ blocked: blockedBy('timeout', attempts) }));
    expect(adviceFor(plain, rolledBack, plain)).toEqual(adviceFor(plain, plain, plain));
  },
);
