import { NO_REVIEWS, summaryOf } from 'ralph-actions/forms/record';
import { describe, expect, it } from 'vitest';
import type { DoneTask, RunReport, UnfinishedTask } from '../../../src/domain/run-report.ts';
import { reportMarkdown } from '../../../src/io/ui/report-markdown.ts';
import { reportText } from '../../../src/io/ui/run-report.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';
import { detailTexts } from '../../../src/tell/report-text.ts';

const REPORT: RunReport = {
  run: 'r-1',
  runs: ['r-1'],
  time: { agentMs: 60_000, checksMs: 5_000, waitedMs: 0, otherMs: 1_000 },
  speedUp: null,
  agent: 'claude',
  mode: 'speed',
  startedAt: '2026-05-01T22:00:00Z',
  endedAt: '2026-05-01T23:00:00Z',
  ending: 'max_iterations',
  endedWith: 3,
  reason: 'Stopped: 3 iterations made, the limit.',
  headline: 'Stopped: 3 iterations made, the limit.',
  counts: '1 of 2 tasks done, 1 open.',
  durationMs: 61_000,
  iterations: 3,
  tasks: { total: 2, done: 1, unverified: 0, blocked: 0, open: 1 },
  tree: { state: 'green', passing: ['test'], failing: [], tests: [], empty: [] },
  doneInRun: [],
  unfinished: [],
  notCommitted: [],
  push: null,
  liesCaught: 0,
  falseClaims: [],
  commandsRefused: 0,
  refusedHosts: [],
  commandsRewritten: 0,
  unreachable: [],
  failedRules: [],
  unchecked: [],
  builtAnew: null,
  signInsKept: [],
  deniedActions: { count: 0, begun: 0, iterations: [] },
  reviewSummary: summaryOf(NO_REVIEWS),
  blockedActions: [],
  retried: [],
  gateLost: [],
  spent: { tokens: 0, costUsd: 0, estimatedUsd: 0 },
  budget: null,
  perVerifiedTask: null,
  prover: null,
  roles: [],
  deferredWarnings: 0,
  proposals: [],
  next: ['ralph run', 'ralph status'],
};

const DONE: DoneTask = {
  id: 'T-1',
  title: 'Write the parser for dates that come in all the usual forms and some of the unusual ones',
  status: 'done',
  attempts: 2,
  conflicts: 0,
  durationMs: 61_000,
  spent: { tokens: 41_000, costUsd: 0.031, estimatedUsd: 0 },
  falseClaims: 1,
  commits: ['0a0fb632550000000000'],
  branch: null,
  grade: 'tests',
  mutants: null,
  signs: ['test/dates.test.js:7: A test is skipped (test "leap years")'],
  criteria: [],
};

const LEFT: UnfinishedTask = {
  id: 'T-2',
  title: 'Write the printer',
  status: 'blocked',
  group: 'you',
  why: '3 failed attempts. The last: gate "check" failed.',
  failing: null,
  sameAs: [],
  next: 'ralph logs 5',
  work: { kind: 'kept', command: 'ralph take T-2', paths: ['src/printer.ts'] },
  waitsFor: [],
  recovery: [],
};

const summary = (change: Partial<RunReport>, width = 80, live = false) =>
  reportText({ ...REPORT, ...change }, terminalWith({ live, color: false, width }));

describe('results that wait', () => {
  const why = 'you changed what it changes, too (a.txt).';
  const notCommitted = ['T-1', 'T-2'].map((id) => ({ id, title: `Write ${id}`, why, next: 'ralph land' }));
  const text = (given: RunReport['notCommitted']) =>
    reportText({ ...REPORT, notCommitted: given }, terminalWith({ live: false, width: 200, color: false }));
  const item = [
    'Needs you',
    '  ! T-1 Write T-1',
    '  ! T-2 Write T-2',
    '      Verified, and waits: you changed what it changes, too (a.txt).',
    '      ralph land',
  ].join('\n');

  it('are one cause with one command', () => {
    expect(text(notCommitted)).toContain(`${item}\n\n`);
  });

  it('have the cause of the one that they wait behind', () => {
    const behind = notCommitted.map((one, at) =>
      at === 0 ? one : { ...one, why: `T-1 lands first, and waits: ${why}` },
    );
    expect(text(behind)).toContain(`${item}\n\n`);
  });
});

