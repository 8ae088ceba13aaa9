import { describe, expect, inject, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { ATTEMPTS, LIST, nightOf, TASKS } from './night.ts';
import { NOTES } from './refused-calls.ts';

/** An ordinary night in 20 attempts takes a slow agent some minutes. */
const LIMIT_MS = 20 * 60_000;

const [first, last] = inject('nights');
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe.each(agents())('$name', (agent) => {
  it.each(seeds)(
    // The even ones without a box.
    'has an ordinary night: every task is done, nothing counts as more than it is (seed %i)',
    async (seed) => {
      const outcome = await runWith(agent, {
        name: `night-${seed}`,
        limitMs: LIMIT_MS,
        args: ['--max-iterations', String(ATTEMPTS + 2), '--no-wait'],
        // What an agent doesn't try again itself ends an attempt: as often as there are troubles, at most.
        restarts: 30,
        timeoutSeconds: 300,
        config: seed % 2 === 0 ? '[box]\nmode = "off"\n' : '',
        files: { '.ralph/PRD.md': LIST, ...NOTES },
        scenario: (place) => nightOf(agent.name, place, seed),
      });
      const seen = outcome.iterations.map(({ facts, decisions }) => ({
        task: facts.task.id,
        end: facts.end,
        verdict: decisions.verdict,
        failedAttempt: decisions.failedAttempt,
        infrastructure: facts.report.infrastructure,
        review: facts.review,
        findings: decisions.findings.map(({ type, severity, summary }) => `${type} ${severity}: ${summary}`),
      }));
      const shown = JSON.stringify(seen, null, 1);
      expect(outcome.code, shown).toBe(0);
      for (const task of TASKS) expect(outcome.read('.ralph/PRD.md')).toContain(`- [x] **${task}**`);
      // An attempt that its service ended counts for nothing.
      const ofTheWork = seen.filter(({ verdict }) => verdict.kind !== 'outage');
      expect(ofTheWork.map(({ verdict }) => verdict.kind).toSorted(), shown).toEqual([
        ...TASKS.map(() => 'done'),
        ...Array.from({ length: ATTEMPTS - TASKS.length }, () => 'progress'),
      ]);
      expect(
        seen.map(({ failedAttempt, review }) => [failedAttempt, review?.mode, review?.unreviewed]),
        shown,
      ).toEqual(seen.map(() => [false, 'hook', null]));
      expect(
        seen.flatMap(({ findings }) => findings),
        shown,
      ).toEqual([]);
      expect(outcome.alive ?? []).toEqual([]);
    },
    LIMIT_MS,
  );
});
