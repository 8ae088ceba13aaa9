/** @module-tag slow */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { blocked, claim, makeProject, type Project } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const WRITE: ScenarioAction = { action: 'write', path: 'src/hello.txt', content: 'hello\n' };
const PROGRESS: ScenarioAction = { action: 'status', status: 'IN_PROGRESS', exit_signal: false };
const RIGHT = claim('src/hello.txt:1 the greeting');

type Attempts = readonly (readonly ScenarioAction[])[];

/** Returns a project whose agent does these actions in its attempts, the last ones in each attempt after them. */
function project(
  attempts: Attempts,
  { gate = 'true', output = 'claude-stream', loop = '', more = '' } = {},
): Project {
  const last = attempts.at(-1) ?? [];
  return makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${loop}\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n${more}`,
    'check.sh': `${gate}\n`,
    '.ralph/scenario.json': JSON.stringify({
      output,
      steps: attempts.map((actions, index) => ({ when: { attempt: index + 1 }, do: actions })),
      otherwise: last,
    }),
  });
}

const types = (one: Project) => one.events().map(({ event_type, severity }) => `${event_type} ${severity}`);

/**
 * Returns a gate that fails the first time that it sees work, and passes from then on; it remembers that outside of
 * copies.
 */
const flakyIn = (kept: string) =>
  `test -e src || exit 0; test -e '${kept}/seen' && exit 0; touch '${kept}/seen'; echo boom; exit 1`;

describe.each(['claude-stream', 'text'])('honest work over several attempts (%s)', (output) => {
  it.each<[string, Attempts]>([
    ['without a status block, then claimed', [[WRITE], [RIGHT]]],
    ['asked about in prose, then claimed', [[WRITE, { action: 'print', text: 'Shall I go on?' }], [RIGHT]]],
    ['in progress, then claimed', [[WRITE, PROGRESS], [RIGHT]]],
    ['cut off by its own error, then claimed', [[WRITE, { action: 'exit', code: 1 }], [RIGHT]]],
  ])('%s: done', (_what, attempts) => {
    const one = project(attempts, { output });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 2 });
    const { verdict, cause } = one.iteration(2).decisions;
    expect(verdict.kind).toBe('done');
    expect(cause).toContain('1 file changed by earlier attempts');
    // An attempt without changes is recorded, and not counted.
    expect(types(one)).toContain('no_files_detected info');
    expect(types(one).filter((type) => /false_completion|threshold/.test(type))).toEqual([]);
  });

  it('claimed, and a gate failed once: done at once', () => {
    const kept = temporaryFolder();
    const more = `[box]\nwritable = ["${kept}"]\n`;
    const one = project([[WRITE, RIGHT]], { gate: flakyIn(kept), output, more });
    expect(one.json('run')).toMatchObject({
      exit_code: 0,
      ending: 'all_done',
      iterations: 1,
      lies_caught: 0,
    });
    expect(existsSync(join(kept, 'seen'))).toBe(true);
  });

  it.each([
    ['lines that the file does not have', 'src/hello.txt:40-90 the greeting'],
    ['a misspelt name beside a right one', 'src/helo.txt:1 the greeting'],
  ])('%s are a warning: done at once', (_what, wrong) => {
    const one = project([[WRITE, claim(wrong)]], { output });
    expect(one.json('run')).toMatchObject({
      exit_code: 0,
      ending: 'all_done',
      iterations: 1,
      lies_caught: 0,
    });
    expect(one.iteration(1).decisions.cause).toContain("Its evidence isn't exact: ");
  });
});

const BLOCK = 'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS\n';

it.each([
  ['that said DONE and does nothing any more is judged', BLOCK, 'all_done', 'exited'],
  ['that said nothing has run out of its time', 'Hm.\n', 'all_blocked', 'timed_out'],
])('an agent of plain text %s', (_what, words, ending, end) => {
  const one = makeProject({
    '.ralph/ralph.toml': [
      '[loop]\nagent = "mine"\nmax_attempts_per_task = 1\n[runners.mine]\nargv = ["sh", "agent.sh"]',
      '[modes.speed]\ntimeout = 4\n[adaptive_timeout]\nmin_timeout = 1\nidle_timeout = 1\n',
    ].join('\n'),
    'said.txt': words,
    'agent.sh': 'echo hello > hello.txt\ncat said.txt\nsleep 60\n',
  });
  expect(one.json('run')).toMatchObject({ ending });
  expect(one.iteration(1).facts.end).toMatchObject({ kind: end });
});

it('work that is never called done is blocked and kept, and the next task comes', () => {
  const one = makeProject({
    '.ralph/PRD.md': '# Tasks\n\n- [ ] **T-1** Write one.txt\n- [ ] **T-2** Write two.txt\n',
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "test", run = "true" }]\n',
    '.ralph/scenario.json': JSON.stringify({
      steps: [{ when: { task: 'T-1' }, do: [{ ...WRITE, path: 'one.txt' }] }],
      otherwise: [{ ...WRITE, path: 'two.txt' }, claim('two.txt:1 it')],
    }),
  });
  expect(one.json('run')).toMatchObject({ exit_code: 4, iterations: 5, tasks: { done: 1 } });
  expect(one.iteration(4).decisions.blocked).toMatchObject({ reason: 'incomplete' });
  expect(one.ralph('blocked', '--suggest').stdout).toContain('completion = "gates"');
  expect(one.ralph('take', 'T-1').code).toBe(0);
});

it("a file that a later attempt puts back doesn't count as an unread change", () => {
  const broken: ScenarioAction = { ...WRITE, path: 'lib.js', content: 'export const a = 2;\n' };
  const whole: ScenarioAction = { ...WRITE, path: 'lib.js', content: 'export const a = 1;\n' };
  const one = project([
    [WRITE, broken],
    [whole, RIGHT],
  ]);
  one.write('lib.js', 'export const a = 1;\n');
  one.commitAll('lib');
  expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
  expect(one.iteration(2).facts.avoidance.findings).toEqual([]);
});

describe('claims that stay false', () => {
  it.each<[string, Attempts]>([
    ['nothing was ever written', [[RIGHT]]],
    [
      'what was written was taken away again',
      [
        [WRITE, PROGRESS],
        [{ action: 'delete', path: 'src' }, RIGHT],
      ],
    ],
    ['what is shown was never there', [[WRITE, claim('lib/parser.ts:1-80 the parser')]]],
    ['the work breaks a gate', [[{ ...WRITE, path: 'broken.txt' }, claim('broken.txt:1 all of it')]]],
  ])('%s', (_what, attempts) => {
    const gate = 'test ! -e broken.txt || { echo "src/a.js:3: broken"; exit 1; }';
    const one = project(attempts, { gate });
    expect(one.json('run', '--max-iterations', '9')).toMatchObject({ exit_code: 4, ending: 'all_blocked' });
    expect(types(one).filter((type) => type.startsWith('false_completion'))).not.toEqual([]);
  });
});

it('a red tree that an attempt did not change is still red, with its error', () => {
  const gate = 'test ! -e src || { echo "src/hello.txt:1: not a greeting"; exit 1; }';
  const one = project([[WRITE, PROGRESS], [RIGHT]], { gate });
  one.json('run', '--max-iterations', '2');
  const { verdict, cause } = one.iteration(2).decisions;
  expect(verdict).toEqual({ kind: 'gates_failed', gates: ['test'] });
  expect(cause).toContain('Still red: src/hello.txt:1: not a greeting');
  expect(one.promptOf(2)).not.toMatch(/NO FILES|FIRST action/);
});

it('progress without a block is told so, with what counts and what to do when nothing is left', () => {
  const one = project([[WRITE], [RIGHT]]);
  one.json('run');
  expect(one.promptOf(2)).toContain('ended without the status block');
  expect(one.promptOf(2)).toContain('Still in the work tree, and it counts: `src/hello.txt`.');
  expect(one.promptOf(2)).toContain('If nothing is left');
});

it('an agent that never says how far it is, is told of with the way out, in the run and in the report', () => {
  const one = project(['a', 'b', 'c', 'd'].map((content) => [{ ...WRITE, content }]));
  const flat = (text: string) => text.replace(/\s+/g, ' ');
  const says = '3 attempts in a row ended without the status block';
  expect(flat(one.ralph('run', '--max-iterations', '2').stdout)).not.toContain('in a row ended');
  const { stdout } = one.ralph('run', '--max-iterations', '1');
  expect(flat(stdout)).toContain(`${says}, so the task can't be done.`);
  expect(flat(one.ralph('report').stdout)).toMatch(
    /Needs you .*T-1 .*3 attempts in a row .*completion = "gates"/,
  );
});

