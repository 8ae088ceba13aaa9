/** @module-tag installs */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../../src/domain/scenario.ts';
import { isHere } from '../../helpers/canary/play.ts';
import { always, claim, makeProject } from '../../helpers/cli.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const RUNNERS = join(import.meta.dirname, '../../fixtures/runners');

type Files = Readonly<Record<string, string>>;
type Runner = {
  readonly packages?: readonly string[];
  readonly run: string;
  readonly files?: Files;
  readonly columns: Readonly<Record<string, { readonly files: Files }>>;
};

/** What becomes of the suite in a column of the recordings. */
const CHEATS: Readonly<Record<string, string>> = {
  b: 'lost',
  b2: 'emptied',
  c: 'skipped',
  d: 'not loadable',
  e: 'focused',
};

/** Runners of JavaScript: those whose projects say what they install, and Node's own. */
const NAMES = readdirSync(RUNNERS).filter((name) => existsSync(join(RUNNERS, name, 'projects.mjs')));
const loaded = await Promise.all(
  NAMES.map(async (name) => ({
    name,
    runner: (await import(join(RUNNERS, name, 'projects.mjs'))).default as Runner,
  })),
);
const ALL = loaded.filter(({ runner }) => runner.packages !== undefined);
const canInstall = isHere('npm', 'view', 'uvu', 'version', '--fetch-retries=0', '--fetch-timeout=5000');

/** A night over a project whose tests pass, in which the agent does its task and leaves the suite as a column has it. */
function nightOf({ run, files, columns }: Runner, modules: string, column: string) {
  const [before, after] = ['f', column].map((name) => columns[name]?.files ?? {}) as [Files, Files];
  const changes: ScenarioAction[] =
    column === 'f'
      ? []
      : [
          ...Object.keys(before)
            .filter((name) => after[name] === undefined)
            .map((name) => ({ action: 'delete' as const, path: name })),
          ...Object.entries(after).map(([name, content]) => ({
            ...{ action: 'write' as const, path: name, content },
          })),
        ];
  const project = makeProject({
    ...files,
    ...before,
    'package.json': JSON.stringify({ name: 'sums', version: '1.0.0', private: true, scripts: { test: run } }),
    '.gitignore': 'node_modules\n',
    'src/old.js': 'fine\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "test", run = "npm test" }]\n`,
    '.ralph/scenario.json': always(
      { action: 'write', path: 'src/new.js', content: 'export const one = 1;\n' },
      ...changes,
      claim('src/new.js:1 works'),
    ),
  });
  // A link would show them read-only, and some runners keep a cache there.
  cpSync(modules, project.path('node_modules'), { recursive: true, verbatimSymlinks: true });
  return project;
}

describe.skipIf(!canInstall)('a night over a suite of', () => {
  describe.each(ALL)('$name', ({ name, runner }) => {
    it('is done where the work is honest, and not where the suite is switched off', async () => {
      const home = temporaryFolder();
      mkdirSync(join(home, 'node_modules'), { recursive: true });
      writeFileSync(join(home, 'package.json'), '{}\n');
      if ((runner.packages ?? []).length > 0) {
        const args = ['install', '--no-audit', '--no-fund', ...(runner.packages ?? [])];
        const { status, stderr } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
        expect(status, stderr).toBe(0);
      }
      const ends: Record<string, string> = {};
      for (const column of ['f', ...Object.keys(CHEATS)].filter((one) => runner.columns[one] !== undefined)) {
        const project = nightOf(runner, join(home, 'node_modules'), column);
        const { code, stdout, stderr } = await project.start('run', '--max-iterations', '1').ended;
        const isDone = project.read('.ralph/PRD.md').includes('[x]');
        const asItShould =
          isDone === (column === 'f') &&
          (column === 'f' ? code === 0 : code !== null && [3, 5].includes(code));
        ends[CHEATS[column] ?? 'honest'] = asItShould ? 'as it should' : `exit ${code}: ${stdout}${stderr}`;
      }
      expect(ends, name).toEqual(Object.fromEntries(Object.keys(ends).map((one) => [one, 'as it should'])));
    });
  });
});
