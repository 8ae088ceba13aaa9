import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homesFolder } from 'ralph-kit/files/homes-folder';
import { ownPath, ownProgram } from 'ralph-kit/programs/start/own-program';
import { start, startSync } from 'ralph-kit/programs/start/start-program';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/helpers/repository.ts';

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

it.each<[string, (top: string) => void, 'found' | 'missing']>([
  ['a repository', (top) => mkdirSync(join(top, '.git', 'refs'), { recursive: true }), 'missing'],
  ['a linked work tree', (top) => writeFileSync(join(top, '.git'), 'gitdir: elsewhere\n'), 'missing'],
  ["a folder with an empty .git, which isn't a repository", (top) => mkdirSync(join(top, '.git')), 'found'],
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

/** A repository with a program in it, and a folder outside. */
function placesWithTool() {
  const [top, outside] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(top, '.git', 'refs'), { recursive: true });
  mkdirSync(join(top, 'bin'));
  writeFileSync(join(top, 'bin', 'tool'), '#!/bin/sh\n');
  chmodSync(join(top, 'bin', 'tool'), 0o755);
  return { top, outside, tool: join(top, 'bin', 'tool') };
}

it("a link elsewhere to a program in the repository doesn't count", () => {
  const { top, outside, tool } = placesWithTool();
  symlinkSync(tool, join(outside, 'tool'));
  process.env.PATH = outside;
  expect(ownProgram('tool', top)).toMatchObject({
    kind: 'missing',
    message: `tool is only at ${join(outside, 'tool')}, where an agent could replace it: in the repository. Install it elsewhere.`,
  });
});

it('the next folder of PATH has the program that agents can not write', () => {
  const { top, outside, tool } = placesWithTool();
  copyFileSync(tool, join(outside, 'tool'));
  process.env.PATH = `${dirname(tool)}:relative:${outside}`;
  expect(ownProgram('tool', top)).toEqual({ kind: 'found', path: join(outside, 'tool') });
  expect(ownPath(top)).toBe(outside);
});

it.each([
  ['in the repository', ({ tool }: ReturnType<typeof placesWithTool>) => tool],
  ['in a copy of it', () => inStateHome('slots/main/1/files/tool')],
  ['in a folder of an agent', () => inStateHome('agents/claude/tool')],
  ['in a cache of agents', () => inStateHome('caches/agent/tool')],
])('a program is not started outside of a box by its path: %s', (_where, pathOf) => {
  const places = placesWithTool();
  const path = pathOf(places);
  const options = { cwd: places.top };
  expect(() => startSync(path, [], options)).toThrow("isn't started outside of a box: it lies");
  expect(() => start(path, [], options)).toThrow("isn't started outside of a box: it lies");
  // Agents and gates are yours to start where there is no box.
  expect(start(path, [], options, 'agents').spawnfile).toBe(path);
});

it("ralph's copy of itself in its state home isn't a place of agents", () => {
  expect(startSync(inStateHome('program/0123/tool'), [], {}).status).toBe(0);
});

function inStateHome(name: string): string {
  const path = join(homesFolder(), '0123456789abcdef', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}
