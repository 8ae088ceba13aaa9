/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { named, subjects, verdicts, workersProject } from '../helpers/workers.ts';

const NPM = 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund';
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Returns a workspace of packages: each task makes one of them depend on another one, and lets npm write the lock file.
 */
function workspace(count: number, given: string | null = null, tasks = named(count)) {
  const packages = Array.from({ length: count }, (_, at) => `p${at + 1}`);
  const manifests = packages.map((name) => [
    `packages/${name}/package.json`,
    json({ name, version: '1.0.0' }),
  ]);
  const files = {
    'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'] }),
    '.gitignore': 'node_modules/\n',
    ...Object.fromEntries([
      ...manifests,
      ['packages/base/package.json', json({ name: 'base', version: '1.0.0' })],
    ]),
  };
  const acts =
    given ??
    `
    const file = 'packages/p' + id.slice(2) + '/package.json';
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ ...manifest, dependencies: { base: '1.0.0' } }, null, 2) + '\\n');
    return import('node:child_process').then(({ execSync }) => { execSync(${JSON.stringify(NPM)}); return file + ':1-7 uses base'; });`;
  // The gate fails where the lock file doesn't match the manifests.
  const gate = 'npm ci --dry-run --ignore-scripts --no-audit --no-fund';
  const together = Math.min(4, tasks.length);
  const one = workersProject(tasks, { acts, gate, workers: together, together, files });
  execFileSync('sh', ['-c', NPM], { cwd: one.root });
  one.git('add', '-A');
  one.git('commit', '-qm', 'locked');
  const runFiles = (name: string) =>
    readdirSync(one.path('.ralph/runs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith(name),
    );
  return { ...one, runFiles };
}

describe('a lock file that several tasks change', () => {
  it('is made anew by npm on what is merged, by five tasks at four workers, and no task is done twice', () => {
    const one = workspace(5);
    const result = one.json('run');
    expect(result).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 5 });
    expect(verdicts(one).toSorted()).toEqual([1, 2, 3, 4, 5].map((at) => `T-${at} done`));
    expect(subjects(one)).toHaveLength(5);
    const landed = one.read('package-lock.json');
    execFileSync('sh', ['-c', NPM], { cwd: one.root });
    expect(one.read('package-lock.json')).toBe(landed);
    const { packages } = JSON.parse(landed);
    expect([1, 2, 3, 4, 5].every((at) => packages[`packages/p${at}`].dependencies.base === '1.0.0')).toBe(
      true,
    );
    expect(one.runFiles('lock-1.log').length).toBeGreaterThan(2);
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('is made anew where unfinished work continues beside your commit', async () => {
    const acts = `
      const use = (file) => fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), dependencies: { base: '1.0.0' } }, null, 2) + '\\n');
      if (attempt > 1) {
        const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
        if (!packages['packages/p1'].dependencies || !packages['packages/p2'].dependencies) throw new Error('not made anew');
        return 'packages/p1/package.json:1-7 uses base';
      }
      use('packages/p1/package.json');
      return import('node:child_process').then(async ({ execSync }) => {
        execSync(${JSON.stringify(NPM)});
        fs.writeFileSync(process.env.MEET + '/begun', '');
        while (!fs.existsSync(process.env.MEET + '/committed')) await new Promise((done) => setTimeout(done, 20));
        process.exit(0);
      });`;
    const one = workspace(2, acts, ['**T-1** Task 1']);
    const { ended } = one.start('run');
    await one.appears('.git/meet/begun');
    const manifest = JSON.parse(one.read('packages/p2/package.json'));
    one.write('packages/p2/package.json', json({ ...manifest, dependencies: { base: '1.0.0' } }));
    execFileSync('sh', ['-c', NPM], { cwd: one.root });
    one.git('commit', '-qam', 'mine');
    one.write('.git/meet/committed', '');
    await ended;
    expect(verdicts(one)).toEqual(['T-1 progress', 'T-1 done']);
    const { packages } = JSON.parse(one.read('package-lock.json'));
    expect(packages['packages/p1'].dependencies).toEqual(packages['packages/p2'].dependencies);
  });

  it('conflicts where its tool is not there, by name and with the reason', () => {
    const acts = `
      fs.writeFileSync(id + '.txt', id + '\\n');
      const lines = fs.readFileSync('flake.lock', 'utf8').split('\\n');
      lines[id === 'T-1' ? 0 : 8] = id;
      fs.writeFileSync('flake.lock', lines.join('\\n')); return id + '.txt:1-1 its file';`;
    const files = { 'flake.lock': 'a\nb\nc\nd\ne\nf\ng\nh\ni\n' };
    const one = workersProject(named(2), { acts, files });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    const again = one
      .iterations()
      .map((number) => one.iteration(number))
      .find(({ facts }) => facts.conflict !== null);
    expect(again?.facts.conflict).toMatchObject({ paths: ['flake.lock'], locks: [{ path: 'flake.lock' }] });
    expect(again?.facts.conflict?.tasks).toHaveLength(1);
    expect(again?.decisions.cause).toContain("flake.lock can't be made anew");
    const after = (again?.facts.iteration ?? 0) + 1;
    expect(one.promptOf(after)).toContain('`flake.lock` is as others changed it');
    expect(subjects(one)).toHaveLength(2);
  });
});
