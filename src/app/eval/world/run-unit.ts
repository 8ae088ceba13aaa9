import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runShort } from 'ralph-kit/programs/start/start-program';
import type { Entry, EntryOf } from '../../../domain/entry.ts';
import { EXIT } from '../../../domain/exit.ts';
import { allSpend, spentOf } from '../../../domain/spend.ts';
import { withoutInherited } from '../../../git/call/environment.ts';
import { metrics } from '../../commands/metrics.ts';
import { resume } from '../../commands/resume.ts';
import { run, UNATTENDED } from '../../commands/run.ts';
import { codeFiles, codePath, isTrueCode } from '../code-task.ts';
import type { AttemptResult, UnitResult } from '../figures.ts';
import { filesOf, isDone, settingsOf, workOf } from '../fixture.ts';
import type { ModelledSuite, Suite } from '../suite.ts';
import { launchModel, readText } from './launch-model.ts';
import { virtualClock } from './virtual-clock.ts';

/** Exit codes of runs that a signal ended are larger. */
const FIRST_OF_SIGNALS = 128;

export type Unit = {
  readonly suite: Suite;
  /** Folder of the suite. */
  readonly folder: string;
  readonly arm: {
    readonly name: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly config: string | null;
    /** Whether tasks with `code` have a `Check:` command. */
    readonly hasChecks: boolean;
  };
  readonly seed: number;
};

/**
 * Runs the loop and judges the result. A task with `code` has its own repository, as failing tests hide others.
 * @throws Error if a run doesn't start.
 */
export async function runUnit(unit: Unit): Promise<UnitResult> {
  const { tasks = [] } = unit.suite;
  if (tasks.every(({ code }) => code === undefined)) return runIn(unit);
  const parts: UnitResult[] = [];
  for (const task of tasks) parts.push(await runIn({ ...unit, suite: { ...unit.suite, tasks: [task] } }));
  return together(parts);
}

