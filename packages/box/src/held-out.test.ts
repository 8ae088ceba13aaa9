/** @module-tag rest */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxAt, boxesOf, isWholeBox } from '../../../test/helpers/boxed.ts';
import { makeRepository, temporaryFolder } from '../../../test/helpers/repository.ts';

const WORD = 'only-the-gate-knows';

/** A repository with something held out in it or beside it, and ways of programs to read that. */
function held(place: 'inside' | 'outside') {
  const repo = makeRepository({ '.gitignore': 'held/\n', 'a.txt': 'a\n' });
  const folder = place === 'inside' ? join(repo.root, 'held', 'tests') : join(temporaryFolder(), 'tests');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'case.txt'), `${WORD}\n`);
  symlinkSync(folder, join(repo.root, 'link'));
  const file = join(folder, 'case.txt');
  const ways = [
    `cat ${file}`,
    `cat link/case.txt`,
    `cat "$(readlink link)/case.txt"`,
    `cat /proc/self/root${file}`,
    `cat /proc/1/root${file}`,
    `for one in /proc/[0-9]*; do cat "$one/root${file}" "$one/cwd/held/tests/case.txt"; done`,
    `ln ${file} mine; cp ${file} mine; cat mine`,
    `mv ${folder} away; cat away/case.txt`,
    `rm -rf ${folder}; cat ${file}`,
    `tar -cf - ${folder}`,
    `find / -xdev -name case.txt -exec cat {} +`,
    `git add -f ${file}; git grep -h ${WORD}; git show HEAD:held/tests/case.txt; git stash -a; git show stash@{0}^3:held/tests/case.txt`,
  ];
  return { repo, folder, file, ways };
}

describe.skipIf(!isWholeBox)('what is held out', () => {
  it.each(['inside', 'outside'] as const)('%s of the repository is read by its own gate alone', (place) => {
    const { repo, folder, file, ways } = held(place);
    const run = boxesOf(repo.root, { heldOut: [folder] });
    for (const role of ['agent', 'gate', 'set-up', 'git', 'module'] as const)
      for (const way of ways) expect(run(role, way).output, `${role}: ${way}`).not.toContain(WORD);
    expect(run('gate', `cat ${file}`, undefined, folder)).toEqual({ code: 0, output: `${WORD}\n` });
    expect(run('gate', `echo x >> ${file}`, undefined, folder).code).not.toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it('the ways to read it work where it is not held out', () => {
    const { repo, ways } = held('inside');
    const run = boxesOf(repo.root);
    const reading = ways.filter((way) => run('agent', way).output.includes(WORD));
    expect(reading.length).toBeGreaterThan(5);
  });

  it('two gates do not see what the other one is run with, one in the other included', () => {
    const { repo, folder } = held('outside');
    const below = join(folder, 'below');
    mkdirSync(below);
    writeFileSync(join(below, 'other.txt'), `other-${WORD}\n`);
    const run = boxesOf(repo.root, { heldOut: [folder, below] });
    const read = `cat ${folder}/case.txt; cat ${below}/other.txt`;
    expect(run('gate', read, undefined, folder).output).toContain(WORD);
    expect(run('gate', read, undefined, folder).output).not.toContain(`other-${WORD}`);
    const others = run('gate', read, undefined, below).output.split('\n');
    expect(others).toContain(`other-${WORD}`);
    expect(others).not.toContain(WORD);
  });

  it("records of runs and other copies aren't for agents and gates", () => {
    const { repo } = held('inside');
    const stateHome = temporaryFolder();
    const git = { gitDir: join(repo.root, '.git'), commonDir: join(repo.root, '.git') };
    const log = join(repo.root, '.ralph', 'runs', 'r', 'held-out-x.log');
    const copied = join(stateHome, 'slots', 'main', 'c1', 'case.txt');
    for (const path of [log, copied]) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, `${WORD}\n`);
    }
    const box = boxAt({ root: repo.root, stateHome, ...git, home: temporaryFolder(), settings: {} });
    const opened = box.open({
      ...{ role: 'agent', program: '/bin/sh', cwd: repo.root, env: process.env },
      ...{ visible: [log], home: null, agent: 'test' },
    });
    opened.close();
    const text = opened.args.join(' ');
    expect(text).toContain(`${stateHome}/slots`);
    expect(text).toContain(log);
  });
});
