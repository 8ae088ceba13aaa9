import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutEscapes } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import type { Canary } from '../../../src/domain/proof.ts';
import { readResults } from '../../../src/proof/results/index.ts';
import { isRedByCanary, makeCanary, neighbours, runnerOf } from '../../../src/proof/shown/index.ts';
import { temporaryFolder } from '../repository.ts';
import type { Project } from './projects.ts';

const WORD = 'x7k2';

/** Programs look for their files in the real home folder, which these tests replace. */
const { homedir } = userInfo();
const TOOLS = {
  RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir, '.rustup'),
  CARGO_HOME: process.env.CARGO_HOME ?? join(homedir, '.cargo'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Returns how a gate ended, and what it reported of its tests. */
export function gate(folder: string, run: string) {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...process.env, ...TOOLS, PATH, CARGO_TARGET_DIR: join(folder, 'target') };
  const { status, stdout, stderr }: SpawnSyncReturns<string> = spawnSync('sh', ['-c', run], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 100_000,
  });
  const text = withoutEscapes(stdout + stderr);
  return { status, text, results: readResults([], { text, whole: true, files: [] }) };
}

export function written(files: Project['files'], modules: string | null): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (modules !== null) symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

function canaryIn({ runner, loads }: Project, files: Project['files']): Canary {
  const paths = Object.keys(files);
  const [path] = neighbours(runner, paths, []);
  if (path === undefined) throw new Error('no neighbour');
  const canary = makeCanary({
    runner,
    neighbour: { path, text: files[path] ?? '' },
    loads,
    paths,
    word: WORD,
  });
  if (canary === null) throw new Error('no canary');
  expect(`${canary.path}\n${canary.text}`).not.toMatch(/canary|ralph/i);
  return canary;
}

/** Makes one test for each honest project, and one for each way to make its gate pass by cheating. */
export function play(projects: readonly Project[], modules: () => string | null): void {
  describe.each(projects)('$name', (project) => {
    const withCanary = (files: Project['files']) => {
      const canary = canaryIn(project, project.files);
      const folder = written({ ...files, [canary.path]: canary.text }, modules());
      return { canary, ...gate(folder, project.run) };
    };

    it('fails by the canary, and by nothing else', () => {
      const plain = gate(written(project.files, modules()), project.run);
      expect(plain.status, plain.text).toBe(0);
      const { canary, status, text, results } = withCanary(project.files);
      expect(status, text).not.toBe(0);
      expect(isRedByCanary(results, canary), text).toBe(true);
      expect(results?.failing, text).toHaveLength(1);
      expect(runnerOf(results?.runners ?? [], { run: project.run, sources: [] })).toBe(project.runner);
    });

    it.each(Object.entries(project.cheats))('is dead where an attempt %s', (_, cheat) => {
      const files = { ...project.files, ...cheat };
      const plain = gate(written(files, modules()), project.run);
      expect(plain.status, plain.text).toBe(0);
      const { canary, status, text, results } = withCanary(files);
      expect(status, `${canary.text}\n${text}`).toBe(0);
      expect(isRedByCanary(results, canary), text).toBe(false);
    });
  });
}

export function isHere(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, ...TOOLS } }).status === 0;
}
