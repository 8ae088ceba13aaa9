/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { flakyIn, runsRedOnLine } from '../../src/domain/command-runs.ts';
import type { Project } from '../helpers/cli.ts';
import { named, OWN_FILE, subjects, verdicts, workersProject } from '../helpers/workers.ts';

/** Writes the gate, which sees files outside of all trees, in the folder where the agents meet. */
function withGate(one: Project, gate: (meet: string) => string): Project {
  one.program('check.sh', gate(one.path('.git/meet')));
  return one;
}

const facts = (one: Project) => one.iterations().map((number) => one.iteration(number).facts);
const WAIT_FOR = (what: string) => `
  const { execSync } = await import('node:child_process');
  const seen = () => execSync('git log --format=%s', { cwd: process.env.MEET + '/../..', encoding: 'utf8' });
  while (!seen().includes('${what}')) await new Promise((done) => setTimeout(done, 50));`;
/** Returns the work of a task that begins together with the first one and ends once that landed. */
const AFTER_FIRST = (then: string) => `return (async () => {
  if (id !== 'T-1') { ${WAIT_FOR('(T-1)')} ${then} }
  ${OWN_FILE}
})();`;

describe('a gate that is red once', () => {
  it('is named and evicts no task: one that fails at every third run', () => {
    const one = withGate(workersProject(named(4), { acts: OWN_FILE }), (meet) =>
      [
        `n=$(cat ${meet}/../count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${meet}/../count`,
        'test $((n % 3)) -ne 0',
      ].join('\n'),
    );
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 4 });
    expect(verdicts(one).every((verdict) => verdict.endsWith(' done'))).toBe(true);
    const flaky = facts(one).flatMap(flakyIn);
    expect(flaky.length).toBeGreaterThan(0);
    expect(new Set(flaky)).toEqual(new Set(['test']));
    expect(subjects(one)).toHaveLength(4);
  });

  it('is red on what was joined twice, and green alone each time: no task is to blame', () => {
    // The gate fails in two runs on a tree with both results; runs are counted from the second result on.
    const one = withGate(workersProject(named(2), { acts: AFTER_FIRST('') }), (meet) =>
      [
        'test -e T-1.txt && test -e T-2.txt || exit 0',
        `n=$(cat ${meet}/../count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${meet}/../count`,
        'test $n -gt 2',
      ].join('\n'),
    );
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 2 });
    const [, second] = facts(one);
    expect(second?.conflict).toBeNull();
    expect(second && flakyIn(second)).toEqual(['test']);
    expect(subjects(one)).toHaveLength(2);
  });
});

describe('a branch that is red without the work', () => {
  it('by what ralph landed: that is reverted and open again, the run ends, and the other result lands', () => {
    const one = withGate(
      workersProject(named(2), { acts: AFTER_FIRST("fs.writeFileSync(process.env.MEET + '/../late', '');") }),
      (meet) => `test ! -e T-1.txt || test ! -e ${meet}/../late`,
    );
    const run = one.json('run');
    expect(run).toMatchObject({ ending: 'break' });
    expect(verdicts(one)).toEqual(['T-1 done', 'T-2 done']);
    const { facts: second } = one.iteration(2);
    const { conflict, redSince } = second;
    expect([conflict, flakyIn(second)]).toEqual([null, []]);
    expect(one.read('.ralph/journal.jsonl')).toContain('fails on your branch without it');
    expect(runsRedOnLine(second)).toMatchObject([{ name: 'test' }]);
    expect(redSince).toEqual({ taskId: 'T-1', number: 1 });
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Revert "Task 1 (T-1)"', 'Task 2 (T-2)']);
    expect([one.exists('T-1.txt'), one.exists('T-2.txt')]).toEqual([false, true]);
    const [event] = one.events().filter(({ event_type }) => event_type === 'wiggum.break');
    expect(event?.details).toMatchObject({ trigger: 'red_after_landing', hard: true, task_id: 'T-1' });
    expect(one.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
    expect(one.ralph('replay').stdout).toContain('0 differences');
    // The next attempt at the task is told why.
    expect(one.ralph('resume').code).toBe(0);
    one.remove('.git/late');
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.promptOf(3)).toContain('so it was reverted');
  });

  it('by your own commit: nothing is reverted, and the result waits until it is green', async () => {
    const acts = `return (async () => {
      ${WAIT_FOR('mine')}
      ${OWN_FILE}
    })();`;
    const one = workersProject(named(1), { acts, gate: 'test ! -e bad.txt' });
    const { ended } = one.start('run');
    await one.appears('.git/meet/T-1');
    one.write('bad.txt', 'bad\n');
    one.git('add', 'bad.txt');
    one.git('commit', '-qm', 'mine');
    const { stdout, stderr } = await ended;
    expect(`${stdout}${stderr}`).toContain('Your branch is red without T-1: "test" fails.');
    const { facts: first } = one.iteration(1);
    expect([runsRedOnLine(first).length, first.redSince]).toEqual([1, null]);
    expect(subjects(one)).toEqual([]);
    expect([one.exists('bad.txt'), one.exists('T-1.txt')]).toEqual([true, false]);
    one.git('rm', '-q', 'bad.txt');
    one.git('commit', '-qm', 'green again');
    one.ralph('land');
    expect(subjects(one)).toEqual(['Task 1 (T-1)']);
  });
});
