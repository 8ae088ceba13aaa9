import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BIN, runWith } from './bench.ts';
import { agents, hurried } from './given.ts';
import type { Failure, Turn } from './model/scenario.ts';
import { leavesServer } from './slips.ts';
import { doesTheWork, says, shell } from './talk.ts';

const WAIT = 'a usage limit that says when it ends';
const IN_TWO_HOURS = {
  status: 429,
  message: 'You have hit your usage limit. Try again in 2 hours.',
  headers: { 'retry-after': '7200' },
};

/** A run that waits for the end of a limit would not end here. */
const NO_WAIT = spawnSync(process.execPath, [BIN, 'run', '--help'], { encoding: 'utf8' }).stdout.includes(
  '--no-wait',
)
  ? ['--no-wait']
  : [];

/** What the model's service answers to every request, and what that is. */
const OUTSIDE_CAUSES: readonly (readonly [what: string, verdict: string, failure: Failure])[] = [
  [WAIT, 'rate_limited', IN_TWO_HOURS],
  ['a usage limit that does not', 'rate_limited', { status: 429, message: 'Rate limit reached.' }],
  ['an outage', 'outage', { status: 500, message: 'Internal server error' }],
  ['a key that is not accepted', 'auth', { status: 401, message: 'invalid api key' }],
];

describe.each(agents().map(hurried))('$name', (agent) => {
  it.concurrent.each(OUTSIDE_CAUSES)(
    '%s is %s: no failed attempt, and nothing is ticked',
    async (what, verdict, how) => {
      const outcome = await runWith(agent, {
        timeoutSeconds: agent.givesUpAfter,
        // Some wait for hours, having said why. Four of them start at once.
        idleSeconds: 30,
        name: what.replaceAll(' ', '-'),
        args: NO_WAIT,
        scenario: () => ({ turns: [{ kind: 'fails', ...how }] }),
      });
      const [record] = outcome.iterations;
      const { end, report, errorTail } = record?.facts ?? {};
      const seen = JSON.stringify({ end, report, errorTail, result: outcome.result }, null, 1);
      expect(record?.decisions.verdict.kind, seen).toBe(verdict);
      expect(record?.decisions.failedAttempt).toBe(false);
      expect(record?.decisions.findings).toEqual([]);
      expect(outcome.code).toBe(9);
      expect(outcome.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
      expect(outcome.alive ?? []).toEqual([]);
    },
  );

  it('continues after one answer that failed', async () => {
    const failure: Turn = { kind: 'fails', status: 500, message: 'Internal server error' };
    const outcome = await runWith(agent, {
      name: 'one-failure',
      scenario: (place) => ({ turns: doesTheWork(place), first: { requests: 1, turn: failure } }),
    });
    expect(outcome.iterations[0]?.decisions.verdict, JSON.stringify(outcome.result)).toEqual({
      kind: 'done',
    });
    expect(outcome.iterations[0]?.facts.report.infrastructure).toBeNull();
  });

  it("tries again after an answer that was cut off, or calls it an outage; half an answer isn't read", async () => {
    const half: Turn = { kind: 'cut', text: 'HALF-AN-ANSWER that ends here.' };
    const outcome = await runWith(agent, {
      name: 'cut-answer',
      args: NO_WAIT,
      scenario: (place) => ({ turns: doesTheWork(place), first: { requests: 1, turn: half } }),
    });
    const { verdict } = outcome.iterations[0]?.decisions ?? {};
    expect(['done', 'outage'], JSON.stringify(outcome.iterations[0]?.facts.report)).toContain(verdict?.kind);
    expect(outcome.code).toBe(verdict?.kind === 'done' ? 0 : 9);
  });

  it('a tool call that does not end is ended by the timeout, with all that it started', async () => {
    const outcome = await runWith(agent, {
      name: 'long-tool-call',
      // The slowest of them takes its time to start.
      timeoutSeconds: 25,
      scenario: () => ({ turns: [says('I wait.', shell('touch begun.txt; tail -f /dev/null', 60_000))] }),
    });
    expect(outcome.alive ?? []).toEqual([]);
    expect(outcome.iterations[0]?.decisions.verdict).toMatchObject({ kind: 'timed_out', which: 'wall' });
    expect(outcome.iterations[0]?.decisions.failedAttempt).toBe(true);
    expect(JSON.stringify(outcome.iterations[0]?.facts.changes)).toContain('begun.txt');
    expect(outcome.code).toBe(3);
  });

  it('a tool that computes in silence is not idle', async () => {
    const outcome = await runWith(agent, {
      name: 'silent-work',
      idleSeconds: 20,
      timeoutSeconds: 140,
      // Codex waits 30 s for a command and then looks after it, which is output.
      files: { 'work.pl': 'my $end = time + 28; 1 while time < $end; print "computed\\n";\n' },
      scenario: (place) => {
        const [first, , last] = doesTheWork(place);
        return { turns: [first, says('', shell('perl work.pl', 100_000)), last] };
      },
    });
    expect(
      outcome.iterations[0]?.decisions.verdict,
      JSON.stringify(outcome.iterations[0]?.facts.end),
    ).toEqual({
      kind: 'done',
    });
    expect(outcome.requests.at(-1)?.results.at(-1)).toContain('computed');
  });

  it('what it leaves in the background ends with the attempt', async () => {
    const outcome = await runWith(agent, {
      name: 'background-process',
      scenario: (place) => {
        const [first, , last] = doesTheWork(place);
        return {
          turns: [first, says('', shell('nohup tail -f /dev/null >/dev/null 2>&1 & echo begun')), last],
        };
      },
    });
    expect(outcome.requests.at(-1)?.results.at(-1)).toContain('begun');
    expect(outcome.alive ?? []).toEqual([]);
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it.runIf(leavesServer(agent.name).length > 0)(
    'a server that its own tool left running ends with it',
    async () => {
      const outcome = await runWith(agent, {
        name: 'server-of-its-own',
        scenario: (place) => {
          const [first, , last] = doesTheWork(place);
          return { turns: [first, ...leavesServer(agent.name), last] };
        },
      });
      const [record] = outcome.iterations;
      // Some wait for it, until their time is over.
      expect(record?.facts.end).toMatchObject({ kind: 'exited', code: 0 });
      expect(record?.decisions.verdict).toEqual({ kind: 'done' });
      expect(outcome.alive ?? []).toEqual([]);
    },
  );

  it('an answer that never comes is ended by the idle timeout', async () => {
    const outcome = await runWith(agent, {
      name: 'no-answer',
      idleSeconds: 6,
      scenario: () => ({ turns: [{ kind: 'hangs' }] }),
    });
    expect(outcome.iterations[0]?.decisions.verdict).toMatchObject({ kind: 'timed_out', which: 'idle' });
    expect(outcome.alive ?? []).toEqual([]);
  });
});
