import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Failure, failure } from '../../app/result.ts';
import { packageTop } from '../../io/package-top.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { ARM_NAMES, ARMS, CHECKED_TASKS } from '../arms.ts';
import { readSuite, type Suite } from '../suite.ts';
import { readText } from './launch-model.ts';
import type { Unit } from './run-unit.ts';

export type LoadedSuite = { readonly ok: true; readonly suite: Suite; readonly folder: string };

/** A built-in suite by its name, else a folder with a `suite.json`. */
export function loadSuite(cwd: string, name: string): LoadedSuite | Failure {
  const builtIn = builtInSuites();
  const folder = builtIn.get(name) ?? resolve(cwd, name);
  const names = [...builtIn.keys()];
  if (!existsSync(folder)) {
    const hint = didYouMean(name, names);
    return failure(
      `There is no suite "${name}": it is neither built in (${names.join(', ')}) nor a folder.${hint}`,
      'ralph eval study',
    );
  }
  const file = join(folder, 'suite.json');
  if (!statSync(folder).isDirectory() || !existsSync(file)) {
    return failure(
      `${name} isn't a suite: there is no ${file}.`,
      'See docs/internals/evaluation.md for its form.',
    );
  }
  const read = readSuite(readFileSync(file, 'utf8'));
  if (!read.ok) return failure(read.problems.map((problem) => `${file}: ${problem}`).join('\n'));
  const { repository } = read.suite;
  if (repository !== undefined && !existsSync(join(folder, repository))) {
    return failure(`${file}: repository: there is no folder ${join(folder, repository)}`);
  }
  return { ok: true, suite: read.suite, folder };
}

/** They lie beside the program, in its package as in its sources. */
function builtInSuites(): ReadonlyMap<string, string> {
  const folder = join(packageTop(), 'templates', 'suites');
  return new Map(existsSync(folder) ? readdirSync(folder).map((name) => [name, join(folder, name)]) : []);
}

/** A built-in arm by its name, else a configuration file. */
export function loadArm(cwd: string, name: string): { ok: true; arm: Unit['arm'] } | Failure {
  const settings = ARMS[name];
  if (settings !== undefined)
    return { ok: true, arm: { name, settings, config: null, hasChecks: name === CHECKED_TASKS } };
  const config = readText(resolve(cwd, name));
  if (config !== null) return { ok: true, arm: { name, settings: {}, config, hasChecks: false } };
  const hint = didYouMean(name, ARM_NAMES);
  return failure(
    `There is no arm "${name}": it is neither built in (${ARM_NAMES.join(', ')}) nor a configuration file.${hint}`,
    'ralph eval study --arms baseline,full',
  );
}
