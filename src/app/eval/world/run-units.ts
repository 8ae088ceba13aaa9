import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from 'ralph-kit/programs/start/start-program';
import { tryOr } from 'ralph-kit/try-or';
import { VERSION } from '../../version.ts';
import type { UnitResult } from '../figures.ts';
import { readText } from './launch-model.ts';
import { runUnit, type Unit } from './run-unit.ts';

/** Numbers of finished and all runs; `leftMs`: estimated time left; `null`: unknown. */
export type Progress = { readonly finished: number; readonly total: number; readonly leftMs: number | null };

type Job = {
  readonly unit: Unit;
  readonly file: string;
  readonly result: string;
  readonly fingerprint: string;
};

/**
 * Runs units in parallel processes and saves each result at once. `resume`: saved results of equal units are used.
 * @throws Error with the output of the first failed run.
 */
export async function runUnits(
  units: readonly Unit[],
  options: {
    readonly folder: string;
    readonly jobs: number;
    readonly resume: boolean;
    readonly onProgress: (progress: Progress) => void;
  },
): Promise<readonly UnitResult[]> {
  const { folder, jobs, resume, onProgress } = options;
  const place = join(folder, 'runs');
  if (!resume) rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const all = units.map((unit) => jobOf(unit, place));
  const waiting = all.filter((job) => resultOf(job) === null);
  const kept = all.length - waiting.length;
  const total = waiting.length;
  const began = performance.now();
  let finished = 0;
  const report = () => {
    const each = finished === 0 ? null : (performance.now() - began) / finished;
    onProgress({
      finished: kept + finished,
      total: all.length,
      leftMs: each === null ? null : each * (total - finished),
    });
  };
  report();
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await inProcess(job);
      finished += 1;
      report();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, total) }, work));
  return all.map((job) => {
    const result = resultOf(job);
    if (result === null) throw new Error(`${job.result} is missing or can't be read`);
    return result;
  });
}

function jobOf(unit: Unit, place: string): Job {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([VERSION, unit]))
    .digest('hex');
  const name = `${unit.arm.name.replace(/[^\w.=-]+/g, '_')}-${unit.seed}`;
  return { unit, fingerprint, file: join(place, `${name}.job`), result: join(place, `${name}.json`) };
}

function resultOf({ result, fingerprint }: Job): UnitResult | null {
  const read: { fingerprint?: string; unit?: UnitResult } = tryOr({}, () =>
    JSON.parse(readText(result) ?? '{}'),
  );
  return read.fingerprint === fingerprint ? (read.unit ?? null) : null;
}

function inProcess(job: Job): Promise<void> {
  writeFileSync(job.file, JSON.stringify(job));
  return new Promise((resolve, reject) => {
    const child = start(process.execPath, [process.argv[1] ?? '', 'eval', 'run-unit', job.file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-4000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      rmSync(job.file, { force: true });
      const { arm, seed } = job.unit;
      if (code === 0 && resultOf(job) !== null) resolve();
      else reject(new Error(`${arm.name}, seed ${seed}: ${printed.trim() || `it ended with ${code}`}`));
    });
  });
}

/** Runs one unit in a process of `runUnits`. */
export async function runJob(file: string): Promise<void> {
  const { unit, result, fingerprint } = JSON.parse(readText(file) ?? '') as Job;
  // The repository is our own scratch one.
  process.env.RALPH_TRUST = '1';
  const done = { fingerprint, unit: await runUnit(unit) };
  writeFileSync(`${result}.new`, `${JSON.stringify(done)}\n`);
  renameSync(`${result}.new`, result);
}
