import { describe, expect, inject, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { ATTEMPTS, LIST, nightOf, TASKS } from './night.ts';

/** An ordinary night in 20 attempts takes a slow agent some minutes. */
const LIMIT_MS = 20 * 60_000;

const seeds = Array.from({ length: inject('nights') }, (_, index) => index + 1);

describe.each(agents())('$name', (agent) => {
  it.each(seeds)(
    'has an ordinary night: every task is done, nothing is taken for more than it is (seed %i)',
    async (seed) => {
      const outcome = await runWith(agent, {
        name: `night-${seed}`,
        limitMs: LIMIT_MS,
        args: ['--max-iterations', String(ATTEMPTS + 2), '--no-wait'],
        files: { '.ralph/PRD.md': LIST },
        scenario: (place) => nightOf(place, seed),
      });
      const seen = outcome.iterations.map(({ facts, decisions }) => ({
        task: facts.task.id,
        end: facts.end,
        verdict: decisions.verdict,
        infrastructure: facts.report.infrastructure,
        review: facts.review,
        findings: decisions.findings.map(({ type, severity }) => `${type} ${severity}`),
      }));
      const shown = JSON.stringify(seen, null, 1);
      expect(outcome.code, shown).toBe(0);
      for (const task of TASKS) expect(outcome.read('.ralph/PRD.md')).toContain(`- [x] **${task}**`);
      expect(seen.map(({ verdict }) => verdict.kind).toSorted(), shown).toEqual([
        ...TASKS.map(() => 'done'),
        ...Array.from({ length: ATTEMPTS - TASKS.length }, () => 'progress'),
      ]);
      expect(
        seen.map(({ review }) => [review?.mode, review?.unreviewed]),
        shown,
      ).toEqual(seen.map(() => ['hook', null]));
      expect(
        seen.flatMap(({ findings }) => findings),
        shown,
      ).toEqual([]);
      expect(outcome.alive ?? []).toEqual([]);
    },
    LIMIT_MS,
  );
});