describe('a task that was done before', () => {
  const already = (...evidence: string[]): ScenarioAction => ({
    ...{ action: 'status', status: 'ALREADY_DONE', exit_signal: true, evidence },
  });

  it('waits for you after one attempt, and is done once you accept it', () => {
    const one = project([[already('README.md:1 it says hello')]]);
    expect(one.json('run')).toMatchObject({
      exit_code: 5,
      ending: 'awaiting_human',
      iterations: 1,
      lies_caught: 0,
    });
    expect(one.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'already_done' },
      failedAttempt: false,
    });
    const output = one.ralph('blocked', '--suggest').stdout;
    expect(output).toContain('ralph tasks accept T-1');
    expect(one.ralph('status').stdout).toContain('ralph tasks accept T-1');
    expect(one.ralph('tasks', 'accept', 'T-1').code).toBe(0);
    expect(one.read('.ralph/PRD.md')).toContain('[x] **T-1**');
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 0 });
  });

  it.each([
    ['evidence is not there', already('src/none.ts:1 the parser'), 'true'],
    ['no evidence is given', already(), 'true'],
    ['a gate fails', already('README.md:1 it says hello'), 'echo "1 failed"; exit 1'],
  ])('is not believed where %s', (_what, action, gate) => {
    const one = project([[action]], { gate, loop: 'max_attempts_per_task = 1' });
    expect(one.json('run').exit_code).toBe(4);
    expect(one.iteration(1).decisions.verdict.kind).not.toBe('already_done');
  });

  it('is a false claim where it is only called DONE', () => {
    const one = project([[claim('README.md:1 it says hello')]], { loop: 'max_attempts_per_task = 1' });
    expect(one.json('run')).toMatchObject({ exit_code: 4, lies_caught: 1 });
  });
});

it('a task that cannot be done as it stands costs no attempt', () => {
  const reason = 'test/a.test.ts asserts 2 where the task asks for 3';
  const one = project([[blocked(reason)]]);
  const run = one.json('run');
  expect(run).toMatchObject({ iterations: 1, lies_caught: 0 });
  expect(one.iteration(1).decisions).toMatchObject({
    verdict: { kind: 'agent_blocked' },
    failedAttempt: false,
  });
  expect(one.ralph('blocked', '--suggest').stdout.replace(/\s+/g, ' ')).toContain(reason);
});

it('the third prompt after two false claims is short and says each cause once', () => {
  const one = project([[RIGHT]]);
  one.json('run');
  const prompt = one.promptOf(3);
  expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(4096);
  expect(prompt.split('wrote NO FILES.')).toHaveLength(2);
  expect(prompt).not.toMatch(/0 of 1|## Progress|## Lessons/);
});
