/** @module-tag slow */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { evaluated, playSteps, type Step } from '../helpers/played-steps.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../helpers/repository.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TEXTS = {
  workflow: readFileSync(join(ROOT, 'templates/ci/github.yml'), 'utf8'),
  gitlab: readFileSync(join(ROOT, 'templates/ci/gitlab.yml'), 'utf8'),
  action: readFileSync(join(ROOT, 'action.yml'), 'utf8'),
};
const workflow = parse(TEXTS.workflow);
const gitlab = parse(TEXTS.gitlab)['ralph-verify'];
const action = parse(TEXTS.action);

const TEST =
  "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { one } from '../src/one.js';\n";
const FILES = {
  'package.json':
    '{ "name": "one", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  'package-lock.json':
    '{ "name": "one", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "one", "version": "1.0.0" } } }\n',
  '.gitignore': 'node_modules/\nralph.sarif\nralph.md\n',
  'src/one.js': 'export const one = 2;\n',
  'test/one.test.js': `${TEST}test('is a number', () => assert.equal(typeof one, 'number'));\n`,
};
const RIGHT = {
  'src/one.js': 'export const one = 1;\n',
  'test/one.test.js': `${TEST}test('is one', () => assert.equal(one, 1));\n`,
};
const WRONG = { 'src/one.js': "export const one = 'one';\n" };
const SLY = { ...WRONG, '.ralph/ralph.toml': '[[gates.commands]]\nname = "test"\nrun = "true"\n' };

/** Returns a pull request of a fork on a code host: its target, and the folder of the job. */
function pullRequest(files: Readonly<Record<string, string>>) {
  const remote = join(temporaryFolder(), 'remote.git');
  const author = makeRepository(FILES);
  const base = author.git('rev-parse', 'HEAD');
  author.git('clone', '-q', '--bare', author.root, remote);
  author.git('checkout', '-q', '-b', 'work');
  for (const [name, text] of Object.entries(files)) author.write(name, text);
  const head = author.commitAll('the work');
  author.git('checkout', '-q', '--detach', base);
  author.git('merge', '-q', '--no-ff', '-m', 'merged', 'work');
  author.git('push', '-q', remote, 'work:refs/pull/1/head', 'HEAD:refs/pull/1/merge');
  const folder = temporaryFolder();
  const job = repositoryAt(join(folder, 'job'));
  // actions/checkout does the same with `fetch-depth: 0`.
  repositoryAt(folder).git('init', '-q', 'job');
  job.git('fetch', '-q', remote, '+refs/pull/1/merge:refs/remotes/pull/1/merge');
  job.git('checkout', '-q', '--detach', 'refs/remotes/pull/1/merge');
  return { job, folder, base, head };
}

type Job = ReturnType<typeof pullRequest>;
type Values = Readonly<Record<string, string>>;

/** Plays the steps of a job for a pull request. */
function play(
  { job, folder, base, head }: Job,
  steps: readonly Step[],
  { env = {}, inputs = {} }: { readonly env?: Values; readonly inputs?: Values } = {},
) {
  const event = { 'github.event.pull_request.base.sha': base, 'github.event.pull_request.head.sha': head };
  const given = Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, evaluated(value, event)]);
  const values = { ...event, ...Object.fromEntries(given) };
  return playSteps({ cwd: job.root, folder, env, values }, steps);
}

describe.each([
  [
    'the workflow',
    (job: Job) =>
      play(job, workflow.jobs.verify.steps, { env: { ...workflow.jobs.verify.env, RALPH_PACKAGE: ROOT } }),
  ],
  [
    'the action',
    (job: Job) => {
      job.job.git('checkout', '-q', '--detach', job.base);
      const defaults = Object.entries<{ default: string }>(action.inputs).map(([name, one]) => [
        name,
        one.default,
      ]);
      return play(job, action.runs.steps, { inputs: { ...Object.fromEntries(defaults), package: ROOT } });
    },
  ],
])('%s', (name, run) => {
  it.each([
    ['passes work that is shown', RIGHT, 0, 'verified'],
    // The code is wrong, and the branch brings gates by which it would pass.
    ['judges by the gates of the base', SLY, 1, 'not verified'],
  ])('%s', (_what, files, code, words) => {
    const job = pullRequest(files);
    const played = run(job);
    expect(played, played.said).toMatchObject({ code });
    expect(played.summary).toContain(`### ralph verify: ${words}\n`);
    const sarif = JSON.parse(job.job.read('ralph.sarif'));
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ properties: { base: job.base, head: job.head } }],
    });
    if (name === 'the action') expect(played.output).toBe(`exit-code=${code}\n`);
    else expect(played.used).toEqual(['actions/checkout', 'actions/setup-node', 'actions/upload-artifact']);
  });
});

it('the GitLab job judges a merge request in the same way', () => {
  const job = pullRequest(WRONG);
  const script = (gitlab.script as string[]).map((run): Step => ({ run }));
  const variables = { ...gitlab.variables, RALPH_PACKAGE: ROOT, CI_BUILDS_DIR: job.folder };
  const of = { CI_MERGE_REQUEST_DIFF_BASE_SHA: job.base, CI_COMMIT_SHA: job.head };
  const { code, said } = play(job, script, { env: { ...variables, ...of } });
  expect(code, said).toBe(1);
  expect(job.job.read('ralph.md')).toContain('### ralph verify: not verified\n');
  expect(job.job.exists('ralph.sarif')).toBe(true);
});

it('a job of a fork gets no secret and may write nothing', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(Object.keys(workflow.on)).toEqual(['pull_request']);
  expect(workflow.jobs.verify.permissions).toBeUndefined();
  const [checkout] = workflow.jobs.verify.steps as Step[];
  expect(checkout?.with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
  for (const text of Object.values(TEXTS)) expect(text).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN/);
  const steps: Step[] = [...workflow.jobs.verify.steps, ...action.runs.steps];
  // Text that a stranger can write must never be a part of a script.
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
  for (const [name, input] of Object.entries<Record<string, unknown>>(action.inputs))
    expect(input, name).toMatchObject({
      description: expect.stringMatching(/\((?:text|path|package.*)\)/),
      required: false,
      default: expect.any(String),
    });
});
