import { describe, expect, it } from 'vitest';
import { gatesToRun } from '../../../../src/decide/index.ts';
import { EMPTY_TASK_STATE } from '../../../../src/domain/records/state.ts';
import { EMPTY_TASK } from '../../../../src/domain/task.ts';
import { changeSet, REPORT } from '../../findings/facts.ts';
import { spec } from '../../gates/inputs.ts';

const SPECS = [spec('test'), spec('docs', { paths: ['docs/**'] })];
const EXITED = { kind: 'exited' as const, code: 0 };
const SERIES = {
  worker: 1,
  worktree: '/w',
  tree: 't',
  head: null,
  branch: null,
  work: [],
  yours: [],
  commits: [],
};

describe('gatesToRun', () => {
  it.each([
    ['changed files', changeSet('src/a.ts'), [], [], ['test']],
    ['nothing changed', changeSet(), [], [], []],
    ['nothing added to what an outage left', changeSet(), ['docs/a.md'], [], ['test', 'docs']],
    ['both', changeSet('src/a.ts'), ['docs/a.md'], [], ['test', 'docs']],
    ['you changed what an outage left', changeSet(), ['docs/a.md'], ['docs/a.md'], []],
  ] as const)('%s', (_, changes, unjudged, yoursBefore, expected) => {
    const taskState = { ...EMPTY_TASK_STATE, series: { ...SERIES, unjudged: [...unjudged] } };
    const facts = {
      task: EMPTY_TASK,
      taskState,
      yoursBefore: [...yoursBefore],
      end: EXITED,
      report: REPORT,
      changes,
    };
    expect(gatesToRun(SPECS, facts).run.map(({ name }) => name)).toEqual(expected);
    expect(gatesToRun(SPECS, { ...facts, end: { kind: 'exited', code: 1 } }).run).toEqual([]);
  });
});
