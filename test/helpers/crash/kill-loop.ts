import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  carriersOfEnvironment,
  describeProcess,
  killCarriersOfEnvironment,
  uniqueToken,
  waitUntil,
} from '../adversaries/token.ts';
import { setAsideFiles, tornDocuments } from './loop-documents.ts';
import { journalLines, type LoopKind, type LoopProject, makeLoopProject } from './loop-project.ts';

export type KillLoopOptions = {
  /** Absolute path of the built command line, `bin/ralph.js`. */
  readonly bin: string;
  readonly kind: LoopKind;
  readonly kills: number;
  /** Returns a number from 0 to below 1: the moment of the next kill within the measured course of a run. */
  readonly random: () => number;
  readonly onKill?: (wrong: number) => void;
};

/** Number of iterations of an undisturbed run, over which the moments of the kills are spread. */
const ITERATIONS_SPREAD = 4;
/**
 * Maximum number of tasks that a run does before its kill: if none is left before the last kill, another repository is
 * made.
 */
const TASKS_PER_KILL = 2;
/** Milliseconds that remaining processes may take to end. */
const FREE_MS = 5000;

/**
 * Kills `ralph run` again and again in one repository until it had so many kills, then lets it finish. Returns a line
 * for each broken promise; the caller removes the repository.
 */
export async function killLoop(options: KillLoopOptions): Promise<{ kills: number; wrong: string[] }> {
  const { bin, kind, random } = options;
  const project = makeLoopProject(kind, options.kills * TASKS_PER_KILL + ITERATIONS_SPREAD);
  const token = uniqueToken();
  const env = { ...process.env, TORTURE_TOKEN: token, RALPH_TRUST: '1' };
  const { root } = project.repository;
  const wrong: string[] = [];
  const journaled = new Set<string>();
  /** Problems that were found at one kill aren't reported again at the next. */
  const known = new Set<string>();
  const spread = measureCourse(bin, root, env);
  let kills = 0;
  try {
    while (kills < options.kills) {
      const afterMs = random() * spread;
      const end = await runUntilKilled(bin, root, env, afterMs);
      const where = `${kind}, kill ${kills + 1} after ${Math.round(afterMs)} ms`;
      if (end.code !== null) {
        if (end.code !== 0)
          wrong.push(`${where}: it ended unasked with ${end.code}: ${end.printed.slice(-300)}`);
        break;
      }
      kills += 1;
      for (const line of end.journal) journaled.add(line);
      const found = await afterKill(project, token, end);
      wrong.push(...found.filter((problem) => !known.has(problem)).map((problem) => `${where}: ${problem}`));
      for (const problem of found) known.add(problem);
      options.onKill?.(wrong.length);
    }
    wrong.push(
      ...finish(project, bin, env, journaled)
        .filter((problem) => !known.has(problem))
        .map((problem) => `${kind}, after ${kills} kills: ${problem}`),
    );
  } finally {
    killCarriersOfEnvironment(token);
  }
  return { kills, wrong };
}

/** Returns the milliseconds from the start to the end of the last iteration of an undisturbed run. */
function measureCourse(bin: string, root: string, env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const argv = [bin, 'run', '--quiet', '--max-iterations', String(ITERATIONS_SPREAD)];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' });
  if (status !== 3) throw new Error(`the unbroken run ended with ${status}: ${stdout}${stderr}`);
  return performance.now() - start;
}

type KilledRun = {
  /** Exit code if the run ended before its kill; otherwise `null`. */
  readonly code: number | null;
  readonly printed: string;
  /** Complete lines of the journal that a reader saw before the kill. */
  readonly journal: readonly string[];
};

