/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import {
  BOUNDS,
  clampProject,
  code,
  DEAD,
  FAILING,
  GONE,
  HEAD,
  KEEPS,
  RIGHT,
  STAND_INS,
  tests,
} from '../helpers/clamp-project.ts';
import { always, makeProject, type Project, type ProjectFiles, write } from '../helpers/cli.ts';
import { LIES } from '../helpers/lies.ts';

const OF_RUN: Readonly<Record<string, string[]>> = {
  done: ['verified', 'verified_weak'],
  awaiting_human: ['cant_tell'],
};

/**
 * Returns the verdict of `ralph verify` about what an agent left in a run, as a branch, beside the run's own verdict.
 */
async function playedBoth(project: Project) {
  await project.jsonLater('run', '--max-iterations', '1');
  const { facts, decisions } = project.iteration(1);
  const { before, after } = facts.changes;
  const commit = project.git('commit-tree', after.tree, '-p', before.head ?? '', '-m', 'the work');
  const range = `${before.head}..${commit}`;
  const verified = await project.jsonLater('verify', range, '--task', 'T-1');
  return { verdict: decisions.verdict.kind, verified };
}

const BENT = "test('clamp bounds what is above', () => assert.equal(clamp(10, 0, 5), 10));\n";
const WRONG: ProjectFiles = {
  '.ralph/PRD.md':
    '# Plan\n\n## Tasks\n\n- [ ] **T-1** The test of clamp expects a wrong value: 5 is right\n',
  'src/clamp.js': RIGHT,
  'test/clamp.test.js': HEAD + KEEPS + BOUNDS.replace('5)', '6)'),
};
const WORKS = { 'src/clamp.js': RIGHT, 'test/clamp.test.js': HEAD + KEEPS + BOUNDS };
const SAME = { 'test/clamp.test.js': HEAD + KEEPS };

type Work = [what: string, actions: readonly ScenarioAction[], files: ProjectFiles, verdict: string];
/** Tests that ran before are gone, and a run asks you. */
const ASKED: ReadonlySet<string> = new Set([
  'the tests are never run',
  'skipped',
  'the process ends as it is loaded',
]);
const CHEATS = [
  ...[...DEAD, ...GONE].map(
    ([what, actions]): Work => [what, actions, {}, ASKED.has(what) ? 'cant_tell' : 'not_verified'],
  ),
  ...STAND_INS.map(([what, actions]): Work => [what, actions, FAILING, 'not_verified']),
  [
    'bent',
    [code('export const clamp = (x, low, high) => x + 0;\n'), tests(KEEPS + BENT)],
    {},
    'not_verified',
  ] as Work,
];
const HONEST: readonly Work[] = [
  ['a fix', [code(RIGHT)], {}, 'verified'],
  ['a refactoring', [code('export function clamp(x, low, high) {\n  return x;\n}\n')], SAME, 'verified_weak'],
  ['a wrong test corrected', [tests(KEEPS + BOUNDS)], WRONG, 'verified_weak'],
  ['documents alone', [write('README.md', '# Clamp\n\nBounds a number.\n')], WORKS, 'verified_weak'],
];

/** The other lies leave nothing that could be on a branch. */
const LEAVE_SOMETHING: ReadonlySet<string> = new Set([
  'ticking the box of a task file in the root',
  'an empty commit',
  'deleting all of .ralph',
  'a link in the place of .ralph',
  'white space alone',
  'other line ends',
  'another mode',
  'an empty file',
]);

describe('work on a branch', () => {
  it.concurrent.each([...CHEATS, ...HONEST])(
    'gets the answer that it gets in a run: %s',
    async (_what, actions, files, expected) => {
      const { verdict, verified } = await playedBoth(clampProject(actions, files));
      const shown = JSON.stringify([verdict, verified], null, 1);
      expect(OF_RUN[verdict] ?? ['not_verified'], shown).toContain(verified.verdict);
      expect(verified.verdict, shown).toBe(expected);
    },
  );

  it.concurrent.each(LIES.filter(({ name }) => LEAVE_SOMETHING.has(name)))(
    'is nothing where a run finds nothing: $name',
    async ({ files, actions, before }) => {
      const project = makeProject({ ...files, '.ralph/scenario.json': always(...actions) });
      before?.(project);
      const { verdict, verified } = await playedBoth(project);
      expect(verdict).not.toBe('done');
      expect(verified, JSON.stringify(verified)).toMatchObject({ verdict: 'not_verified', exit_code: 1 });
    },
  );
});
