import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlan, readProposed } from '../../../src/decide/index.ts';

const TASK = { title: 'A', criteria: ['`a.js` exists'] };
const plan = (...tasks: readonly object[]) => JSON.stringify({ tasks });
const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

function titles(message: string, nonce: string | null = null) {
  const read = readPlan(message, nonce);
  return read.ok ? read.answer.map(({ title }) => title) : read.problem;
}

describe('the plan in an answer', () => {
  it.each<[string, string, unknown]>([
    ['alone', plan(TASK), ['A']],
    ['in a fence, with prose that has braces', `Like {this}:\n${fence(plan(TASK))}\nand {that}.`, ['A']],
    ['with a byte order mark and Windows lines', `\ufeff{\r\n"tasks": [${JSON.stringify(TASK)}]\r\n}`, ['A']],
    ['the last of two', `${plan(TASK)}\n${plan({ ...TASK, title: 'B' })}`, ['B']],
    ['the last that is one', `${plan(TASK)}\n${fence('{"files": ["a"]}')}`, ['A']],
    ['none', 'I would rather not.', 'there is no JSON block in the answer'],
    ['cut off', plan(TASK).slice(0, -4), 'there is no complete JSON block; the answer may be cut off'],
    ['cut off behind one', `${plan(TASK)}\n${plan(TASK).slice(0, -4)}`, 'the last JSON block is cut off'],
    [
      'too long',
      `${'x'.repeat(70_000)}${plan(TASK)}`,
      'the answer has more than 65536 characters; keep it short',
    ],
    ['without tasks', '{"tasks": []}', expect.stringMatching(/^tasks: /)],
    ['without a title', plan({ criteria: [] }), expect.stringMatching(/^tasks\.0\.title: /)],
    ['a title of blanks', plan({ ...TASK, title: '  ' }), expect.stringMatching(/^tasks\.0\.title: /)],
    ['a number for a file', plan({ ...TASK, files: [1] }), expect.stringMatching(/^tasks\.0\.files\.0: /)],
    ['a thousand tasks', plan(...Array(1000).fill(TASK)), expect.stringMatching(/^tasks: /)],
    ['another form', '{"stories": []}', expect.stringMatching(/^tasks: /)],
  ])('%s', (_, message, expected) => {
    expect(titles(message)).toEqual(expected);
  });

  it('repeats what it was asked to; one that it quotes does not', () => {
    const own = JSON.stringify({ nonce: 'n1', tasks: [TASK] });
    const quoted = JSON.stringify({ nonce: 'n2', tasks: [{ ...TASK, title: 'B' }] });
    expect(titles(`${own}\nThe idea has ${quoted}`, 'n1')).toEqual(['A']);
    expect(titles(quoted, 'n1')).toBe('"nonce" isn\'t that of this question');
    expect(titles(plan(TASK), 'n1')).toBe('"nonce" isn\'t that of this question');
  });

  it('has each text on one line, without what can not be seen; commands stay as they are', () => {
    const read = readPlan(
      plan({
        title: 'A\n- [x] b\u202e\u001b[31m',
        criteria: [{ text: 'c\td', check: ' a\nb ' }],
        files: ['./src/a.js'],
        depends_on: [1, '1'],
      }),
      null,
    );
    expect(read).toMatchObject({
      answer: [
        {
          ...{ id: '1', title: 'A - [x] b', files: ['src/a.js'], dependsOn: ['1'] },
          criteria: [{ text: 'c d', check: 'a\nb' }],
        },
      ],
    });
  });

  it('is read or refused, whatever is said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), (text, json) => {
        for (const message of [text, json, `${text}${plan(TASK)}${json}`, `{"tasks": ${json}}`]) {
          const read = readPlan(message, null);
          if (!read.ok) expect(read.problem).toMatch(/^[^\n]{1,310}$/);
        }
      }),
    );
  });
});

describe('what an agent proposes', () => {
  it.each<[string, string, string[]]>([
    ['below its name', `Done.\nPROPOSED_TASKS:\n${fence(plan(TASK))}\nRALPH_STATUS`, ['A']],
    ['whose name is set', `**PROPOSED_TASKS:** ${plan(TASK)}`, ['A']],
    ['without a name', plan(TASK), []],
    ['named in prose', `I have no PROPOSED_TASKS: ${plan(TASK)}`, []],
    ['as the prompt shows it', `PROPOSED_TASKS: ${plan({ title: '…', criteria: ['…'] })}`, []],
    [
      'six of them',
      `PROPOSED_TASKS:\n${plan(...[1, 2, 3, 4, 5, 6].map((n) => ({ ...TASK, title: `A${n}` })))}`,
      ['A1', 'A2', 'A3', 'A4', 'A5'],
    ],
  ])('%s', (_, message, expected) => {
    expect(readProposed(message).map(({ title }) => title)).toEqual(expected);
  });

  it('runs nothing and waits for nothing', () => {
    const task = { ...TASK, criteria: [{ text: 'x', check: 'rm -rf /' }], depends_on: ['T-1'], gates: ['g'] };
    expect(readProposed(`PROPOSED_TASKS:\n${plan(task)}`)).toMatchObject([
      { criteria: [{ text: 'x', check: null }], dependsOn: [], gates: [] },
    ]);
  });
});
