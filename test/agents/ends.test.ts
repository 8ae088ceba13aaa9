import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { documentedEntry } from './documented.ts';
import { type Agent, programs } from './given.ts';
import { claim, says, shell } from './talk.ts';

/** Nothing but ralph itself ends what is left. */
const NO_BOX = '[box]\nmode = "off"\n';

/** Those that take a minute to start without a network. */
const SLOW: ReadonlySet<string> = new Set(['opencode', 'cline']);

/** How it is started, where ralph can't find that out: as the documents say. */
function runnerOf({ isOwn, name }: Agent): string {
  return isOwn === undefined ? '' : documentedEntry(name).runner;
}

describe.each(programs())('$name without a box', (agent) => {
  it('is ended while a command runs: nothing of it is alive, and it asks its model no more', async () => {
    const outcome = await runWith(agent, {
      name: 'ended-without-a-box',
      runner: runnerOf(agent),
      config: NO_BOX,
      // Longer than they take to start. Codex waits 30 s for a command, and then asks its model about it.
      timeoutSeconds: SLOW.has(agent.name) ? 90 : 25,
      idleSeconds: 0,
      graceSeconds: 8,
      scenario: () => ({
        turns: [
          says('I wait.', shell('touch begun.txt; tail -f /dev/null', 60_000)),
          says('I work on.', shell('touch later.txt')),
          says(`Done.\n\n${claim('later.txt:1 created')}`),
        ],
      }),
    });
    const [record] = outcome.iterations;
    const seen = JSON.stringify({ end: record?.facts.end, result: outcome.result }, null, 1);
    expect(outcome.alive ?? []).toEqual([]);
    expect(
      outcome.requests.map(({ results }) => results),
      seen,
    ).toEqual([[]]);
    expect(record?.decisions.verdict, seen).toMatchObject({ kind: 'timed_out', which: 'wall' });
    const changes = JSON.stringify(record?.facts.changes);
    expect(changes).toContain('begun.txt');
    expect(changes).not.toContain('later.txt');
  });

  it('what it started in the background ends with it', async () => {
    const outcome = await runWith(agent, {
      name: 'background-without-a-box',
      runner: runnerOf(agent),
      config: NO_BOX,
      scenario: () => ({
        turns: [
          says(
            'I start it.',
            shell('echo made > made.txt; nohup tail -f /dev/null >/dev/null 2>&1 & echo begun'),
          ),
          says(`Done.\n\n${claim('made.txt:1 created')}`),
        ],
      }),
    });
    expect(outcome.requests.at(-1)?.results.at(-1)).toContain('begun');
    expect(outcome.alive ?? []).toEqual([]);
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });
});
