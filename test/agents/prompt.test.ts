import { describe, expect, it } from 'vitest';
import { runWith, type Trial } from './bench.ts';
import { agents } from './given.ts';
import { doesTheWork } from './talk.ts';

const MEGABYTE = 2 ** 20;

/** The end of every prompt. */
const LAST_WORDS = 'It costs no attempt, and is better than a workaround.';

describe.each(agents())('$name', (agent) => {
  it('gets a prompt of 5 MB, or the longest that it takes, whole', async () => {
    const outcome = await runWith(agent, {
      ...longPrompt(Math.min(5 * MEGABYTE, agent.longestPrompt ?? Number.POSITIVE_INFINITY)),
      name: 'long-prompt',
    });
    const body = outcome.requests[0]?.body ?? '';
    const { report, errorTail } = outcome.iterations[0]?.facts ?? {};
    const whole = ['BEGIN-OF-THE-NOTES', 'END-OF-THE-NOTES', LAST_WORDS].every((words) =>
      body.includes(words),
    );
    expect(whole, JSON.stringify({ length: body.length, report, errorTail })).toBe(true);
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it.runIf(agent.longestPrompt !== null)('a prompt of 5 MB that it does not take is its error', async () => {
    const outcome = await runWith(agent, { ...longPrompt(5 * MEGABYTE), name: 'too-long-prompt' });
    expect(outcome.requests).toEqual([]);
    expect(outcome.iterations[0]?.decisions.verdict).toMatchObject({ kind: 'agent_error' });
    expect(outcome.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
  });

  it('works in a folder with spaces, umlauts and quotes in its name', async () => {
    const outcome = await runWith(agent, {
      name: 'odd-folder',
      folder: agent.oddFolder,
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    const seen = JSON.stringify(outcome.requests.at(-1)?.results);
    expect(outcome.iterations[0]?.decisions.verdict, seen).toEqual({ kind: 'done' });
    expect(outcome.read('src/hello.txt')).toBe('hello from the agent\n');
    expect(outcome.code).toBe(0);
    expect(outcome.alive ?? []).toEqual([]);
  });

  it('asks for the model of --model', async () => {
    const { otherModel } = agent;
    const outcome = await runWith(agent, {
      name: 'model-of-the-command-line',
      args: ['--model', otherModel.asked],
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    expect(outcome.requests[0]?.model).toBe(otherModel.sent);
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it('asks for its usual model, and for another where [runners] names one, with the arguments from there', async () => {
    const trial = {
      name: 'model-and-arguments',
      scenario: (place: Parameters<typeof doesTheWork>[0]) => ({ turns: doesTheWork(place) }),
    };
    const usual = await runWith(agent, trial);
    const { otherModel, extraArgs } = agent;
    const other = await runWith(agent, {
      ...trial,
      name: 'other-model',
      runner: `model = ${JSON.stringify(otherModel.asked)}\nextra_args = ${JSON.stringify(extraArgs.args)}\n`,
    });
    expect(usual.requests[0]?.model).toBe(agent.defaultModel);
    expect(usual.requests.map(({ body }) => extraArgs.shows(body))).not.toContain(true);
    expect(other.requests[0]?.model, JSON.stringify(other.iterations[0]?.facts.errorTail)).toBe(
      otherModel.sent,
    );
    expect(other.requests.map(({ body }) => extraArgs.shows(body))).not.toContain(false);
  });
});

/** Work with so many characters of repository notes in the prompt. */
function longPrompt(characters: number): Pick<Trial, 'config' | 'files' | 'scenario'> {
  const line = 'Notes that go on and on, line after line, and say little that is new.\n';
  const notes = line.repeat(Math.ceil(characters / line.length));
  return {
    // What you say of all tasks has no limit.
    config: `[prompt]\nconstraints = ["""BEGIN-OF-THE-NOTES\n${notes}END-OF-THE-NOTES"""]\n`,
    scenario: (place) => ({ turns: doesTheWork(place) }),
  };
}
