import { expect } from 'vitest';
import { runWith, type Trial } from './bench.ts';
import type { Agent } from './given.ts';
import { doesTheWork, says } from './talk.ts';

/** Two attempts: the first says something and stops, the second does the work in the same session, and knows what was said. */
export async function continued(agent: Agent, trial: Pick<Trial, 'name' | 'runner'>) {
  const outcome = await runWith(agent, {
    ...trial,
    args: ['--max-iterations', '2'],
    loop: 'resume = true',
    scenario: (place) => ({
      first: { requests: 1, turn: says('WORD-OF-THE-FIRST-SESSION, and here I stop.') },
      turns: doesTheWork(place),
    }),
  });
  const [first, second] = outcome.iterations;
  const session = first?.facts.report.sessionId;
  expect(session).toMatch(/\S{8,}/);
  expect(second?.facts.resumed?.id).toBe(session);
  expect(second?.decisions.verdict).toEqual({ kind: 'done' });
  expect(outcome.requests[1]?.body.includes('WORD-OF-THE-FIRST-SESSION')).toBe(true);
  return { first, second, session };
}
