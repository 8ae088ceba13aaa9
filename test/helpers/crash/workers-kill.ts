import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  carriersOfEnvironment,
  describeProcess,
  killCarriersOfEnvironment,
  uniqueToken,
  waitUntil,
} from '../adversaries/token.ts';
import { temporaryFolder } from '../repository.ts';
import { setAsideFiles, tornDocuments } from './loop-documents.ts';
import { journalLines } from './loop-project.ts';
import {
  BETWEEN,
  copiesIn,
  landedIn,
  MEANWHILE,
  makeWorkersProject,
  ownOf,
  redCommits,
  WORKERS,
  type WorkersProject,
  workProblems,
} from './workers-project.ts';

export type WorkersKillOptions = {
  /** Absolute path of the built command line, `bin/ralph.js`. */
  readonly bin: string;
  readonly kills: number;
  /** Returns a number from 0 to below 1, which decides when kills happen, what is killed, and what the user does. */
  readonly random: () => number;
  readonly onKill?: (wrong: number) => void;
};

/** Acts of the user after which git itself has dropped staged changes. */
const UNSTAGES: ReadonlySet<string> = new Set(['stashes', 'rebases']);

export type WorkersKilled = {
  readonly kills: number;
  /** Number of results with a verdict. */
  readonly results: number;
  /** Number of conflicts, which cost no attempt. */
  readonly conflicts: number;
  /** Number of honest results that were sent back by gates which fail by chance. */
  readonly evicted: number;
  /** A line for each other broken promise. */
  readonly wrong: readonly string[];
};

/** Number of iterations of an undisturbed run, over which the moments of the kills are spread. */
const ITERATIONS_SPREAD = 8;
/**
 * Approximate number of tasks that a run does before its kill; once all are done, no more kills are played in the
 * repository.
 */
const TASKS_PER_KILL = 2;
/** Milliseconds that remaining processes may take to end. */
const FREE_MS = 30_000;
/** Maximum number of copies: one for each worker, one for the line, and one for each gate that runs at once. */
const MOST_COPIES = WORKERS + 1 + WORKERS;

/**
 * Kills a run of four workers again and again in one repository, every second time with all processes that it started,
 * beside a user who works in the checkout, then lets it finish. Agents are honest; one gate in ten fails by chance.
 */
export async function workersKills({
  bin,
  kills: wanted,
  random,
  onKill,
}: WorkersKillOptions): Promise<WorkersKilled> {
  const project = makeWorkersProject(wanted * TASKS_PER_KILL + ITERATIONS_SPREAD);
  const { repository } = project;
  const { root } = repository;
  const token = uniqueToken();
  const home = temporaryFolder();
  const env = { ...process.env, TORTURE_TOKEN: token, RALPH_TRUST: '1', XDG_STATE_HOME: home };
  const ralph = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const wrong: string[] = [];
  const acknowledged = new Set<string>();
  let kills = 0;
  try {
    const start = performance.now();
    const first = ralph('run', '--quiet', '--max-iterations', String(ITERATIONS_SPREAD));
    if (first.status !== 3)
      throw new Error(`the unbroken run ended with ${first.status}: ${first.stdout}${first.stderr}`);
    const spread = performance.now() - start;
    while (kills < wanted) {
      const afterMs = random() * spread;
      const meanwhile = pick(MEANWHILE, random);
      const isAll = kills % 2 === 1;
      const where = `kill ${kills + 1} ${isAll ? 'of all ' : ''}after ${Math.round(afterMs)} ms, ${meanwhile[0]}`;
      const child = spawn(process.execPath, [bin, 'run'], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const printed: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const acts = random() * afterMs;
      await Promise.race([ended, wait(acts)]);
      attempt(() => meanwhile[1](repository, kills));
      await Promise.race([ended, wait(afterMs - acts)]);
      const seen = journalLines(root, gunzipSync);
      child.kill('SIGKILL');
      if (isAll) killCarriersOfEnvironment(token);
      const code = await ended;
      if (code !== null) {
        if (code !== 0)
          wrong.push(`${where}: it ended unasked with ${code}: ${printed.join('').slice(-300)}`);
        break;
      }
      kills += 1;
      const found = await afterKill(token, root, seen);
      for (const line of seen) acknowledged.add(line);
      // Any command finishes what a killed run began.
      ralph('status');
      const between = pick(BETWEEN, random);
      const before = ownOf(repository);
      attempt(() => between[1](repository, kills));
      if (existsSync(repository.path('.git/rebase-merge')))
        attempt(() => repository.git('rebase', '--abort'));
      const after = ownOf(repository);
      if (before !== after && !UNSTAGES.has(between[0]))
        found.push(`${between[0]}: what is the user's changed: ${before} became ${after}`);
      wrong.push(...found.map((problem) => `${where}: ${problem}`));
      onKill?.(wrong.length);
    }
    const mine = ownOf(repository);
    const last = ralph('run', '--quiet');
    if (last.status !== 0)
      wrong.push(`the last run ended with ${last.status}: ${`${last.stdout}${last.stderr}`.slice(-600)}`);
    if (ownOf(repository) !== mine)
      wrong.push(`what is the user's changed in the last run: ${mine} became ${ownOf(repository)}`);
    const lines = journalLines(root, gunzipSync);
    const there = new Set(lines);
    wrong.push(
      ...[...acknowledged]
        .filter((line) => !there.has(line))
        .map((line) => `lost in the end: ${line.slice(0, 100)}`),
      ...journalProblems(lines),
      ...setAsideFiles(root).map((name) => `${name} was set aside`),
      ...landingProblems(project),
      ...workProblems(project),
    );
    const replayed = ralph('replay');
    if (replayed.status !== 0) wrong.push(`replay: ${`${replayed.stdout}${replayed.stderr}`.slice(0, 300)}`);
    const copies = copiesIn(home);
    if (copies.length > MOST_COPIES) wrong.push(`${copies.length} copies lie there: ${copies.join(' ')}`);
    return { kills, wrong, ...resultsOf(lines) };
  } finally {
    killCarriersOfEnvironment(token);
  }
}

function pick<Of>(all: readonly Of[], random: () => number): Of {
  return all[Math.floor(random() * all.length)] as Of;
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Git refuses the act: ralph holds its lock at the moment, or there is nothing to do.
  }
}

