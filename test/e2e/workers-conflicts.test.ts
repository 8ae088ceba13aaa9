/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { clashesIn } from '../../src/domain/command-runs.ts';
import { named, ONE_LINE, OWN_FILE, subjects, verdicts, workersProject } from '../helpers/workers.ts';

describe('work that conflicts with what landed meanwhile', () => {
  it('is done again on top of it, and loses no attempt: one line changed by four tasks', () => {
    const one = workersProject(named(4), { acts: ONE_LINE });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.read('shared.txt').trim().split(' ').toSorted()).toEqual([
      'T-1',
      'T-2',
      'T-3',
      'T-4',
      'start',
    ]);
    const all = verdicts(one);
    expect(all.filter((verdict) => verdict.endsWith(' done'))).toHaveLength(4);
    expect(all.filter((verdict) => !verdict.endsWith(' done')).every((it) => it.endsWith(' conflict'))).toBe(
      true,
    );
    expect(all.length).toBeGreaterThan(4);
    const again = one
      .iterations()
      .find((number) => one.iteration(number).facts.taskState.attempts.length > 0);
    expect(one.iteration(again ?? 0).facts.attempt).toBe(1);
    expect(one.promptOf(again ?? 0)).toContain('conflicts with that');
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('is found where each passes the gates alone, and both together fail', () => {
    const acts = `
      if (id === 'T-2' && fs.existsSync('T-1.txt')) fs.writeFileSync('both.txt', 'both\\n');
      if (id === 'T-1' && fs.existsSync('T-2.txt')) fs.writeFileSync('both.txt', 'both\\n');
      ${OWN_FILE}`;
    const gate = 'test ! -e T-1.txt || test ! -e T-2.txt || grep both both.txt';
    const one = workersProject(named(2), { acts, gate });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    const [red] = one
      .iterations()
      .map((number) => one.iteration(number))
      .filter(({ decisions }) => decisions.verdict.kind === 'conflict');
    expect(red?.facts.conflict).toMatchObject({ paths: [] });
    expect(clashesIn(red?.facts ?? { commandRuns: [] })).toMatchObject([{ name: 'test' }]);
    expect(red?.decisions.findings).toEqual([]);
    expect(verdicts(one).filter((verdict) => verdict.endsWith(' done'))).toHaveLength(2);
    expect(one.read('both.txt')).toBe('both\n');
  });

  it.each<[string, string, string]>([
    [
      'a file that one task renames and the other edits',
      "if (id === 'T-1') { if (fs.existsSync('shared.txt')) fs.renameSync('shared.txt', 'moved.txt'); return 'moved.txt:1-1 moved'; }",
      'test -e moved.txt -o -e shared.txt',
    ],
    [
      'a file that one task deletes and the other edits',
      "if (id === 'T-1') { fs.rmSync('shared.txt', { force: true }); fs.writeFileSync('T-1.txt', '1\\n'); return 'T-1.txt:1-1 instead'; }",
      'true',
    ],
  ])('%s', (_what, first, gate) => {
    const acts = `${first}
      const file = fs.existsSync('shared.txt') ? 'shared.txt' : 'moved.txt';
      const now = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
      fs.writeFileSync(file, now + ' ' + id + '\\n'); return file + ':1-1 its name';`;
    const one = workersProject(named(2), { acts, gate });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(subjects(one)).toHaveLength(2);
    // The work of both landed, in whichever order.
    expect(one.git('log', '-p', '--', 'shared.txt', 'moved.txt')).toMatch(/^\+.*T-2$/m);
  });
});
