/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';

const NOTHING_DONE = always({ action: 'print', text: 'I looked around.' });

const config = (more: string) =>
  `[loop]\nagent = "scripted"\nmax_iterations = 1\n\n[interventions]\ncooldown_seconds = 0\n\n${more}`;

function withHandler(module: string, files: ProjectFiles = {}): Project {
  return makeProject({
    '.ralph/ralph.toml': config('[interventions.handlers]\nno_files = "./handlers/mine.mjs"\n'),
    '.ralph/scenario.json': NOTHING_DONE,
    'handlers/mine.mjs': module,
    ...files,
  });
}

const applied = (project: Project) =>
  (project.iteration(1).decisions.interventions ?? []).map(({ record }) => [record.issue, record.type]);

describe("the user's module", () => {
  it.each([
    ['throws', 'export function intervene() { throw new Error("broken on purpose"); }', 'broken on purpose'],
    ['hangs', 'export function intervene() { for (;;); }', 'within 5 s'],
    [
      'returns nonsense',
      'export function intervene() { return { intervention: "shout" }; }',
      'cannot be used',
    ],
    ['cannot be loaded', 'export function intervene( {', 'SyntaxError', 'detect'],
    ['ends the process', 'export function intervene() { process.exit(3); }', 'process.exit'],
  ])('that %s is told of, and the built-in ladder applies', (_, module, words, call = 'intervene') => {
    const project = withHandler(module);
    const result = project.json('run');
    expect(result).toMatchObject({ exit_code: 3, ending: 'max_iterations' });
    expect(applied(project)).toEqual([['no_files', 'soft_correction']]);
    const failed = project.events().find(({ event_type }) => event_type === 'handler_failed');
    expect(failed?.details).toMatchObject({ issue: 'no_files', call });
    expect(String(failed?.details.failure)).toContain(words);
    expect(String(failed?.details.failure)).toContain('handlers/mine.mjs');
  });

  it('chooses another answer, with words of its own', () => {
    const project = withHandler(
      'export const intervene = ({ issue }) => ({ intervention: "soft_correction", text: "Mind " + issue + "." });',
    );
    project.json('run', '--max-iterations', '2');
    expect(project.promptOf(2)).toContain('Mind no_files.');
  });

  it('wants nothing done', () => {
    const project = withHandler('export const intervene = () => ({ intervention: "none" });');
    project.json('run');
    expect(applied(project)).toEqual([]);
  });

  it('detects an issue of its own and brings its ladder', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('[interventions.handlers]\nno_semicolon = "./handlers/mine.mjs"\n'),
      '.ralph/scenario.json': always(
        { action: 'write', path: 'src/parser.ts', content: 'export {}\n' },
        { action: 'status', status: 'IN_PROGRESS', exit_signal: false },
      ),
      'handlers/mine.mjs': `export function detect({ changes }) {
        if (!changes.some(({ path }) => path === 'src/parser.ts')) return null;
        return { severity: 'medium', confidence: 1, impactFactor: 0, summary: 'A semicolon is missing.', ladder: ['context_reinforcement'] };
      }`,
    });
    project.json('run');
    expect(applied(project)).toEqual([['no_semicolon', 'context_reinforcement']]);
    const { findings } = project.iteration(1).decisions;
    expect(findings.map(({ type }) => type)).toEqual(['no_semicolon']);
    expect(project.events().map(({ event_type }) => event_type)).toContain('pattern_detected');
  });

  it('that the agent changes is run as it is in the checkout', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('[interventions.handlers]\nno_files = "./handlers/mine.mjs"\n'),
      '.ralph/scenario.json': always(
        {
          action: 'write',
          path: 'handlers/mine.mjs',
          content:
            "import { writeFileSync } from 'node:fs';\nexport function detect() { writeFileSync('owned', ''); return null; }\n",
        },
        { action: 'status', status: 'IN_PROGRESS', exit_signal: false },
      ),
      'handlers/mine.mjs': 'export const intervene = () => null;\n',
    });
    project.json('run');
    expect(project.exists('owned')).toBe(false);
    expect(project.events().filter(({ event_type }) => event_type === 'handler_failed')).toEqual([]);
  });

  it('is the strategy', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config(
        '[interventions.strategy]\ntype = "custom"\nmodule = "./handlers/strategy.mjs"\n',
      ),
      '.ralph/scenario.json': NOTHING_DONE,
      'handlers/strategy.mjs':
        'export const intervene = () => ({ intervention: "context_reinforcement" });\n',
    });
    project.json('run');
    expect(applied(project)).toEqual([['no_files', 'context_reinforcement']]);
  });
});