describe('what needs you', () => {
  const failing = { gate: 'test', since: 'work' as const, lines: ['expected 1 to be 2'] };
  const alike = ['T-2', 'T-3', 'T-4'].map((id, at, ids) => ({
    ...{ ...LEFT, id, title: `Write ${id}`, why: 'Failed 3 times.', failing, sameAs: ids.slice(0, at) },
    work: { kind: 'kept' as const, command: `ralph take ${id}`, paths: [] },
    next: `ralph logs ${at + 1} --failed`,
  }));

  it('has each cause once, with its tasks, where their work is, and what helps', () => {
    expect(summary({ unfinished: alike })).toContain(
      [
        'Needs you',
        '  ✖ T-2 Write T-2',
        '  ✖ T-3 Write T-3',
        '  ✖ T-4 Write T-4',
        '      Failed 3 times. Gate "test" fails; it passed before the work:',
        '        expected 1 to be 2',
        '      Its work is kept: ralph take T-2',
        '      Its work is kept: ralph take T-3',
        '      Its work is kept: ralph take T-4',
        '      ralph logs 1 --failed',
        '',
      ].join('\n'),
    );
    const markdown = reportMarkdown({ ...REPORT, unfinished: alike });
    expect(markdown.match(/Failed 3 times/g)).toHaveLength(1);
    expect(markdown).toContain('  - Its work is kept: `ralph take T-3`\n');
  });

  it('names the cause again where the first task with it is not shown', () => {
    expect(summary({ unfinished: alike.slice(1) }).match(/Failed 3 times/g)).toHaveLength(1);
    expect(summary({ unfinished: alike.slice(1) })).toContain('✖ T-3 Write T-3\n  ✖ T-4 Write T-4\n');
  });
});

