import { ADAPTERS } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { TOKENS } from './model/scenario.ts';
import { claim, doesTheWork, says } from './talk.ts';

describe.each(agents())('$name', (agent) => {
  it('does the work: verified, ticked, with its session, its tools and its tokens on record', async () => {
    const outcome = await runWith(agent, {
      name: 'writes-a-file',
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    expect(outcome.code, JSON.stringify(outcome.result)).toBe(0);
    expect(outcome.read('src/hello.txt')).toBe('hello from the agent\n');
    expect(outcome.read('.ralph/PRD.md')).toContain('[x]');
    const [record] = outcome.iterations;
    expect(record?.decisions.verdict).toEqual({ kind: 'done' });
    expect(record?.decisions.claim.completion).toBe(true);
    expect(record?.facts.report.finalMessage).toBe(
      `I created src/hello.txt.\n\n${claim('src/hello.txt:1 created')}`,
    );
    expect(record?.facts.report).toMatchObject({ ok: true, toolCalls: 2, infrastructure: null, errors: [] });
    expect(record?.facts.report.sessionId).toMatch(/\S{8,}/);
    const { usage } = ADAPTERS[agent.name as keyof typeof ADAPTERS];
    const [reported] = record?.facts.report.usage ?? [];
    // Every answer said the same; some agents ask the model for more than the conversation.
    expect(reported?.inputTokens).toBeGreaterThanOrEqual(3 * TOKENS.input);
    expect(reported?.outputTokens).toBeGreaterThanOrEqual(3 * TOKENS.output);
    expect(reported?.cachedTokens).toBeGreaterThanOrEqual(3 * TOKENS.cached);
    if (usage.cost !== null) expect(reported?.costUsd).toBeGreaterThan(0);
    else expect(reported?.costUsd).toBeNull();
    // Droid doesn't say which model its settings chose.
    if (agent.name === 'droid') expect(record?.facts.report.model).toBeNull();
    else expect(record?.facts.report.model).toContain(agent.defaultModel);
    expect(outcome.requests.at(-1)?.results.at(-1)).toContain('hello from the agent');
    expect(outcome.alive ?? []).toEqual([]);
  });

  it.runIf(ADAPTERS[agent.name as keyof typeof ADAPTERS].usage.tokens === 'live')(
    'is ended while it works when it has used too many tokens, and what it used stays known',
    async () => {
      const outcome = await runWith(agent, {
        name: 'too-many-tokens',
        config: `[limits]\nmax_tokens = ${TOKENS.input + TOKENS.output + 1}`,
        scenario: (place) => ({ turns: [doesTheWork(place)[0], doesTheWork(place)[1], { kind: 'hangs' }] }),
      });
      const [record] = outcome.iterations;
      expect(record?.facts.end).toMatchObject({ kind: 'halted', why: 'limit_crossed' });
      expect(record?.facts.report.usage[0]?.inputTokens).toBeGreaterThanOrEqual(2 * TOKENS.input);
    },
  );

  it('claims what it did not do: not ticked, told what was seen, and told so in the next prompt', async () => {
    const outcome = await runWith(agent, {
      name: 'claims-without-writing',
      args: ['--max-iterations', '2'],
      scenario: () => ({ turns: [says(`All of it is implemented.\n\n${claim('src/hello.txt:1 created')}`)] }),
    });
    expect(outcome.code).toBe(3);
    expect(outcome.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
    const [first, second] = outcome.iterations;
    expect(first?.decisions.findings.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['no_files', 'false_completion']),
    );
    expect(first?.decisions.failedAttempt).toBe(true);
    expect(second?.facts.attempt).toBe(2);
    const [before, ...after] = outcome.requests.map(({ body }) => feedbackIn(body));
    expect(before).toBe(false);
    expect(after).toContain(true);
  });
});

/** Whether the prompt in a request has the feedback in it. A failed test must not print the request itself. */
function feedbackIn(body: string): boolean {
  return (
    body.includes('Task T-1 remains OPEN') && body.includes('your write and edit tools; text in a message')
  );
}
