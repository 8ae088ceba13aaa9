import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import type { ProverCheck, TriedCheck } from '../../../src/domain/prover.ts';
import type { Task } from '../../../src/domain/task.ts';
import {
  droppedBecause,
  failureOf,
  problemOf,
  readChecks,
  readRulings,
} from '../../../src/proof/shown/index.ts';
import { commandRun } from '../../helpers/facts.ts';
import { results } from '../../helpers/results.ts';

const TASK: Task = {
  ...EMPTY_TASK,
  title: 'Add a slug module in `src/slug.js`',
  acceptance: ['`slug(text)` has no spaces', 'it is documented'],
};
const PATHS = ['src/index.js', 'src/text/case.js', 'test/index.test.js', 'package.json'];
const known = { task: TASK, paths: PATHS };

function check(path: string, text = '', more: Partial<ProverCheck> = {}): ProverCheck {
  return { criterion: 1, command: `node --test ${path}`, files: [{ path, text }], ...more };
}

describe('what a check may lean on', () => {
  it.each<[string, ProverCheck]>([
    ['a test beside others', check('test/slug.test.js', "import { slug } from '../src/slug.js';")],
    [
      'a folder of its own',
      check('proof/a/slug.mjs', "import '../../src/index.js'; require('../../src/text/case');"),
    ],
    [
      'its own files',
      check('test/slug.test.js', "import './slug-data.test.js';", {
        files: [
          { path: 'test/slug.test.js', text: "import './slug-data.test.js'" },
          { path: 'test/slug-data.test.js', text: '' },
        ],
      }),
    ],
    ['no files', { criterion: 2, command: 'grep -q slug README.md', files: [] }],
    ['a package', check('test/slug.test.js', "import lodash from 'lodash';")],
  ])('%s', (_, one) => expect(problemOf(one, known)).toBeNull());

  it.each<[string, ProverCheck]>([
    ['there is no criterion 3', check('test/a.test.js', '', { criterion: 3 })],
    ['there is no criterion 0', check('test/a.test.js', '', { criterion: 0 })],
    ["isn't a path in the repository", check('../a.test.js')],
    ["isn't a path in the repository", check('/etc/a.test.js')],
    ["isn't a path in the repository", check('.git/hooks/a.test.js')],
    ["isn't a path in the repository", check('.ralph/a.test.js')],
    ["isn't a path in the repository", check('node_modules/a/a.test.js')],
    ["isn't a path in the repository", check('test/./a.test.js')],
    ['is there', check('test/index.test.js')],
    ['is there', check('src')],
    ['lies beside no test', check('src/helper.js')],
    ['lies beside no test', check('setup.cfg')],
    ['src/kebab is named by nothing', check('test/a.test.js', "import { k } from '../src/kebab';")],
  ])('%s: it is not tried', (why, one) => expect(problemOf(one, known)).toContain(why));
});

const failed: GateOutcome = { kind: 'failed', exitCode: 1, signal: null };

type Trials = { readonly one: TriedCheck; readonly trials: readonly CommandRun[] };

function trial(more: { readonly outcome?: GateOutcome; readonly failure?: string }): CommandRun {
  const { outcome = failed, failure = 'slug' } = more;
  return commandRun({ why: 'prover-before', outcome, outputTail: failure });
}

function tried(all: readonly Parameters<typeof trial>[0][], more: Partial<TriedCheck> = {}): Trials {
  const one = { check: check('test/slug.test.js'), touched: [], problem: null, ...more };
  return { one, trials: all.map(trial) };
}

function failureIn(failing: string[], outputTail: string): string {
  return failureOf(commandRun({ results: results({ failing }), outputTail }));
}