describe('the report of a run', () => {
  it.each([
    [{ count: 1, begun: 0, iterations: [4] }, '1 action denied in #4: ralph interventions'],
    [{ count: 3, begun: 0, iterations: [1, 4] }, '3 actions denied: ralph interventions'],
    [{ count: 1, begun: 1, iterations: [4] }, '1 action denied in #4, once started: ralph'],
    [{ count: 3, begun: 1, iterations: [1, 4] }, '3 actions denied, 1 of them once started: ralph'],
  ])('says of denied actions %o: %s', (deniedActions, words) => {
    expect(summary({ deniedActions }).replace(/\s+/g, ' ')).toContain(words);
  });

  it.each([
    [4, 0, '4 workers: 6 h 10 min of work in 1 h 50 min, 3.4 times as fast as one after the other.'],
    [
      2,
      2,
      '2 workers: 6 h 10 min of work in 1 h 50 min, 3.4 times as fast as one after the other. 2 conflicts cost 12 min.',
    ],
  ])('says what %i workers gained', (workers, conflicts, words) => {
    const minutes = (count: number) => count * 60_000;
    const speedUp = { workers, workMs: minutes(370), factor: 3.36, conflicts, lostMs: minutes(12) };
    const time = { agentMs: minutes(300), checksMs: minutes(70), waitedMs: minutes(9), otherMs: 0 };
    const text = summary({ speedUp, time, durationMs: minutes(110) }, 200);
    expect(text).toContain(`\n  ${words}`);
    expect(text).toContain('gates and checks 1 h 10 min, waiting for a turn 9 min.\n');
  });

  it.each([
    [1.1, {}, '22 min of work in 20 min, 1.1 times as fast as one after the other.'],
    [1.09, {}, '22 min of work in 20 min. Working in parallel saved no time.'],
    [0.7, { waitedMs: 120_000 }, 'Working in parallel saved no time: attempts waited 2 min for a turn.'],
    [
      0.7,
      { waitedMs: 120_000, conflicts: 1, otherMs: 60_000 },
      'saved no time: attempts waited 2 min for a turn; 1 conflict cost 3 min; for at least 1 min no attempt was running.',
    ],
  ])('says of a factor of %f whether workers saved time, and why not: %o', (factor, known, words) => {
    const { waitedMs = 0, otherMs = 0, conflicts = 0 } = known as Record<string, number>;
    const speedUp = { workers: 2, workMs: 22 * 60_000, factor, conflicts, lostMs: conflicts * 180_000 };
    const report = { ...REPORT, speedUp, durationMs: 20 * 60_000 };
    const at = { ...report, time: { ...REPORT.time, waitedMs, otherMs } };
    expect(reportText(at, terminalWith({ live: false, color: false, width: 300 }))).toContain(words);
    expect(reportMarkdown(at)).toContain(words);
    // The page has these texts, so they can be looked for.
    expect(
      detailTexts(at)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain(words);
  });

  it('says nothing of that for one worker', () => {
    expect(summary({})).not.toMatch(/workers|turn at/);
  });

  it('counts what conflicted apart from the attempts', () => {
    const done = { ...DONE, attempts: 1, conflicts: 2 };
    expect(summary({ doneInRun: [done] }, 200)).toContain(
      '1 attempt, 1 min 1 s, 41,000 tokens, $0.03, 2 conflicts before',
    );
  });

  it('says nothing of denied actions where there are none', () => {
    expect(summary({})).not.toMatch(/denied|seen/);
  });

  it('says how often services had to be asked again', () => {
    const text = summary({
      retried: [{ agent: 'claude', tries: 12, waitedMs: 200_000, answer: 'the service says 503' }],
    });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'claude sent requests again 12 times, in 3 min 20 s that no task is charged for: the service says 503.',
    );
  });

  it('says which gate did not hold', () => {
    const text = summary({ gateLost: [{ agent: 'codex', why: 'codex took no notice of its gate' }] });
    expect(text).toContain(
      '\n  Actions of codex were seen only once started: codex took no notice of its\n    gate.\n',
    );
  });

  it('puts commands side by side where they fit, else below each other, and breaks none', () => {
    const long = "ralph unblock T-1 --reason 'the environment is fixed'";
    expect(summary({})).toContain('\nNext: ralph run   ralph status');
    expect(summary({ next: ['ralph blocked --suggest', long] })).toContain(
      `\nNext: ralph blocked --suggest\n      ${long}`,
    );
  });

  it.each([40, 80])('stays within %i columns', (width) => {
    const text = summary(
      {
        headline: `Stopped: no agent can work. mine: usage limit (${'all is used up '.repeat(8)}).`,
        deniedActions: { count: 3, begun: 1, iterations: [1, 4] },
        gateLost: [
          { agent: 'codex', why: `it did this without having been allowed to: ${'rm -r build '.repeat(9)}` },
        ],
      },
      width,
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  it('begins with why it ended, how much is done, and whether the tree is green', () => {
    const [first, second, third, fourth] = summary({}, 120).split('\n');
    expect(first).toBe('Stopped: 3 iterations made, the limit.');
    expect(second).toBe('1 of 2 tasks done, 1 open.');
    expect(third).toBe('All checks pass: test.');
    expect(fourth).toMatch(/^3 iterations in 1 min 1 s, exit code 3, .* to .*, claude, r-1$/);
    expect(summary({ headline: REPORT.counts }).split('\n')[1]).toBe('All checks pass: test.');
  });

  const counts = { gate: 'a', reported: '2 tests: 2 passed' };
  it.each([
    [
      { state: 'green', passing: ['a'], failing: [], tests: [counts], empty: [] },
      'All checks pass: a (2 tests).',
    ],
    [
      { state: 'green', passing: ['a', 'b'], failing: [], tests: [counts], empty: [] },
      'All checks pass: a (2 tests), b.',
    ],
    [{ state: 'red', passing: ['a'], failing: ['b'], tests: [], empty: [] }, 'Checks fail: "b"'],
    [
      { state: 'unknown', passing: ['a'], failing: [], tests: [], empty: ['a'] },
      'Gate "a" ran no tests. Whether the tree works isn\'t known.',
    ],
    [{ state: 'unknown', passing: [], failing: [], tests: [], empty: [] }, 'No gate has run'],
  ] as const)('says of a tree %o: %s', (tree, words) => {
    expect(summary({ tree })).toContain(words);
  });

  it('says of each task what it took, and of what is left the reason and one command', () => {
    const text = summary({ doneInRun: [DONE], unfinished: [LEFT] });
    expect(text.replace(/\s+/g, ' ')).toContain(
      '(0a0fb63255, 2 attempts, 1 min 1 s, 41,000 tokens, $0.03, proof: tests)',
    );
    expect(text).toContain('\n      ralph logs 5\n');
    expect(text).toContain('\n      Its work is kept: ralph take T-2\n');
  });

  it('counts false claims and names their tasks', () => {
    const falseClaims = [
      { taskId: 'T-1', count: 1 },
      { taskId: 'T-3', count: 2 },
    ];
    expect(summary({ liesCaught: 3, falseClaims })).toContain('3 false claims caught: T-1, T-3 (2).');
  });

  it('shows some of many tasks on a terminal, and all of them elsewhere', () => {
    const doneInRun = Array.from({ length: 30 }, (_, index) => ({ ...DONE, id: `D-${index}` }));
    expect(summary({ doneInRun })).toContain('D-29');
    expect(summary({ doneInRun }, 80, true)).toContain('and 10 more: ralph report --format markdown');
  });

  it.each([60, 80, 120, 200])('breaks no word at %i columns', (width) => {
    const text = summary({ doneInRun: [DONE], unfinished: [LEFT], liesCaught: 1 }, width);
    for (const word of `${DONE.title} ${LEFT.why}`.split(' ')) expect(text.split(/\s+/)).toContain(word);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  });
});

it.each([
  [
    'all of it',
    { commit: 'a'.repeat(40), pullRequest: 'https://code.test/7', problem: null },
    ['Pushed to origin/main (aaaaaaaaaa), pull request https://code.test/7.'],
  ],
  [
    'nothing',
    { commit: null, pullRequest: null, problem: { reason: 'it moved.', next: 'git pull' } },
    ['Nothing was pushed to origin/main: it moved.', 'git pull'],
  ],
  [
    'the branch alone',
    { commit: 'a'.repeat(40), pullRequest: null, problem: { reason: 'gh was not found', next: null } },
    ['Pushed to origin/main (aaaaaaaaaa).', 'No pull request was opened: gh was not found.'],
  ],
  [
    'what is behind',
    {
      commit: 'a'.repeat(40),
      pullRequest: 'https://code.test/7',
      problem: { reason: 'gh says: no', next: null },
    },
    ["https://code.test/7 isn't up to date: gh says: no."],
  ],
])('says what became of a push: %s', (_, result, lines) => {
  const report: RunReport = { ...REPORT, push: { remote: 'origin', branch: 'main', ...result } };
  for (const text of [
    reportText(report, terminalWith({ live: false, color: false, width: 200 })),
    reportMarkdown(report),
  ])
    for (const line of lines) expect(text).toContain(line);
  expect(reportText(REPORT, terminalWith({ live: false, color: false, width: 200 }))).not.toMatch(/push/i);
});
