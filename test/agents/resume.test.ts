import { describe, expect, it } from 'vitest';
import { agents } from './given.ts';
import { TOKENS } from './model/scenario.ts';
import { continued } from './sessions.ts';

/** Some agents ask the model for more than the conversation, so that only so much is sure. */
const SECOND_AT_MOST = 6 * TOKENS.input;

describe.each(agents())('$name', (agent) => {
  it('continues with its session, and reports its tokens once', async () => {
    const { first, second } = await continued(agent, { name: 'resumes' });
    expect(first?.facts.resumed).toBeNull();
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
