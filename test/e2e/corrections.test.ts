/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { type Project, type ProjectFiles, withoutBox } from '../helpers/cli.ts';
import { night } from '../helpers/night.ts';

withoutBox();

const TASK = '**T-1** Write the parser\n  - Files: src/parser.ts';
const work = (path: string): ScenarioAction => ({
  action: 'write',
  path,
  content: 'export const attempt = {attempt};\n',
});
const lookUp: ScenarioAction = { action: 'shell', command: 'cat docs/no-such-guide.md' };
const inProgress: ScenarioAction = { action: 'status', status: 'IN_PROGRESS', exit_signal: false };

/** Returns a project with the default cool-down, in which attempts follow each other within seconds. */
function project(actions: readonly ScenarioAction[], more = '', files: ProjectFiles = {}): Project {
  return night(TASK)
    .agent(...actions)
    .loop('max_attempts_per_task = 9', 'no_progress_limit = 9')
    .toml('[git]\ncommit = "never"', more)
    .files(files)
    .make();
}

const types = (of: Project, issue: string): (string | null)[] =>
  of.iterations().map((number) => {
    const { interventions } = of.iteration(number).decisions;
    return interventions.find(({ record }) => record.issue === issue)?.record.type ?? null;
  });

describe('a correction carries the facts', () => {
  it('of repeated errors: the real path and the line of the error', () => {
    const made = project([work('src/parser.ts'), lookUp, lookUp, lookUp, inProgress]);
    made.json('run', '--max-iterations', '2');
    const prompt = made.promptOf(2);
    expect(prompt).toContain('docs/no-such-guide.md');
    expect(prompt).toContain('No such file or directory');
    expect(prompt).not.toContain('<path>');
    // After a quick failure the next one is answered, whatever the cool-down is.
    expect(types(made, 'repetitive_errors')).toEqual(['soft_correction', 'context_reinforcement']);
  });

  it('of a gate that keeps failing: the place and the line of its error', () => {
    const gate = '{ name = "test", run = "sh check.sh" }';
    const made = project(
      [work('src/parser.ts'), { action: 'write', path: 'broken', content: '{attempt}\n' }, inProgress],
      `[gates]\ncommands = [${gate}]\n`,
      {
        'check.sh':
          'test -e broken || exit 0\necho "AssertionError: expected 1 to be 2"\necho "  at test/parser.test.ts:12:5"\nexit 1\n',
      },
    );
    made.json('run', '--max-iterations', '3');
    const found = made.iteration(2).decisions.findings.find(({ type }) => type === 'repetitive_errors');
    expect(found?.details.gates).toMatchObject([
      { gate: 'test', line: 'AssertionError: expected 1 to be 2', path: 'test/parser.test.ts:12' },
    ]);
    expect(made.promptOf(3)).toContain('`AssertionError: expected 1 to be 2` (at `test/parser.test.ts:12`)');
  });

  it('of scope creep: the files', () => {
    const made = project([work('lib/elsewhere.ts'), work('lib/other.ts'), inProgress]);
    made.json('run', '--max-iterations', '2');
    expect(made.promptOf(2)).toContain('`lib/elsewhere.ts`, `lib/other.ts`');
    const row = 'scope creep, 2nd time: given lower limits; next: stopped';
    expect(made.ralph('explain', 'T-1').stdout.replace(/\s+/g, ' ')).toContain(row);
    expect(made.json('explain', 'T-1').task.answer).toMatchObject({ issue: 'scope_creep', times: 2 });
  });
});

describe('look-ups that fail', () => {
  it("take no work away, and doing the work again isn't an oscillation", () => {
    const made = project(
      [work('src/parser.ts'), lookUp, lookUp, lookUp, inProgress],
      '[interventions]\ncooldown_seconds = 0\n[interventions.safe_checkpoint]\nno_errors_seconds = 0\n',
    );
    made.json('run', '--max-iterations', '5');
    expect(types(made, 'repetitive_errors')).not.toContain('checkpoint_rollback');
    expect(made.readCopy('src/parser.ts')).toContain('attempt = 5');
    const found = made.iterations().flatMap((number) => made.iteration(number).decisions.findings);
    expect(found.map(({ type }) => type)).not.toContain('oscillation');
  });
});

describe('an incident without a safe checkpoint', () => {
  it('has a recovery plan, which the notification brings along', () => {
    const leak: ScenarioAction = {
      ...{ action: 'write', path: 'src/parser.ts' },
      content: `export const key = "AKIA${'Q7ZP4M2X9KD3V8TB'}";\n`,
    };
    // The gate fails from the beginning, so that no checkpoint is safe.
    const made = project(
      [leak, inProgress],
      '[gates]\ncommands = ["test -e never"]\n[notify]\ncommand = "cat >> told.json"\n',
    );
    expect(made.json('run').exit_code).toBe(8);
    const plan = 'Fix the work tree by hand, or narrow the task in the task list.';
    const shown = made.ralph('incidents', 'show', 'INC-1').stdout;
    expect(shown).toContain('Recovery plan');
    expect(shown.replace(/\s+/g, ' ')).toContain(plan);
    expect(made.read('told.json')).toContain(plan);
  });
});

describe('the profile', () => {
  it('has the intervention history of its agent', () => {
    const made = project([inProgress]);
    made.json('run', '--max-iterations', '2');
    const [profile] = made.json('profile').profiles;
    expect(profile.intervention_history).toContainEqual(
      expect.objectContaining({
        iteration: 1,
        event_type: 'intervention_applied',
        severity: 'info',
        details: expect.objectContaining({ issue_type: 'no_files', intervention_type: 'soft_correction' }),
      }),
    );
    const document = JSON.parse(made.read('.ralph/interventions/profile.json'));
    expect(document.profiles[0].intervention_history).toEqual(profile.intervention_history);
  });
});

describe('attempts that ran out of time before they wrote a file', () => {
  it('get more time as their suggestion where the agent was at work', () => {
    const made = night(TASK)
      .agent(
        { action: 'print', text: 'Reading the sources.' },
        { action: 'shell', command: 'ls' },
        { action: 'sleep', seconds: 60 },
      )
      .loop('max_attempts_per_task = 2', 'grace = 0.2')
      .toml(
        '[modes.speed]\ntimeout = 6',
        '[adaptive_timeout]\nmin_timeout = 0\ncomplexity_scaling = false\nfailure_scaling = false',
      )
      .make();
    expect(made.json('run').exit_code).toBe(4);
    const [blocked] = made.json('blocked', '--suggest').blocked;
    expect(blocked.suggestion).toMatchObject({
      strategy: 'increase_timeout',
      command: 'ralph unblock T-1 --timeout 60',
    });
  });
});
