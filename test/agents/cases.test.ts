import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { CASES, trialOf } from './cases.ts';
import { programs } from './given.ts';
import { keepSeen } from './seen.ts';

const LIMIT_MS = 400_000;

describe.each(programs())('$name', (program) => {
  it.concurrent.each(CASES)('$name', { timeout: LIMIT_MS }, async (one) => {
    const why = one.untestable?.(program) ?? null;
    if (why !== null) return keepSeen(program.name, program.version, one.name, { seen: why });
    const agent = one.agent?.(program) ?? program;
    const outcome = await runWith(agent, trialOf(agent, one)).catch((error: unknown) => {
      keepSeen(program.name, program.version, one.name, { seen: 'no end', wrong: 'an end of the run' });
      throw error;
    });
    const seen = one.judge(outcome, agent);
    keepSeen(program.name, program.version, one.name, seen);
    const { end, report, errorTail, review, resumed } = outcome.iterations.at(-1)?.facts ?? {};
    const all = {
      seen,
      end,
      report,
      errorTail,
      review,
      resumed,
      result: outcome.result,
      stderr: outcome.stderr,
    };
    expect(seen.wrong, JSON.stringify(all, null, 1)).toBeUndefined();
  });
});
