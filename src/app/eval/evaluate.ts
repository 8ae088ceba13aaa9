import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EXIT, exitCodeOf, type StopSignalName } from '../../domain/exit.ts';
import { type Failure, failure, success } from '../result.ts';
import { type ArmSummary, compareUnits, summarise, type UnitResult } from './figures.ts';
import { readText } from './world/launch-model.ts';
import { loadArm, loadSuite } from './world/load-suite.ts';
import type { Unit } from './world/run-unit.ts';
import { type Progress, runUnits } from './world/run-units.ts';

export { runJob } from './world/run-units.ts';

export type EvaluateInput = {
  readonly cwd: string;
  readonly suite: string;
  readonly arms: readonly string[];
  readonly seeds: number;
  readonly jobs: number | null;
  readonly resume: boolean;
  /** Command that continues this evaluation if it is stopped. */
  readonly again: string;
  /** Values of r for each arm; empty: the suite's. */
  readonly reacts: readonly number[];
  /** Shares of cheating attempts for each arm; empty: the suite's. */
  readonly cheats: readonly number[];
  readonly out: string | null;
  /** Writes the results as a page; `null`: no page. */
  readonly page: { readonly file: string; readonly render: (summary: EvaluationSummary) => string } | null;
  readonly onProgress: (progress: Progress) => void;
};

export type EvaluationSummary = {
  readonly suite: string;
  readonly about: string;
  readonly seeds: number;
  readonly arms: readonly ArmSummary[];
};

export type EvaluateResult = Extract<Awaited<ReturnType<typeof evaluate>>, { ok: true }>['data'];

/** `ralph eval`: runs a suite in each arm with each seed and summarises it. */
export async function evaluate(input: EvaluateInput) {
  const loaded = loadSuite(input.cwd, input.suite);
  if (!loaded.ok) return loaded;
  const { suite, folder } = loaded;
  for (const name of ['reacts', 'cheats'] as const)
    if (input[name].length > 0 && suite.model === undefined)
      return failure(
        `--${name} is for suites with a modelled agent; ${suite.name} has one of its own.`,
        'ralph eval --help',
      );
  const arms: Unit['arm'][] = [];
  for (const name of input.arms) {
    const arm = loadArm(input.cwd, name);
    if (!arm.ok) return arm;
    arms.push(arm.arm);
  }
  const units = arms.flatMap((arm) =>
    variantsOf({ suite, folder, arm, seed: 0 }, input).flatMap((unit) =>
      Array.from({ length: input.seeds }, (_, index) => ({ ...unit, seed: index + 1 })),
    ),
  );
  const out = resolve(input.cwd, input.out ?? join('ralph-eval', suite.name));
  const began = performance.now();
  let results: readonly UnitResult[] | StopSignalName;
  try {
    const { resume, onProgress } = input;
    results = await runUnits(units, {
      folder: out,
      resume,
      onProgress,
      jobs: input.jobs ?? availableParallelism(),
    });
  } catch (error) {
    return failure(`A run failed: ${(error as Error).message}`, input.again, EXIT.unexpected);
  }
  if (typeof results === 'string')
    return failure('Stopped. Results of finished runs are kept.', input.again, exitCodeOf(results));
  const file = join(out, 'results.json');
  const document = { suite: suite.name, seeds: input.seeds, units: results };
  mkdirSync(out, { recursive: true });
  writeFileSync(file, `${JSON.stringify(document)}\n`);
  const summary = {
    suite: suite.name,
    about: suite.about,
    seeds: input.seeds,
    arms: summarise(results, [...new Set(units.map(({ arm }) => arm.name))]),
  };
  const html = input.page === null ? null : resolve(input.cwd, input.page.file);
  if (html !== null && input.page !== null) {
    mkdirSync(dirname(html), { recursive: true });
    writeFileSync(html, input.page.render(summary));
  }
  return success({
    ...summary,
    html,
    seconds: Math.round((performance.now() - began) / 1000),
    results: file,
  });
}

/** Returns a unit for each rate of cheats and value of r; one for an arm without feedback, which r doesn't affect. */
function variantsOf(unit: Unit, { reacts, cheats }: Pick<EvaluateInput, 'reacts' | 'cheats'>): Unit[] {
  const isDeaf = unit.arm.settings['interventions.enabled'] === false;
  return variedBy(unit, 'cheats', 'cheats', cheats).flatMap((one) =>
    variedBy(one, 'reacts', 'r', isDeaf ? [] : reacts),
  );
}

function variedBy(unit: Unit, key: 'reacts' | 'cheats', sign: string, values: readonly number[]): Unit[] {
  const { suite, arm } = unit;
  const { model } = suite;
  if (model === undefined || values.length === 0) return [unit];
  return values.map((value) => ({
    ...unit,
    suite: { ...suite, model: { ...model, [key]: value } },
    arm: { ...arm, name: `${arm.name} ${sign}=${value}` },
  }));
}

export type CompareResult = Extract<Awaited<ReturnType<typeof compare>>, { ok: true }>['data'];

/** Implements `ralph eval compare A B`: compares the results of two evaluations. */
export async function compare(input: { readonly cwd: string; readonly a: string; readonly b: string }) {
  const { cwd, a, b } = input;
  const one = readResults(cwd, a);
  if (!one.ok) return one;
  const other = readResults(cwd, b);
  if (!other.ok) return other;
  const [arms, others] = [armsOf(one.units), armsOf(other.units)];
  const both = arms.filter((arm) => others.includes(arm));
  const isOneEach = arms.length === 1 && others.length === 1;
  const pairs = both.length > 0 || !isOneEach ? both.map((arm) => [arm, arm]) : [[...arms, ...others]];
  if (pairs.length === 0) {
    return failure(
      `They have no arm in common: ${a} has ${arms.join(', ')}, ${b} has ${others.join(', ')}.`,
      'ralph eval --help',
    );
  }
  const of = (units: readonly UnitResult[], arm: string) => units.filter((unit) => unit.arm === arm);
  return success({
    a,
    b,
    arms: pairs.map(([from = '', to = '']) => ({
      arm: from === to ? from : `${from} → ${to}`,
      figures: compareUnits(of(one.units, from), of(other.units, to)),
    })),
  });
}

function readResults(cwd: string, path: string): { ok: true; units: readonly UnitResult[] } | Failure {
  const text = readText(resolve(cwd, path)) ?? readText(resolve(cwd, path, 'results.json'));
  if (text === null)
    return failure(
      `There are no results at ${path}: name a results.json or its folder.`,
      'ralph eval study --out DIR',
    );
  try {
    const { units } = JSON.parse(text) as { units?: readonly UnitResult[] };
    if (Array.isArray(units) && units.every((unit) => Array.isArray(unit.attempts)))
      return { ok: true, units };
  } catch {
    // An unreadable file of results is reported by the failure below.
  }
  return failure(`${path} doesn't hold results of ralph eval.`, 'ralph eval study --out DIR');
}

function armsOf(units: readonly UnitResult[]): string[] {
  return [...new Set(units.map(({ arm }) => arm))];
}