describe('templates of the user', () => {
  it('are the words of a soft correction', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('').replace(
        'cooldown_seconds = 0',
        'cooldown_seconds = 0\ncustom_prompts_path = "prompts.yaml"',
      ),
      '.ralph/scenario.json': NOTHING_DONE,
      'prompts.yaml': 'no_files: "Task {task_id}: write first, talk later."\n',
    });
    project.json('run', '--max-iterations', '2');
    expect(project.promptOf(2)).toContain('Task T-1: write first, talk later.');
  });

  it('that cannot be read are refused before the run', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('').replace('cooldown_seconds = 0', 'custom_prompts_path = "none.yaml"'),
      '.ralph/scenario.json': NOTHING_DONE,
    });
    const result = project.json('run');
    expect(result.exit_code).toBe(2);
    expect(JSON.stringify(result)).toContain('custom_prompts_path');
  });
});

/** Returns the first notification that the command got. */
function firstNotified(project: Project) {
  return JSON.parse(project.read('notified').split('\n')[0] ?? '');
}

describe('the notification of a task that waits for you', () => {
  it('goes out when there is no safe checkpoint to go back to', () => {
    const project = makeProject({
      // The gate fails from the beginning, so that no checkpoint is safe.
      '.ralph/ralph.toml': config(
        '[interventions.handlers]\nno_files = "./handlers/mine.mjs"\n[gates]\ncommands = ["test -e never"]\n[notify]\ncommand = "cat >> notified"\n',
      ),
      '.ralph/scenario.json': NOTHING_DONE,
      'handlers/mine.mjs': 'export const intervene = () => ({ intervention: "checkpoint_rollback" });\n',
    });
    const run = project.ralph('run', '--max-iterations', '3');
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('there is no safe checkpoint');
    expect(run.stdout).toContain('ralph unblock T-1');
    // The recovery plan is in the summary, the notification and the status.
    const plan = 'Fix the work tree by hand, or narrow the task in the task list.';
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(plan);
    const notified = firstNotified(project);
    expect(notified).toMatchObject({ kind: 'awaiting_human', task_id: 'T-1' });
    expect(notified.text).toContain(plan);
    const status = project.ralph('status').stdout.replace(/\s+/g, ' ');
    expect(status).toContain('! T-1 ');
    expect(status).toContain(plan);
    expect(project.json('status').unfinished[0].recovery).toContain(plan);
  });
});

describe('the notification of an emergency stop', () => {
  const LEAK = always(
    { action: 'write', path: 'src/config.ts', content: `export const key = "AKIA${'Q7ZP4M2X9KD3V8TB'}";\n` },
    claim('src/config.ts:1 the configuration'),
  );

  it('goes to a command as JSON', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('[notify]\ncommand = "cat >> notified"\n'),
      '.ralph/scenario.json': LEAK,
    });
    expect(project.json('run').exit_code).toBe(8);
    expect(firstNotified(project)).toMatchObject({
      kind: 'emergency_stop',
      incident: 'INC-1',
      task_id: 'T-1',
      next: ['ralph resume INC-1'],
    });
  });

  it('that does not get through is recorded, and the run ends as it would', () => {
    const project = makeProject({
      '.ralph/ralph.toml': config('[notify]\ncommand = "exit 7"\nwebhook = "http://127.0.0.1:9/hook"\n'),
      '.ralph/scenario.json': LEAK,
    });
    expect(project.json('run')).toMatchObject({ exit_code: 8, ending: 'emergency_stop' });
    const failed = project.events().filter(({ event_type }) => event_type === 'notification_failed');
    // The first notification is about the stop, the second about the end of the run.
    expect(failed.map(({ details }) => [details.channel, details.tries])).toEqual([
      ['command', 3],
      ['webhook', 3],
      ['command', 3],
      ['webhook', 3],
    ]);
  });
});
