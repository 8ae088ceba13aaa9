/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { namesIn } from 'ralph-kit/files/plain-file';
import { expect, it } from 'vitest';
import { BIN, makeProject } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const MAIN = join(dirname(BIN), '..', 'dist', 'cli', 'main.js');
const LOOKS = [['status'], ['tasks'], ['tasks', 'list'], ['blocked'], ['interventions']];

/** Runs a program of ralph with this folder for compiled code. */
function ralphWith(cache: string, root: string, program: string, ...args: string[]) {
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    ...{ cwd: root, env, encoding: 'utf8' },
  });
  return { stdout: stdout.replace(/"timestamp": "[^"]*"/, '"timestamp": "NOW"'), stderr, status };
}

const folderIn = (cache: string) => join(cache, 'ralph', 'compiled');
const fileIn = (cache: string) => {
  const names = namesIn(folderIn(cache));
  expect(names).toHaveLength(1);
  return join(folderIn(cache), names[0] ?? '');
};

it('says the same by the compiled script as by the modules, the first time and later', () => {
  const { root, ralph } = makeProject();
  ralph('run', '--max-iterations', '1');
  const cache = temporaryFolder();
  for (const words of LOOKS)
    for (const form of [[], ['--json']]) {
      const [first, later] = [1, 2].map(() => ralphWith(cache, root, BIN, ...words, ...form));
      const { stdout, stderr, status } = ralphWith(cache, root, MAIN, ...words, ...form);
      for (const one of [first, later]) expect(one).toMatchObject({ stdout, stderr, status });
    }
  expect(statSync(fileIn(cache)).mode & 0o777).toBe(0o600);
  expect(statSync(folderIn(cache)).mode & 0o777).toBe(0o700);
});

it('takes what it compiled once, and compiles again what is damaged', () => {
  const { root } = makeProject();
  const cache = temporaryFolder();
  const { stdout } = ralphWith(cache, root, BIN, 'status');
  const file = fileIn(cache);
  const { ino, mtimeMs, size } = statSync(file);
  ralphWith(cache, root, BIN, 'status');
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  const whole = readFileSync(file);
  for (const damaged of [
    Buffer.alloc(0),
    Buffer.alloc(size),
    whole.subarray(0, size / 2),
    Buffer.from('{}'),
  ]) {
    writeFileSync(file, damaged);
    expect(ralphWith(cache, root, BIN, 'status')).toMatchObject({ stdout, stderr: '', status: 0 });
    expect(statSync(file).size).toBeGreaterThan(size / 2);
  }
});

it('runs nothing that others may have written, and needs no place to write', () => {
  const { root } = makeProject();
  const cache = temporaryFolder();
  const { stdout } = ralphWith(cache, root, BIN, 'status');
  const file = fileIn(cache);
  // This compiled code belongs to another script; Node would refuse it, and ralph has to make it anew.
  writeFileSync(file, 'x');
  for (const path of [file, folderIn(cache)]) {
    chmodSync(path, 0o777);
    expect(ralphWith(cache, root, BIN, 'status')).toMatchObject({ stdout, stderr: '', status: 0 });
    if (path === file) writeFileSync(file, 'x');
  }
  expect(readFileSync(file, 'utf8')).toBe('x');
  const occupied = temporaryFolder();
  mkdirSync(join(occupied, 'ralph'));
  writeFileSync(folderIn(occupied), '');
  expect(ralphWith(occupied, root, BIN, 'status')).toMatchObject({ stdout, stderr: '', status: 0 });
});

it('keeps what the last versions compiled, no more', () => {
  const { root } = makeProject();
  const cache = temporaryFolder();
  mkdirSync(folderIn(cache), { recursive: true, mode: 0o700 });
  for (let at = 0; at < 9; at += 1) writeFileSync(join(folderIn(cache), `old-${at}`), '');
  ralphWith(cache, root, BIN, 'status');
  expect(namesIn(folderIn(cache))).toHaveLength(4);
});

// Node 22 and later can keep compiled modules; .github/workflows/ci.yml runs the tests with them, too.
const keepsModules = 'enableCompileCache' in module;

it('keeps what it compiled of its modules where Node can, and says the same by them', () => {
  const { root } = makeProject();
  const cache = temporaryFolder();
  const [first, later] = [1, 2].map(() => ralphWith(cache, root, BIN, 'run', '--help'));
  expect(later).toEqual(first);
  const kept = namesIn(folderIn(cache)).filter((name) => name.startsWith('modules-'));
  expect(kept).toHaveLength(keepsModules ? 1 : 0);
  for (const name of kept) expect(statSync(join(folderIn(cache), name)).mode & 0o777).toBe(0o700);
});

it.runIf(keepsModules)('keeps and takes nothing of modules in a folder that others may write', () => {
  const { root } = makeProject();
  const cache = temporaryFolder();
  mkdirSync(folderIn(cache), { recursive: true });
  chmodSync(folderIn(cache), 0o777);
  expect(ralphWith(cache, root, BIN, 'run', '--help').status).toBe(0);
  expect(namesIn(folderIn(cache)).flatMap((name) => namesIn(join(folderIn(cache), name)))).toEqual([]);
});
