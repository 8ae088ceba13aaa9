import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ownProgram } from '../../../src/io/proc/launch/own-program.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

it.each<[string, (top: string) => void, 'found' | 'missing']>([
  ['a repository', (top) => mkdirSync(join(top, '.git', 'refs'), { recursive: true }), 'missing'],
  ['a linked work tree', (top) => writeFileSync(join(top, '.git'), 'gitdir: elsewhere\n'), 'missing'],
  ['a folder with an empty .git, which is no repository', (top) => mkdirSync(join(top, '.git')), 'found'],
  ['a folder without one', () => undefined, 'found'],
])('a program in %s', (_, make, expected) => {
  const top = temporaryFolder();
  make(top);
  const bin = join(top, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tool'), '#!/bin/sh\n');
  chmodSync(join(bin, 'tool'), 0o755);
  process.env.PATH = bin;
  expect(ownProgram('tool', top).kind).toBe(expected);
});
