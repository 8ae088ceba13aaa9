import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../src/domain/loop-event.ts';
import { summaryText } from '../../../src/io/ui/run-summary.ts';
import { terminalWith } from '../../../src/io/ui/terminal.ts';

const RESULT: RunResult = {
  run: 'r-1',
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
  redGates: [],
  liesCaught: 0,
  commandsRefused: 0,
  deniedActions: { count: 0, begun: 0, iterations: [] },
  gateLost: [],
  spent: { tokens: 0, costUsd: 0, estimatedUsd: 0 },
  next: ['ralph run', 'ralph status'],
};

const summary = (change: Partial<RunResult>, width = 80) =>
  summaryText({ ...RESULT, ...change }, terminalWith({ live: false, color: false, width }));

describe('the summary of a run', () => {
  it.each([
    [{ count: 1, begun: 0, iterations: [4] }, '1 action denied in #4: ralph interventions'],
    [{ count: 3, begun: 0, iterations: [1, 4] }, '3 actions denied: ralph interventions'],
    [{ count: 1, begun: 1, iterations: [4] }, '1 action denied in #4, once started: ralph'],
    [{ count: 3, begun: 1, iterations: [1, 4] }, '3 actions denied, 1 of them once started: ralph'],
  ])('says of denied actions %o: %s', (deniedActions, words) => {
    expect(summary({ deniedActions }).replace(/\s+/g, ' ')).toContain(words);
  });

  it('says nothing of denied actions where there are none', () => {
    expect(summary({})).not.toMatch(/denied|seen/);
  });

  it('says which gate did not hold', () => {
    const text = summary({ gateLost: [{ agent: 'codex', why: 'codex took no notice of its gate' }] });
    expect(text).toContain(
      '\n  Actions of codex were seen only once started: codex took no notice of its\n  gate.\n',
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
        reason: `No agent can work. mine: usage limit (${'all is used up '.repeat(8)}).`,
        deniedActions: { count: 3, begun: 1, iterations: [1, 4] },
        gateLost: [{ agent: 'codex', why: `it did this without asking: ${'rm -r build '.repeat(9)}` }],
      },
      width,
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  });
});
