import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ciFolder, reportOf } from '../../helpers/ci-folder.ts';
import { playSteps, type Step } from '../../helpers/played-steps.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TEXT = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8');
const workflow = parse(TEXT);
const { test: job } = workflow.jobs;
const steps: readonly Step[] = job.steps;
const nodes: readonly number[] = job.strategy.matrix.node;

/** Plays the job for one Node; `answers`: what programs answer, by their file. */
function play(node: number, answers: Readonly<Record<string, string>>) {
  const { root, env } = ciFolder(answers);
  return playSteps(
    { cwd: root, folder: temporaryFolder(), env, values: { 'matrix.node': `${node}` } },
    steps,
  );
}

const GREEN = {
  'usual.json': reportOf({ passed: 8 }),
  'rest.json': reportOf({ passed: 2 }),
  'slow.json': reportOf({ passed: 3 }),
};

it('is for each Node that ralph is for, with the oldest that a developer uses', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(nodes).toEqual([20, 22, 24]);
  expect(engines.node).toMatch(`>=${nodes[0]}.`);
  expect(readFileSync(join(ROOT, '.nvmrc'), 'utf8')).toBe(`${nodes[0]}\n`);
  expect(steps[1]?.with).toMatchObject({ 'node-version': expect.stringContaining(' matrix.node ') });
});

describe.each(nodes)('with Node %i', (node) => {
  it('installs what tests need, then runs all of them', () => {
    const { code, said, used } = play(node, GREEN);
    expect(code, said).toBe(0);
    expect(used).toEqual(['actions/checkout', 'actions/setup-node']);
    expect(said.match(/^ran apt-get install .*$/m)?.[0]).toMatch(
      /bubblewrap fish prometheus redis-server zsh$/,
    );
    expect(said).toContain('ran test --');
    expect(said.trimEnd().split('\n').at(-1)).toBe('13 passed, 0 failed');
  });

  it.each([
    ['a slow test fails', { ...GREEN, 'slow.json': reportOf({ passed: 2, failed: 1 }), 'slow.code': '1' }, 1],
    ['nothing can be installed', { ...GREEN, 'update.code': '100' }, 100],
  ])('fails where %s', (_, answers, code) => {
    expect(play(node, answers)).toMatchObject({ code });
  });
});

it('a pull request of a fork gets no secret, may write nothing, and says nothing in a script', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request']);
  expect(job.permissions).toBeUndefined();
  expect(steps[0]?.with).toEqual({ 'persist-credentials': false });
  expect(TEXT).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN/);
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
  // CI ends a job that hangs, later than the hour that all tests take.
  expect(job['timeout-minutes']).toBe(90);
});

it('the forms for issues are what the code host reads', () => {
  const folder = join(ROOT, '.github/ISSUE_TEMPLATE');
  for (const name of readdirSync(folder)) {
    const { body, ...form } = parse(readFileSync(join(folder, name), 'utf8'));
    expect(form, name).toEqual({ name: expect.any(String), description: expect.any(String) });
    const questions = body.filter(({ type }: { type: string }) => type !== 'markdown');
    const ids = questions.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const { type, attributes } of questions) {
      expect(type, name).toMatch(/^(?:textarea|input|dropdown|checkboxes)$/);
      expect(attributes.label, name).toEqual(expect.any(String));
    }
  }
});
