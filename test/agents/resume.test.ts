import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { TOKENS } from './model/scenario.ts';
import { doesTheWork, says } from './talk.ts';

/** Some agents ask the model for more than the conversation, so that only so much is sure. */
const SECOND_AT_MOST = 6 * TOKENS.input;

describe.each(agents())('$name', (agent) => {
  it('continues with its session, and tells its tokens once', async () => {
    const outcome = await runWith(agent, {
      name: 'resumes',
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
    expect(first?.facts.resumed).toBeNull();
    expect(second?.facts.resumed?.id).toBe(session);
    expect(second?.decisions.verdict).toEqual({ kind: 'done' });
    expect(outcome.requests[1]?.body.includes('WORD-OF-THE-FIRST-SESSION')).toBe(true);
    const [own] = second?.facts.report.usage ?? [];
    expect(own?.inputTokens).toBeLessThan(SECOND_AT_MOST);
    if (agent.name === 'codex' || agent.name === 'copilot') {
      // They report the sum of both sessions.
      expect(second?.facts.sessionUsage).toMatchObject([{ inputTokens: 4 * TOKENS.input }]);
      expect(own?.inputTokens).toBe(3 * TOKENS.input);
    }
    const cost = [first, second].map((record) => record?.facts.report.usage[0]?.costUsd ?? 0);
    if (cost[0] !== 0) expect(cost[1]).toBeCloseTo(3 * (cost[0] ?? 0), 5);
  });
});
