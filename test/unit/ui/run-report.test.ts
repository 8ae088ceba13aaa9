import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../src/domain/run-report.ts';
import { reportText } from '../../../src/io/ui/run-report.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';

const REPORT: RunReport = {
  ...{ run: 'r-1', agent: 'codex', mode: 'speed' },
  ...{ startedAt: '2030-01-31T02:00:00.000Z', endedAt: '2030-01-31T02:01:01.000Z' },
  tree: { state: 'unknown', passing: [], failing: [], unfinished: [] },
  ending: 'max_iterations',
  exitCode: 3,
  reason: 'The limit of iterations is reached.',
  durationMs: 61_000,
  iterations: 3,
  tasks: { total: 2, done: 1, unverified: 0, blocked: 0, open: 1 },
  doneInRun: [],
  unfinished: [],
  notCommitted: [],
  edits: [],
  yours: [],
  undoneWork: { putBack: [], count: 0, kept: [] },
  settingsToApprove: false,
  liesCaught: 0,
  falseClaims: [],
  commandsRefused: 0,
  deniedActions: { count: 0, begun: 0, iterations: [] },
  gateLost: [],
  spent: { tokens: 0, costUsd: 0, estimatedUsd: 0 },
  perVerifiedTask: null,
  next: ['ralph run', 'ralph status'],
};

const textOf = (change: Partial<RunReport>, width = 80) =>
  reportText({ ...REPORT, ...change }, terminalWith({ live: false, color: false, width }));

describe('the report of a run', () => {
  it.each([
    [{ count: 1, begun: 0, iterations: [4] }, '1 action denied in #4: ralph interventions'],
    [{ count: 3, begun: 0, iterations: [1, 4] }, '3 actions denied: ralph interventions'],
    [{ count: 1, begun: 1, iterations: [4] }, '1 action denied in #4, once started: ralph'],
    [{ count: 3, begun: 1, iterations: [1, 4] }, '3 actions denied, 1 of them once started: ralph'],
  ])('says of denied actions %o: %s', (deniedActions, words) => {
    expect(textOf({ deniedActions }).replace(/\s+/g, ' ')).toContain(words);
  });

  it('says nothing of denied actions where there are none', () => {
    expect(textOf({})).not.toMatch(/denied|seen/);
  });

  it('says which gate did not hold', () => {
    const text = textOf({ gateLost: [{ agent: 'codex', why: 'codex took no notice of its gate' }] });
    expect(text).toContain(
      '\n  Actions of codex were seen only once started: codex took no notice of its\n  gate.\n',
    );
  });

  it('puts commands side by side where they fit, else below each other, and breaks none', () => {
    const long = "ralph unblock T-1 --reason 'the environment is fixed'";
    expect(textOf({})).toContain('\nNext: ralph run   ralph status');
    expect(textOf({ next: ['ralph blocked --suggest', long] })).toContain(
      `\nNext: ralph blocked --suggest\n      ${long}`,
    );
  });

  it.each([40, 80])('stays within %i columns', (width) => {
    const text = textOf(
      {
        reason: `No agent can work. mine: usage limit (${'all is used up '.repeat(8)}).`,
        deniedActions: { count: 3, begun: 1, iterations: [1, 4] },
        gateLost: [{ agent: 'codex', why: `it did this without asking: ${'rm -r build '.repeat(9)}` }],
      },
      width,
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  });
});
