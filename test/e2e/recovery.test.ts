/** @module-tag slow */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../src/domain/command-runs.ts';
import { RecoveryDocument } from '../../src/state/documents.ts';
import { claim, type Project, withoutBox, write } from '../helpers/cli.ts';
import { at, inAttempt, night, type Step } from '../helpers/night.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** Each entry weakens an assertion in another way. */
const WEAKER = [
  (call: string) => `assert.ok(${call} !== undefined)`,
  (call: string) => `assert.notEqual(${call}, null)`,
  (call: string) => `assert.ok(typeof ${call} === 'number')`,
  (call: string) => `assert.doesNotThrow(() => ${call})`,
  (call: string) => `assert.ok(${call})`,
];

/**
 * Returns tests of which the one with this number is weakened; 0: none.
 * @param alike Weakens each in the same way.
 */
function tests(weakened: number, alike = false): string {
  const bodies = NAMES.map((name, index) =>
    index === weakened - 1
      ? `it('${name}', () => {\n  ${WEAKER[alike ? 0 : index % WEAKER.length]?.(`sum(${index}, 1)`)};\n});\n`
      : `it('${name}', () => {\n  assert.equal(sum(${index}, 1), ${index + 1});\n});\n`,
  );
  return `import assert from 'node:assert';\nimport { it } from 'node:test';\n\n${bodies.join('\n')}`;
}

/** This gate fails for every test that still demands something. */
const GATE =
  "n=$(grep -c assert.equal sum.test.js); echo 'TAP version 13'; if test -f sum.js; then echo 'ok 1 - sum'; echo '1..1'; elif test \"$n\" -gt 0; then echo \"not ok 1 - sum $n\"; echo '1..1'; exit 1; else echo 'ok 1 - sum'; echo '1..1'; fi\n";

const weakens = (number: number, alike = false) => [
  write('sum.test.js', tests(number, alike)),
  claim('sum.test.js:5 works'),
];

/** Returns a project in whose Nth attempt the Nth test is weakened and the one before is restored. */
function project(settings = '', more: readonly Step[] = [], attempts = 9): Project {
  return night('Fix the sum', 'Write two.txt')
    .agent(
      at('T-2', write('two.txt', '2\n'), claim('two.txt:1 2')),
      ...more,
      ...NAMES.map((_, index) => inAttempt('T-1', index + 1, ...weakens(index + 1))),
    )
    .loop(`max_attempts_per_task = ${attempts}`)
    .toml('[git]\ncommit = "never"', settings)
    .gate(GATE, 'paths = ["sum*"]')
    .files({ 'sum.test.js': tests(0) })
    .make();
}

/** Returns the document of a recovery, checked by its schema. */
const record = (one: Project, id: string) =>
  RecoveryDocument.parse(JSON.parse(one.read(`.ralph/recoveries/${id}.json`)));