async function afterKill(token: string, root: string, seen: readonly string[]): Promise<string[]> {
  const alive = await waitUntil(
    () => carriersOfEnvironment(token).length === 0,
    'nothing is alive',
    FREE_MS,
  ).then(
    () => [],
    () => carriersOfEnvironment(token),
  );
  const now = new Set(journalLines(root, gunzipSync));
  return [
    ...alive.map((pid) => `alive: ${describeProcess(pid)}`),
    ...seen.filter((line) => !now.has(line)).map((line) => `lost: ${line.slice(0, 100)}`),
    ...tornDocuments(root),
  ];
}

type Line = { seq: number; type: string; iteration?: number; attempt?: { verdict: string } };

function resultsOf(lines: readonly string[]): Pick<WorkersKilled, 'results' | 'conflicts' | 'evicted'> {
  const verdicts = lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ type }) => type === 'iteration_finished')
    .map(({ attempt }) => attempt?.verdict ?? 'none');
  const count = (...kinds: string[]) => verdicts.filter((verdict) => kinds.includes(verdict)).length;
  const conflicts = count('conflict');
  const results = conflicts + count('done');
  return { results, conflicts, evicted: verdicts.length - results - count('interrupted') };
}

/**
 * Returns problems of the journal: numbers must have no gaps, and every iteration that began must have ended once, on
 * its own or as interrupted.
 */
function journalProblems(lines: readonly string[]): string[] {
  const records = lines.map((line) => JSON.parse(line) as Line);
  const gaps = records.flatMap(({ seq }, index) =>
    seq === index + 1 ? [] : [`record ${index + 1} has number ${seq}`],
  );
  const numbers = (type: RegExp) =>
    records.filter((one) => type.test(one.type)).map(({ iteration }) => iteration);
  const [begun, over] = [numbers(/^iteration_started$/), numbers(/^iteration_(finished|interrupted)$/)];
  const times = (all: readonly unknown[], one: unknown) => all.filter((other) => other === one).length;
  return [
    ...gaps,
    ...begun.flatMap((one) =>
      times(begun, one) === 1 && times(over, one) === 1
        ? []
        : [`iteration ${one} began ${times(begun, one)} times and ended ${times(over, one)} times`],
    ),
  ];
}

/**
 * Returns problems of the history: each task has landed once, after those that it needs, and is ticked; no commit is
 * red; git is whole, and nothing is left to do.
 */
function landingProblems(project: WorkersProject): string[] {
  const { repository, tasks, needs } = project;
  const landed = landedIn(repository);
  const list = repository.read('.ralph/PRD.md');
  const dirty = repository
    .git('status', '--porcelain', '-uall')
    .split('\n')
    .filter((line) => line !== '' && !/ "?(?:mine\/|\.ralph\/\.gitignore$)/.test(line));
  const fsck = spawnSync('git', ['fsck', '--no-dangling'], { cwd: repository.root, encoding: 'utf8' });
  return [
    ...tasks.flatMap((id) => {
      const times = landed.filter((one) => one === id).length;
      return times === 1 ? [] : [`${id} landed ${times} times`];
    }),
    ...[...needs].flatMap(([id, needed]) =>
      landed.indexOf(needed) < landed.indexOf(id) ? [] : [`${id} landed before ${needed}`],
    ),
    ...tasks.filter((id) => !list.includes(`- [x] **${id}** `)).map((id) => `${id} isn't ticked`),
    ...redCommits(project).map((commit) => `commit ${commit} is red`),
    ...dirty.map((line) => `not as committed: ${line}`),
    ...(fsck.status === 0 ? [] : [`fsck: ${fsck.stderr}`]),
    ...['.git/index.lock', '.git/ralph/landing/plan.json']
      .filter((path) => repository.exists(path))
      .map((path) => `${path} is left`),
  ];
}
