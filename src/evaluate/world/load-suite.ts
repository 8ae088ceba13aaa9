import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Failure, failure } from '../../app/result.ts';
import { packageTop } from '../../io/package-top.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { readSuite, type Suite } from '../suite.ts';
import { readText } from './launch-model.ts';
import type { Unit } from './run-unit.ts';

/** A built-in suite by its name, else a folder with a `suite.json`. */
export function loadSuite(
  cwd: string,
  name: string,
): { readonly ok: true; readonly suite: Suite; readonly folder: string } | Failure {
  // They lie beside the program, in its package as in its sources.
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
  if (!read.ok) return failure(read.problems.map((problem) => `${file}: ${problem}`).join('\n'));
  const { repository } = read.suite;
  if (repository !== undefined && !existsSync(join(folder, repository))) {
    return failure(`${file}: repository: there is no folder ${join(folder, repository)}`);
  }
  return { ok: true, suite: read.suite, folder };
}

/** Settings by dotted key, as flags give them. */
type Settings = Readonly<Record<string, unknown>>;

/** The naive loop: a claim is believed, nothing is fed back, nothing adapts, nothing corrects. */
const NAIVE: Settings = {
  'loop.completion': 'unchecked',
  'loop.no_progress_limit': 1000,
  'interventions.enabled': false,
  'adaptive_timeout.enabled': false,
  'policy.checkpoint.every': 0,
  'policy.checkpoint.every_tasks': 0,
};

/** Checked claims and nothing that follows from them: what feedback is compared with. */
const CHECKED: Settings = { ...NAIVE, 'loop.completion': 'claim' };

/**
 * Arms that are built in; `full` is the shipped defaults, and so is `checks`, whose tasks with `code` name commands that show
 * them (`Check:`).
 */
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

/** A built-in arm by its name, else a configuration file. */
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