async function runIn(unit: Unit): Promise<UnitResult> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-eval-')));
  process.env.XDG_STATE_HOME = join(base, 'state');
  process.env.XDG_CONFIG_HOME = join(base, 'config');
  try {
    const root = join(base, 'repository');
    mkdirSync(root);
    const { tasks, model } = unit.suite;
    const modelled = tasks === undefined || model === undefined ? null : { ...unit.suite, tasks, model };
    if (modelled === null) cpSync(join(unit.folder, unit.suite.repository ?? ''), root, { recursive: true });
    else writeAll(root, filesIn(modelled, unit));
    if (unit.arm.config !== null) writeAll(root, { '.ralph/ralph.toml': unit.arm.config });
    await makeRepository(root);
    return await measured(unit, root, modelled);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function filesIn(suite: ModelledSuite, { seed, arm }: Unit): Readonly<Record<string, string>> {
  const [task] = suite.tasks;
  return task?.code === undefined
    ? filesOf(suite, seed)
    : codeFiles(suite.name, { ...task, code: task.code }, arm.hasChecks);
}

/** Combines runs of one arm and seed. */
function together(parts: readonly UnitResult[]): UnitResult {
  const [first] = parts;
  if (first === undefined) throw new Error('the suite has no tasks');
  const sum = (value: (part: UnitResult) => number) => parts.reduce((all, part) => all + value(part), 0);
  return {
    ...first,
    ending: [...new Set(parts.map(({ ending }) => ending))].join(', '),
    tasks: parts.flatMap(({ tasks }) => tasks),
    attempts: parts.flatMap(({ attempts }) => attempts),
    breaks: sum(({ breaks }) => breaks),
    interventions: summed(parts.flatMap(({ interventions }) => interventions)),
    green: parts.every(({ green }) => green === true),
    gateRuns: sum(({ gateRuns }) => gateRuns),
    realMs: sum(({ realMs }) => realMs),
  };
}

function summed(all: UnitResult['interventions']): UnitResult['interventions'] {
  const sums = new Map<string, { applied: number; helped: number; judged: number }>();
  for (const { type, applied, helped, judged } of all) {
    const sum = sums.get(type) ?? { applied: 0, helped: 0, judged: 0 };
    sum.applied += applied;
    sum.helped += helped;
    sum.judged += judged;
    sums.set(type, sum);
  }
  return [...sums].map(([type, sum]) => ({ type, ...sum }));
}

async function measured(
  { suite, arm, seed }: Unit,
  root: string,
  modelled: ModelledSuite | null,
): Promise<UnitResult> {
  const results: Promise<AttemptResult>[] = [];
  const grades = new Map<string, string>();
  let gateRuns = 0;
  const tasks = modelled?.tasks ?? [];
  // An attempt is judged by its copy, a run by the checkout.
  let copy = root;
  let tried: string | null = null;
  const follow = (cwd: string, move: string | null) => {
    copy = cwd;
    tried = move;
  };
  const readIn = (folder: string) => (path: string) => readText(join(folder, path));
  const levels = new Map(tasks.map((task) => [task.id, task.level]));
  /** The files are read at once, as an attempt's copy may be removed later. */
  const isTrue = async (id: string, folder: string) => {
    const task = tasks.find((one) => one.id === id);
    if (modelled === null || task === undefined) return null;
    return task.code === undefined
      ? isDone(readIn(folder), id, workOf(modelled.model, seed, task))
      : isTrueCode(task.code, readIn(folder)(codePath(task.code)));
  };
  const resultOf = async (entry: EntryOf<'iteration_finished'>): Promise<AttemptResult> => {
    const { taskId: task, attempt, blocked } = entry;
    const { verdict, filesChanged: files, durationMs } = attempt;
    const { tokens } = spentOf(allSpend(entry));
    const level = levels.get(task) ?? 'all';
    return {
      task,
      level,
      verdict,
      files,
      durationMs,
      tokens,
      blocked: blocked !== null,
      move: tried,
      grade: null,
      true: await isTrue(task, copy),
    };
  };
  const onEntry = (entry: Entry) => {
    if (entry.type === 'gates_started' && entry.one !== null) gateRuns += 1;
    if (entry.type === 'run_reported')
      for (const { id, grade } of entry.report.doneInRun) grades.set(id, grade);
    if (entry.type === 'iteration_finished') results.push(resultOf(entry));
  };
  const started = performance.now();
  const clock = virtualClock();
  const world = modelled === null ? {} : { clock, launchAgent: launchModel(modelled, seed, clock, follow) };
  const runOnce = () =>
    run({
      cwd: root,
      flags: { ...(modelled === null ? suite.settings : settingsOf(modelled)), ...arm.settings },
      ...UNATTENDED,
      maxIterations: suite.max_iterations - results.length,
      onEntry,
      onStop: () => undefined,
      hide: () => undefined,
      ...world,
    });
  const left = () => suite.max_iterations - results.length;
  // Every arm works through the whole list: runs are resumed after each policy stop.
  let result = await runOnce();
  let breaks = 0;
  while (result.ok && result.exitCode === EXIT.break && left() > 0) {
    const before = left();
    const again = { id: null, option: null, reason: 'ralph eval', ask: null };
    if (!(await resume({ cwd: root, ...again, ...world })).ok) break;
    breaks += 1;
    result = await runOnce();
    if (left() === before) break;
  }
  const realMs = performance.now() - started;
  if (!result.ok) throw new Error(result.message);
  // A signal ended the run, so its result isn't one of the suite.
  if (result.exitCode > FIRST_OF_SIGNALS) throw new Error('The run was stopped.');
  const attempts = (await Promise.all(results)).map((one) =>
    one.verdict === 'done' ? { ...one, grade: grades.get(one.task) ?? null } : one,
  );
  const done = new Set(attempts.filter(({ verdict }) => verdict === 'done').map(({ task }) => task));
  const unknown = (id: string) => ({ id, level: 'all', behaviour: 'model' });
  const described = tasks.map(({ id, level, behaviour }) => ({ id, level, behaviour: behaviour ?? 'model' }));
  return {
    arm: arm.name,
    seed,
    ending: String((result.data as { outcome?: unknown }).outcome ?? result.exitCode),
    tasks: modelled === null ? [...new Set(attempts.map(({ task }) => task))].map(unknown) : described,
    attempts,
    breaks,
    interventions: await interventionsIn(root),
    green:
      modelled === null
        ? null
        : (await Promise.all([...done].map((id) => isTrue(id, root)))).every((is) => is === true),
    gateRuns,
    realMs: Math.round(realMs),
  };
}

async function interventionsIn(root: string): Promise<UnitResult['interventions']> {
  const result = await metrics({ cwd: root });
  if (!result.ok) throw new Error(result.message);
  return summed(
    result.data.interventions.cells.map(({ intervention_type: type, applied, outcome }) => ({
      type,
      applied,
      helped: outcome.helped,
      judged: outcome.helped + outcome.not_helped,
    })),
  );
}

function writeAll(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function makeRepository(root: string): Promise<void> {
  const settings = [
    ['user.name', 'ralph eval'],
    ['user.email', 'eval@localhost'],
    ['commit.gpgsign', 'false'],
    ['gc.auto', '0'],
  ];
  // Started from a hook or an alias, git's variables name the caller's repository: it would be the one that is written.
  const env = withoutInherited(process.env);
  const git = (...args: string[]) =>
    runShort('git', args, { cwd: root, env, extendEnv: false, stdin: 'ignore' });
  if (!existsSync(join(root, '.git'))) await git('init', '--quiet');
  for (const [name = '', value = ''] of settings) await git('config', name, value);
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Start');
}