describe('what was tried', () => {
  it.each<[string, Trials]>([
    ['twice alike', tried([{}, {}])],
    [
      'as the module of the task is missing',
      tried(
        [
          { failure: "Cannot find module '/x/src/slug.js'" },
          { failure: "Cannot find module '/x/src/slug.js'" },
        ],
        {
          check: check('test/slug.test.js', "import '../src/slug.js'"),
        },
      ),
    ],
    [
      'as an export is missing',
      tried([
        { failure: "SyntaxError: slug.test.js does not provide an export named 'slug'" },
        { failure: "SyntaxError: slug.test.js does not provide an export named 'slug'" },
      ]),
    ],
  ])('%s: it is kept', (_, { one, trials }) => expect(droppedBecause(one, trials, TASK)).toBeNull());

  it.each<[string, Trials]>([
    ['passes before the work', tried([{ outcome: { kind: 'passed' } }, {}])],
    ['passes before the work', tried([{}, { outcome: { kind: 'passed' } }])],
    ["doesn't end", tried([{ outcome: { kind: 'timed_out', afterMs: 1 } }, {}])],
    ['is missing', tried([{ outcome: { kind: 'tool_missing', tool: 'x' } }, {}])],
    ["wasn't tried twice", tried([{}])],
    ['another way', tried([{ failure: 'a' }, { failure: 'b' }])],
    ['changes src/index.js', tried([{}, {}], { touched: ['src/index.js'] })],
    ['no time', tried([], { problem: 'no time was left to try it' })],
    [
      'lodash',
      tried(
        [
          { failure: "Cannot find package 'lodash' imported" },
          { failure: "Cannot find package 'lodash' imported" },
        ],
        { check: check('test/slug.test.js', "import 'lodash'") },
      ),
    ],
    [
      "can't be read",
      tried([
        { failure: 'test/slug.test.js\nSyntaxError: Unexpected token' },
        { failure: 'test/slug.test.js\nSyntaxError: Unexpected token' },
      ]),
    ],
  ])('%s: it is dropped', (why, { one, trials }) => expect(droppedBecause(one, trials, TASK)).toContain(why));

  it.each([
    ['12 ms', '13.5 ms'],
    ['at 2026-01-01T10:00:00.123Z', 'at 2026-01-01T10:00:01.456Z'],
    ['pid 4711 at 0x7fffabc', 'pid 4712 at 0x7fff123'],
    ['in /tmp/copy-a/src/x.js', 'in /tmp/copy-b/src/x.js'],
  ])('%s and %s are one failure', (one, other) => expect(failureIn([], one)).toBe(failureIn([], other)));

  it('other tests, and other errors of the same ones, are other failures', () => {
    expect(failureIn(['a'], '')).not.toBe(failureIn(['b'], ''));
    expect(failureIn(['a'], 'TypeError: x')).not.toBe(failureIn(['a'], 'RangeError: x'));
    expect(failureIn(['a', 'b'], '')).toBe(failureIn(['b', 'a'], ''));
  });
});

describe('answers', () => {
  const block = (checks: unknown, nonce = 'n1') => ({ text: JSON.stringify({ nonce, checks }), nonce: 'n1' });
  const one = { criterion: 1, command: 'true', files: [] };

  it('are read with prose around', () => {
    expect(readChecks({ ...block([one]), text: `So.\n${block([one]).text}\nThat is all.` })).toEqual({
      ok: true,
      answer: [one],
    });
    expect(readChecks(block([{ criterion: 1, command: 'true' }]))).toEqual({ ok: true, answer: [one] });
  });

  it.each([
    ['nonce', block([one], 'n2')],
    ['no JSON block', { text: 'none', nonce: 'n1' }],
    ['2 JSON blocks', { text: `${block([one]).text} ${block([one]).text}`, nonce: 'n1' }],
    ['checks', block(Array.from({ length: 6 }, () => one))],
    ['command', block([{ ...one, command: 'x'.repeat(501) }])],
    ['text', block([{ ...one, files: [{ path: 'a', text: 'x'.repeat(20_001) }] }])],
    ['characters', { text: 'x'.repeat(70_000), nonce: 'n1' }],
  ])('%s: not read', (why, turn) => {
    const read = readChecks(turn);
    expect(read.ok ? '' : read.problem).toContain(why);
  });

  it('rulings have a reason', () => {
    const text = (reason: string) =>
      JSON.stringify({ nonce: 'n1', rulings: [{ check: 0, keep: true, reason }] });
    expect(readRulings({ text: text('the task says so'), nonce: 'n1' })).toEqual({
      ok: true,
      answer: [{ check: 0, keep: true, reason: 'the task says so' }],
    });
    expect(readRulings({ text: text(' '), nonce: 'n1' }).ok).toBe(false);
  });
});
