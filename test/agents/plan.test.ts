import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import type { Scenario } from './model/scenario.ts';
import { says } from './talk.ts';

const TASK = {
  ...{ id: 'a', title: 'Return the month of a date', files: ['src/date.js'], minutes: 1 },
  criteria: [{ text: 'month works', check: 'grep -q month src/date.js' }, { text: '`src/date.js` exists' }],
};
const CIRCLE = [
  { ...TASK, depends_on: ['b'] },
  { ...TASK, id: 'b', title: 'Show the month', depends_on: ['a'] },
];

/** The explorer answers in words; the planner by its form, with the nonce that it was given. */
function plans(answer: (nonce: string, body: string) => string): () => Scenario {
  return () => ({
    turns: [says('It belongs into src.')],
    answers: ({ body }) => {
      const nonce = /\\"nonce\\": \\"([^"\\]+)\\"/.exec(body)?.[1];
      return says(nonce === undefined ? 'It belongs into src.' : answer(nonce, body));
    },
  });
}

const block = (nonce: string, tasks: readonly object[]) => JSON.stringify({ nonce, tasks });

// Three programs with three formats of the model's service; the rest is the same for all.
const SOME = new Set(['claude', 'codex', 'gemini']);

describe.each(agents().filter(({ name }) => SOME.has(name)))('ralph plan with $name', (agent) => {
  it.each<[string, (nonce: string, body: string) => string]>([
    ['a valid plan', (nonce) => block(nonce, [TASK])],
    [
      'a plan with words around it',
      (nonce) => `I looked around.\n\n\`\`\`json\n${block(nonce, [TASK])}\n\`\`\`\n\nGood luck!`,
    ],
    [
      'a plan that was invalid at first',
      (nonce, body) => block(nonce, /could not be read|wait for each other/.test(body) ? [TASK] : CIRCLE),
    ],
  ])('writes %s into the list', async (_, answer) => {
    const outcome = await runWith(agent, {
      ...{ name: 'plan', command: ['plan', '--yes', 'Show months'], loop: `agent = "${agent.name}"` },
      scenario: plans(answer),
    });
    expect(outcome.code, JSON.stringify(outcome.result) + outcome.stderr).toBe(0);
    expect(outcome.read('.ralph/PRD.md')).toContain('**T-2** Return the month of a date');
    expect(outcome.read('.ralph/PRD.md')).toContain('Check: `grep -q month src/date.js`');
    expect(outcome.alive ?? []).toEqual([]);
  });

  it('writes nothing of a plan that stays invalid', async () => {
    const outcome = await runWith(agent, {
      ...{ name: 'plan', command: ['plan', '--yes', 'Show months'], loop: `agent = "${agent.name}"` },
      scenario: plans((nonce) => block(nonce, CIRCLE)),
    });
    expect(outcome.code).toBe(1);
    expect(JSON.stringify(outcome.result) + outcome.stderr).toMatch(/wait for each other/);
    expect(outcome.read('.ralph/PRD.md')).not.toContain('month');
  });
});