describe('a finding that a correction does not cure', () => {
  it('is tried differently three times, then you decide; the other tasks are done', () => {
    const one = project();
    const run = one.json('run');
    expect(run).toMatchObject({ exit_code: 5, tasks: { done: 1 } });
    const recovery = record(one, 'RS-001');
    expect(recovery).toMatchObject({
      $schema: 'ralph.recovery.v1',
      task_id: 'T-1',
      issue: 'avoidance',
      patterns: ['assertion_weakening'],
      status: 'escalated',
      failed_attempts: 3,
      max_attempts: 3,
    });
    expect(recovery.iterations).toHaveLength(4);
    expect(recovery.phases.map(({ phase }) => phase)).toEqual([
      ...['pause', 'diagnose', 'adapt', 'retry'],
      ...['pause', 'diagnose', 'adapt', 'retry'],
      ...['pause', 'diagnose', 'adapt', 'retry'],
      ...['pause', 'diagnose', 'escalate'],
    ]);
    const [request] = one.json('approvals').open;
    expect(request).toMatchObject({ id: 'G-1', gate: 'GATE-AP-RECOVERY', task_id: 'T-1' });
    const { panel } = one.json('approvals', 'show', 'G-1');
    expect(panel).toContain('Recovery attempts: 3 / 3');
    expect(panel).toContain('.ralph/recoveries/RS-001.json');
    const { text } = one.json('approvals', 'decide', 'G-1', 'view');
    expect(text).toContain('Attempt 3: iteration 5');
    expect(text).toContain('Then: a changed prompt in a fresh session');
    expect(one.json('explain', 'T-1').task.recoveries).toMatchObject([{ id: 'RS-001', ended: 'escalated' }]);
    expect(one.json('metrics').human_gates.recovery).toMatchObject({ started: 1, success_rate: 0 });
  });

  it('blocks the task after three failures, as any other, and the gate stays shut', () => {
    const one = project('', [], 3);
    expect(one.json('run')).toMatchObject({ exit_code: 4, tasks: { done: 1, blocked: 1 } });
    expect(record(one, 'RS-001')).toMatchObject({ status: 'blocked', issue: 'avoidance' });
    expect(one.json('approvals').open).toEqual([]);
    expect(one.iterations().length).toBe(4);
  });

  it("isn't tried a third time where two attempts failed alike", () => {
    const alike = NAMES.map((_, index) => ({
      when: { task: 'T-1', attempt: index + 1 },
      do: weakens(index + 1, true),
    }));
    const one = project('', alike);
    expect(one.json('run')).toMatchObject({ exit_code: 5 });
    expect(record(one, 'RS-001')).toMatchObject({ status: 'escalated', failed_attempts: 2 });
    const [request] = one.json('approvals').open;
    expect(request.why).toContain('the same fix or failure came again');
  });

  it('tells the agent what was tried, in a fresh session', () => {
    const one = project();
    one.json('run');
    const second = one.promptOf(3);
    expect(second).toContain('RECOVERY');
    expect(second).toContain('attempt 1 of 3');
    expect(second).toContain('Take back what makes a check weaker');
  });

  it('runs a gate that fails once more, and asks you where that ends differently', () => {
    const one = project();
    // The gate ran at the baseline, in three attempts, and once more.
    const count = join(temporaryFolder(), 'count');
    one.program('check.sh', `echo x >> ${count}; n=$(wc -l < ${count}); test "$n" -eq 5\n`);
    one.json('run', '--trust');
    const attempts = [1, 2, 3].flatMap((number) =>
      runsOf(one.iteration(number).facts, 'in-recovery', 'test'),
    );
    expect(attempts.map(({ outcome }) => outcome.kind)).toEqual(['passed']);
    expect(record(one, 'RS-001')).toMatchObject({ status: 'escalated', failed_attempts: 1 });
    expect(one.json('approvals').open[0].why).toContain('a gate ended differently on the same tree');
  });

  it('has recovered once the task is done', () => {
    const one = project('', [
      {
        when: { task: 'T-1', prompt_includes: 'attempt 2 of 3' },
        do: [
          { action: 'write', path: 'sum.test.js', content: tests(0) },
          { action: 'write', path: 'sum.js', content: 'export const sum = (a, b) => a + b;\n' },
          claim('sum.js:1 export const sum'),
        ],
      },
    ]);
    expect(one.json('run')).toMatchObject({ exit_code: 0, tasks: { done: 2 } });
    expect(record(one, 'RS-001')).toMatchObject({ status: 'recovered', failed_attempts: 1 });
    expect(one.json('approvals').open).toEqual([]);
  });

  it("isn't a recovery where the first correction helps", () => {
    const helped = inAttempt(
      'T-1',
      2,
      write('sum.test.js', tests(0)),
      write('sum.js', 'export const sum = (a, b) => a + b;\n'),
      claim('sum.js:1 export const sum'),
    );
    const one = project('', [helped]);
    expect(one.json('run')).toMatchObject({ exit_code: 0, tasks: { done: 2 } });
    expect(one.iteration(1).decisions.failedAttempt).toBe(true);
    expect(one.exists('.ralph/recoveries/RS-001.json')).toBe(false);
  });
});