async function runUntilKilled(
  bin: string,
  root: string,
  env: NodeJS.ProcessEnv,
  afterMs: number,
): Promise<KilledRun> {
  const child = spawn(process.execPath, [bin, 'run'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let journal: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => {
    journal = journalLines(root, gunzipSync);
    child.kill('SIGKILL');
  }, afterMs);
  const code = await ended;
  clearTimeout(timer);
  return { code, printed, journal };
}

async function afterKill(project: LoopProject, token: string, end: KilledRun): Promise<string[]> {
  const { root } = project.repository;
  const alive = await waitUntil(
    () => carriersOfEnvironment(token).length === 0,
    'nothing is alive',
    FREE_MS,
  ).then(
    () => [],
    () => carriersOfEnvironment(token),
  );
  const now = new Set(journalLines(root, gunzipSync));
  const lost = end.journal.filter((line) => !now.has(line));
  // An iteration that standard output reports was acknowledged before, so it must be in the journal.
  const begun = [...end.printed.matchAll(/^#(\d+) /gm)].map((match) => Number(match[1]));
  const missing = begun.filter((number) => ![...now].some((line) => isStart(line, number)));
  return [
    ...(alive.length > 0
      ? [`${alive.length} processes are alive: ${alive.map(describeProcess).join('; ')}`]
      : []),
    ...lost.map((line) => `lost: ${line.slice(0, 100)}`),
    ...missing.map((number) => `iteration ${number} was told and is not in the journal`),
    ...tornDocuments(root),
    ...project.personsLosses(),
    ...lockWithoutHolder(`${root}/.git/index.lock`),
  ];
}

/** A lock that names ralph is removed by its next command; one that looks like git's would stay. */
function lockWithoutHolder(path: string): string[] {
  return existsSync(path) && !readFileSync(path, 'utf8').startsWith('ralph ')
    ? ['.git/index.lock is left, and names no holder']
    : [];
}

function isStart(line: string, iteration: number): boolean {
  return line.includes('"iteration_started"') && line.includes(`"iteration":${iteration},`);
}

/** Lets the run finish, and checks all of its records. */
function finish(
  project: LoopProject,
  bin: string,
  env: NodeJS.ProcessEnv,
  journaled: ReadonlySet<string>,
): string[] {
  const { root, exists, read } = project.repository;
  const ralph = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const { status, stdout, stderr } = ralph('run', '--quiet');
  const wrong =
    status === 0 ? [] : [`the last run ended with ${status}: ${`${stdout}${stderr}`.slice(-300)}`];
  const lines = journalLines(root, gunzipSync);
  const there = new Set(lines);
  wrong.push(
    ...[...journaled]
      .filter((line) => !there.has(line))
      .map((line) => `lost in the end: ${line.slice(0, 100)}`),
  );
  wrong.push(...journalProblems(lines), ...tornDocuments(root), ...project.personsLosses());
  wrong.push(...setAsideFiles(root).map((name) => `${name} was set aside`));
  if (exists('.git/index.lock')) wrong.push('.git/index.lock is left in the end');
  for (const id of project.tasks) {
    if (!exists(`work/${id}.txt`) || !read(`work/${id}.txt`).startsWith(`${id} `))
      wrong.push(`the work of ${id} is lost`);
    if (!read('.ralph/PRD.md').includes(`- [x] **${id}** `)) wrong.push(`${id} is not marked as done`);
  }
  const runs = new Set(
    lines.flatMap((line) => /"type":"iteration_finished","run":"([^"]+)"/.exec(line)?.[1] ?? []),
  );
  for (const run of [...runs].slice(-REPLAYED)) {
    const replayed = ralph('replay', run);
    if (replayed.status !== 0)
      wrong.push(`replay of ${run}: ${`${replayed.stdout}${replayed.stderr}`.slice(0, 300)}`);
  }
  return wrong;
}

/** Number of runs of a batch that are replayed, because each replay starts ralph once. */
const REPLAYED = 2;

type Line = { seq: number; type: string; iteration?: number };

/**
 * Returns problems of the journal: numbers must have no gaps, and every iteration that began must have ended once, on
 * its own or as interrupted.
 */
function journalProblems(lines: readonly string[]): string[] {
  const records = lines.map((line) => JSON.parse(line) as Line);
  const wrong = records.flatMap(({ seq }, index) =>
    seq === index + 1 ? [] : [`record ${index + 1} has number ${seq}`],
  );
  const count = (type: RegExp, iteration: number | undefined) =>
    records.filter((record) => type.test(record.type) && record.iteration === iteration).length;
  for (const { iteration } of records.filter(({ type }) => type === 'iteration_started')) {
    const [begun, over] = [
      count(/^iteration_started$/, iteration),
      count(/^iteration_(finished|interrupted)$/, iteration),
    ];
    if (begun !== 1 || over !== 1)
      wrong.push(`iteration ${iteration} began ${begun} times and ended ${over} times`);
  }
  return wrong;
}
