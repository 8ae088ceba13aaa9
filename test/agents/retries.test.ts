import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import type { Turn } from './model/scenario.ts';
import { doesTheWork } from './talk.ts';

const OVERLOADED: Turn = { kind: 'fails', status: 503, message: 'The service is overloaded' };

/** Requests that fail: the first of them are sent again without a word. */
const FAILING: Readonly<Record<string, number>> = { codex: 6, qwen: 5 };
/** Opencode says what the service answer, and not the status. */
const SAID: Readonly<Record<string, string>> = { opencode: 'service out of reach' };

describe.each(agents())('$name with its own tries', (agent) => {
  it('asks again after a 503: that is seen, and takes no time of the task', async () => {
    const answer = SAID[agent.name] ?? 'the service says 503';
    const requests = FAILING[agent.name] ?? 2;
    const outcome = await runWith(agent, {
      name: 'own-tries',
      scenario: (place) => ({ turns: doesTheWork(place), first: { requests, turn: OVERLOADED } }),
    });
    const [record] = outcome.iterations;
    const seen = JSON.stringify({ observed: record?.facts.observed.retries, report: record?.facts.report });
    expect(record?.decisions.verdict, seen).toEqual({ kind: 'done' });
    expect(record?.facts.observed.retries, seen).toMatchObject({ answer });
    expect(outcome.result.retried).toMatchObject([{ agent: agent.name, answer }]);
    const { tries = 0, waitedMs = 0 } = record?.facts.observed.retries ?? {};
    expect(tries).toBeGreaterThanOrEqual(1);
    const lasted = Date.parse(record?.facts.endedAt ?? '') - Date.parse(record?.facts.startedAt ?? '');
    expect((record?.facts.durationMs ?? 0) + waitedMs).toBeLessThanOrEqual(lasted + 1000);
  });
});
