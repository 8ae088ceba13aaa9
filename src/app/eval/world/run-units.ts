import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from 'ralph-kit/programs/start/start-program';
import { endWithRalph } from 'ralph-kit/programs/table/signals';
import { takeSignals } from 'ralph-kit/take-signals';
import { tryOr } from 'ralph-kit/try-or';
import type { StopSignalName } from '../../../domain/exit.ts';
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

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const satisfies readonly StopSignalName[];

/**
 * Runs units in parallel processes and saves each result at once. `resume`: saved results of equal units are used.
 * @returns all results, or the first signal, after which all runs were ended
 * @throws Error with the output of the first failed run, after which the others were ended.
 */
export async function runUnits(
  units: readonly Unit[],
  options: {
    readonly folder: string;
    readonly jobs: number;
    readonly resume: boolean;
    readonly onProgress: (progress: Progress) => void;
  },
): Promise<readonly UnitResult[] | StopSignalName> {
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
  const running = new Set<ChildProcess>();
  const endAll = () => {
    waiting.length = 0;
    // A run ends politely at its first signal, and at once at its second, as `ralph run` does.
    for (const child of running) child.kill('SIGTERM');
  };
  let stoppedBy: StopSignalName | null = null;
  const failures: Error[] = [];
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const failed = await inProcess(job, running);
      if (failed !== null && failures.push(failed) === 1 && stoppedBy === null) endAll();
      finished += 1;
      if (failures.length === 0) report();
    }
  };
  const giveBack = takeSignals(SIGNALS, (signal) => {
    stoppedBy ??= signal as StopSignalName;
    endAll();
  });
  await Promise.all(Array.from({ length: Math.min(jobs, total) }, work)).finally(giveBack);
  if (stoppedBy !== null) return stoppedBy;
  if (failures[0] !== undefined) throw failures[0];
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

/** Returns why the run failed; `null`: its result is saved. Everything temporary is removed, however the run ends. */
async function inProcess(job: Job, running: Set<ChildProcess>): Promise<Error | null> {
  const temporary = mkdtempSync(join(tmpdir(), 'ralph-eval-'));
  writeFileSync(job.file, JSON.stringify(job));
  try {
    const why = await ended(job, temporary, running);
    if (why === null && resultOf(job) !== null) return null;
    const { arm, seed } = job.unit;
    return new Error(`${arm.name}, seed ${seed}: ${why ?? 'its result is missing'}`);
  } finally {
    for (const path of [job.file, temporary]) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns what the process of a run printed before it failed; `null`: it didn't. */
function ended({ file }: Job, temporary: string, running: Set<ChildProcess>): Promise<string | null> {
  return new Promise((resolve) => {
    // Ctrl-C in a terminal signals the whole group, and would count twice.
    const child = start(process.execPath, [process.argv[1] ?? '', 'eval', 'run-unit', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, TMPDIR: temporary },
    });
    running.add(child);
    endWithRalph(child);
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-4000);
    });
    child.on('error', ({ message }) => {
      running.delete(child);
      resolve(message);
    });
    child.on('close', (code) => {
      running.delete(child);
      resolve(code === 0 ? null : printed.trim() || `it ended with ${code}`);
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
