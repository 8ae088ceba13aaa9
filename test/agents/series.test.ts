import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/repository.ts';
import type { Place } from './bench.ts';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import type { Scenario, Turn } from './model/scenario.ts';
import { claim, says, shell, write } from './talk.ts';

/** A model that plays the turns of each attempt; the last attempt's in those after it. */
function inAttempts(...attempts: readonly (readonly Turn[])[]): Scenario {
  return {
    turns: [says('')],
    answers: ({ results, body }) => {
      const attempt = Number(/This is attempt (\d+) of/.exec(body)?.[1] ?? '1');
      const turns = attempts[Math.min(attempt, attempts.length) - 1] ?? [];
      const turn = turns[Math.min(results.length, turns.length - 1)];
      if (turn === undefined) throw new Error(`no turn in attempt ${attempt}`);
      return turn;
    },
  };
}

const RIGHT = claim('src/hello.txt:1 the greeting');
const writes = (place: Place) => says('I write it.', write(place, 'src/hello.txt', 'hello\n'));

describe.each(agents())('$name', (agent) => {
  it.each<[string, (place: Place) => Scenario]>([
    [
      'no-block',
      (place) => inAttempts([writes(place), says('It is written. Shall I go on?')], [says(RIGHT)]),
    ],
    ['wrong-lines', (place) => inAttempts([writes(place), says(claim('src/hello.txt:40-90 the greeting'))])],
    [
      'failed-once',
      (place) =>
        inAttempts(
          [writes(place), says(RIGHT)],
          [says('Nothing is left.', shell('cat src/hello.txt')), says(RIGHT)],
        ),
    ],
  ])('is done with whole work: %s', async (name, scenario) => {
    // What it keeps lies outside of copies.
    const kept = temporaryFolder();
    const gate =
      name === 'failed-once'
        ? `test -e src/hello.txt || exit 0; test -e '${kept}/seen' && exit 0; touch '${kept}/seen'; exit 1`
        : 'true';
    const outcome = await runWith(agent, {
      name: `series-${name}`,
      args: ['--max-iterations', '3'],
      files: { 'check.sh': `${gate}\n` },
      config: `[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n[box]\nwritable = ["${kept}"]\n`,
      scenario,
    });
    expect(outcome.code, JSON.stringify(outcome.result)).toBe(0);
    expect(outcome.iterations.at(-1)?.decisions.verdict).toEqual({ kind: 'done' });
    expect(outcome.read('.ralph/PRD.md')).toContain('[x]');
  });

  it('reports that the task was done before: it waits for you', async () => {
    const already = claim('README.md:1 says so').replace('STATUS: DONE', 'STATUS: ALREADY_DONE');
    const outcome = await runWith(agent, {
      name: 'already-done',
      args: ['--max-iterations', '3'],
      scenario: () => ({ turns: [says('I look.', shell('cat README.md')), says(already)] }),
    });
    expect(outcome.code, JSON.stringify(outcome.result)).toBe(5);
    expect(outcome.iterations.map(({ decisions }) => decisions.verdict.kind)).toEqual(['already_done']);
  });

  it('says that the task is wrong: blocked, and no attempt is lost', async () => {
    const blocked = `RALPH_STATUS\nTASK: T-1\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nREASON: the test asserts 2, the task asks for 3\nEND_RALPH_STATUS`;
    const outcome = await runWith(agent, {
      name: 'honoured-exit',
      args: ['--max-iterations', '3'],
      scenario: () => ({ turns: [says(blocked)] }),
    });
    expect(outcome.code).toBe(4);
    const [record, ...more] = outcome.iterations;
    expect(more).toEqual([]);
    expect(record?.decisions).toMatchObject({ verdict: { kind: 'agent_blocked' }, failedAttempt: false });
  });
});
