import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { doesTheWork } from './talk.ts';

/** More than what one answer of claude's model costs by its price list ($0.00411), and less than two. */
const MONEY = 0.006;

describe.each(agents().filter(({ name }) => name === 'claude'))('$name', (agent) => {
  it("ends itself at what is left of the budget, which isn't a failed attempt", async () => {
    const outcome = await runWith(agent, {
      name: 'ends-at-the-budget',
      config: `[budget]\nmoney = ${MONEY}\n`,
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    const [record] = outcome.iterations;
    expect(outcome.requests).toHaveLength(2);
    expect(record?.facts.end).toMatchObject({ kind: 'halted', why: 'budget_spent' });
    expect(record?.decisions).toMatchObject({ verdict: { kind: 'interrupted' }, failedAttempt: false });
    expect(outcome.code).toBe(7);
  });
});
