/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { named, ONE_LINE, OWN_FILE, subjects, verdicts, workersProject } from '../helpers/workers.ts';

/** Runs to the end, and checks that every task landed once, the branch passes, and the run replays to the same. */
async function endsWell(one: Project, count: number): Promise<string[]> {
  const { code, stdout } = await one.start('run').ended;
  expect(code, stdout).toBe(0);
  expect(subjects(one).toSorted()).toEqual(
    named(count)
      .map((_, at) => `Task ${at + 1} (T-${at + 1})`)
      .toSorted(),
  );
  expect(spawnSync('sh', ['check.sh'], { cwd: one.root }).status).toBe(0);
  expect(one.ralph('replay').stdout).toContain('0 differences');
  const all = verdicts(one);
  expect(all.filter((verdict) => verdict.endsWith(' done'))).toHaveLength(count);
  return all.filter((verdict) => !verdict.endsWith(' done'));
}

const AT_FOUR = { workers: 4, together: 4 };

describe('at four workers', () => {
  it('20 tasks on one file, each at a place of its own, conflict nowhere', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `place ${at + 1}.\na\nb\nc\n`).join('');
    const acts = `
      const text = fs.readFileSync('shared.txt', 'utf8');
      fs.writeFileSync('shared.txt', text.replace('place ' + id.slice(2) + '.', 'done by ' + id));
      return 'shared.txt:1-1 its place';`;
    const one = workersProject(named(20), { ...AT_FOUR, acts, files: { 'shared.txt': lines } });
    expect(await endsWell(one, 20)).toEqual([]);
    expect(one.read('shared.txt').match(/done by/g)).toHaveLength(20);
  });

  it('8 tasks that edit one line are done one after the other, and lose nothing', async () => {
    const one = workersProject(named(8), { ...AT_FOUR, acts: ONE_LINE });
    const rest = await endsWell(one, 8);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.every((verdict) => verdict.endsWith(' conflict'))).toBe(true);
    expect(one.read('shared.txt').trim().split(' ').toSorted()).toEqual(
      ['start', ...named(8).map((_, at) => `T-${at + 1}`)].toSorted(),
    );
  });

  it('a chain of 10 tasks lands in its order', async () => {
    const tasks = named(10).map((task, at) => (at === 0 ? task : `${task}\n  - Depends on: T-${at}`));
    const acts = `
      const before = 'T-' + (Number(id.slice(2)) - 1) + '.txt';
      if (id !== 'T-1' && !fs.existsSync(before)) throw new Error('too early');
      ${OWN_FILE}`;
    const one = workersProject(tasks, { acts, workers: 4, together: 1 });
    expect(await endsWell(one, 10)).toEqual([]);
    expect(subjects(one)).toEqual(named(10).map((_, at) => `Task ${at + 1} (T-${at + 1})`));
  });

  it('what one task deletes and another one begins to use is a conflict, and the later one knows', async () => {
    const acts = `
      if (id === 'T-1') {
        fs.rmSync('lib.txt', { force: true });
        if (fs.existsSync('use.txt')) fs.writeFileSync('use.txt', 'alone\\n');
        fs.writeFileSync('T-1.txt', 'deleted\\n');
        return 'T-1.txt:1-1 deleted';
      }
      fs.writeFileSync('use.txt', fs.existsSync('lib.txt') ? 'uses lib.txt\\n' : 'alone\\n');
      return 'use.txt:1-1 uses it';`;
    const gate = 'test ! -e use.txt || test -e lib.txt || grep alone use.txt';
    const one = workersProject(named(2), { acts, gate, files: { 'lib.txt': 'lib\n' } });
    expect(await endsWell(one, 2)).toEqual([expect.stringContaining(' conflict')]);
    expect(one.read('use.txt')).toBe('alone\n');
    expect(one.promptOf(3)).toContain('conflicts with that');
  });
});

describe('a run of several workers that was killed', () => {
  it('is continued by one worker with what the others wrote', async () => {
    const acts = `
      const meet = process.env.MEET;
      fs.appendFileSync(id + '.txt', id + '\\n');
      fs.writeFileSync(meet + '/' + id + '.wrote', '');
      while (!fs.existsSync(meet + '/go')) await new Promise((done) => setTimeout(done, 20));
      return id + '.txt:1-1 its file';`;
    const one = workersProject(named(2), { acts, together: 1 });
    const { child, ended } = one.start('run');
    for (const task of ['T-1', 'T-2']) await one.appears(`.git/meet/${task}.wrote`);
    child.kill('SIGKILL');
    await ended;
    one.write('.git/meet/go', '');
    expect(one.json('run', '--workers', '1')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect([one.read('T-1.txt'), one.read('T-2.txt')]).toEqual(['T-1\nT-1\n', 'T-2\nT-2\n']);
    expect(one.iteration(4).facts.changes.changes.map(({ path }) => path)).toEqual(['T-2.txt']);
  });
});
