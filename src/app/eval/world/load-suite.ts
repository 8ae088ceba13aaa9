import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { didYouMean } from 'ralph-kit/nearest';
import { packageTop } from '../../../io/package-top.ts';
import { type Failure, failure } from '../../result.ts';
import { readSuite, type Suite } from '../suite.ts';
import { readText } from './launch-model.ts';
import type { Unit } from './run-unit.ts';

/** Returns a built-in suite, else a folder with a `suite.json`. */
export function loadSuite(
  cwd: string,
  name: string,
): { readonly ok: true; readonly suite: Suite; readonly folder: string } | Failure {
  // Suites are beside the program, both in the package and in the sources.
  const top = join(packageTop(), 'templates', 'suites');
  const builtIn = new Map((existsSync(top) ? readdirSync(top) : []).map((one) => [one, join(top, one)]));
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
  if (!read.ok)
    return failure(
      read.problems.map((problem) => `${file}: ${problem}`).join('\n'),
      `Correct it in ${file}.`,
    );
  const { repository } = read.suite;
  if (repository !== undefined && !existsSync(join(folder, repository))) {
    return failure(
      `${file}: repository: there is no folder ${join(folder, repository)}`,
      `Correct it in ${file}.`,
    );
  }
  return { ok: true, suite: read.suite, folder };
}

/** Settings by dotted key, as in flags. */
type Settings = Readonly<Record<string, unknown>>;

/** Settings of the naive arm: a claim is believed, and there is no feedback, adaptation or correction. */
const NAIVE: Settings = {
  'loop.completion': 'unchecked',
  'loop.no_progress_limit': 1000,
  'interventions.enabled': false,
  'adaptive_timeout.enabled': false,
  'policy.checkpoint.every': 0,
  'policy.checkpoint.every_tasks': 0,
};

/** Settings of an arm in which claims are checked without consequences, to compare it with feedback. */
const CHECKED: Settings = { ...NAIVE, 'loop.completion': 'claim' };

/** Built-in arms; `full` and `checks` have default settings, and tasks of `checks` name commands (`Check:`). */
const ARMS: Readonly<Record<string, Settings>> = {
  baseline: NAIVE,
  detection: CHECKED,
  'adaptive-timeout': { ...NAIVE, 'adaptive_timeout.enabled': true },
  interventions: { ...CHECKED, 'interventions.enabled': true },
  'proof-off': { 'proof.mode': 'off' },
  full: {},
  checks: {},
  'proof-tests': { 'proof.require': 'tests' },
};

/** Returns a built-in arm, else a configuration file. */
export function loadArm(cwd: string, name: string): { ok: true; arm: Unit['arm'] } | Failure {
  const settings = ARMS[name];
  if (settings !== undefined)
    return { ok: true, arm: { name, settings, config: null, hasChecks: name === 'checks' } };
  const config = readText(resolve(cwd, name));
  if (config !== null) return { ok: true, arm: { name, settings: {}, config, hasChecks: false } };
  const names = Object.keys(ARMS);
  return failure(
    `There is no arm "${name}": it is neither built in (${names.join(', ')}) nor a configuration file.${didYouMean(name, names)}`,
    'ralph eval study --arms baseline,full',
  );
}
