import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { gatesToRun } from '../../../../src/decide/index.ts';

import { changeSet, REPORT } from '../../findings/facts.ts';
import { spec } from '../../gates/inputs.ts';

const SPECS = [spec('test'), spec('docs', { paths: ['docs/**'] })];
const EXITED = { kind: 'exited' as const, code: 0 };

function run(changes: string[], earlier: string[] | null, status: 'done' | 'already_done' = 'done') {
  const series = earlier === null ? null : { changes: changeSet(...earlier), idleChanges: [] };
  const facts = { task: EMPTY_TASK, end: EXITED, report: REPORT, changes: changeSet(...changes), series };
  expect(gatesToRun(SPECS, { ...facts, end: { kind: 'exited', code: 1 } }, { status }).run).toEqual([]);
  return gatesToRun(SPECS, facts, { status }).run.map(({ name }) => name);
}

describe('gatesToRun', () => {
  it.each([
    ['changed files', ['src/a.ts'], null, ['test']],
    ['nothing changed', [], null, []],
    ['nothing added to the work of the series', [], ['docs/a.md'], ['test', 'docs']],
    ['both', ['src/a.ts'], ['docs/a.md', 'src/a.ts'], ['test', 'docs']],
    ['the work of the series taken back', ['docs/a.md'], [], ['test', 'docs']],
    ['nothing is left of the series', [], [], []],
  ])('%s', (_, changes, earlier, expected) => {
    expect(run(changes, earlier)).toEqual(expected);
  });

  it('runs all gates where nothing was changed and the task is said to be done before', () => {
    expect(run([], null, 'already_done')).toEqual(['test', 'docs']);
    expect(run([], [], 'already_done')).toEqual(['test', 'docs']);
    expect(run(['src/a.ts'], null, 'already_done')).toEqual(['test']);
  });
});
