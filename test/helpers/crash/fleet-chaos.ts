import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type EngineName, startEngine } from '../engines.ts';
import {
  makeRepository,
  repositoryAt,
  runTestGit,
  type TestRepository,
  temporaryFolder,
} from '../repository.ts';
import { type Door, openDoor } from './door.ts';
import { serveGit } from './git-server.ts';
import { journalLines } from './loop-project.ts';
import { CLOCKS_JUMP, wallClock } from './wall-clock.ts';

/** Result of one fleet. */
export type FleetChaos = {
  readonly engine: EngineName;
  readonly jobs: number;
  /** Number of faults by name. */
  readonly faults: Readonly<Record<string, number>>;
  /**
   * Results of attempts that their workers had lost before: refused by the remote, which had another claim, and by the
   * worker itself.
   */
  readonly refused: { readonly remote: number; readonly worker: number };
  /**
   * Tasks that landed although their ref on the remote still says that they were delivered: the run was killed before
   * it changed the ref.
   */
  readonly untold: number;
  /** Number of runs that ended without being killed, by exit code. */
  readonly ends: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly wrong: readonly string[];
};

type Options = {
  /** Absolute path of the built program. */
  readonly bin: string;
  readonly engine: EngineName;
  readonly jobs: number;
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number;
  readonly onLanded: (landed: number) => void;
};

const WORKERS = 4;
/** Length of a lease in seconds. */
const LEASE = 2;
/** Maximum duration of an agent's work, and maximum time between two faults, in milliseconds. */
const WORK_MS = 2500;
const QUIET_MS = 8000;
/** Maximum time for which a server is away or a network is cut, in milliseconds. */
const AWAY_MS = 6000;
/** Milliseconds for which a stopped worker is silent: longer than its lease. */
const STOPPED_MS = 5000;
/** Milliseconds after its waking within which a run that another one took over has to end. */
const WAKES_MS = 60_000;
/** Milliseconds after which a fleet that isn't done counts as stuck. */
const LIMIT_MS = 20 * 60_000;
/** Maximum number of seconds by which clocks jump from the true time. */
const JUMP_SECONDS = 3600;
/** Seconds of silence after which git gives a connection up. */
const SILENCE_SECONDS = 5;

const AGENT = `
import { writeFileSync } from 'node:fs';
const { RALPH_TASK_ID: id } = process.env;
await new Promise((done) => setTimeout(done, Math.random() * ${WORK_MS}));
writeFileSync(id + '.txt', id + '\\n');
console.log(['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', 'EVIDENCE: ' + id + '.txt:1-1 its file', 'END_RALPH_STATUS'].join('\\n'));
`;

/** A machine of the fleet: a clone with its own ways to the engine and to the remote, and its own clock. */
type Machine = {
  readonly place: TestRepository;
  readonly engine: Door;
  readonly remote: Door;
  readonly clock: ReturnType<typeof wallClock>;
  readonly env: NodeJS.ProcessEnv;
};

/**
 * Lets a fleet of four workers do tasks while workers and the coordinator are killed or stopped, networks are cut,
 * clocks jump, and the engine is killed or wiped; all of them come back. Once another machine takes over the run while
 * the first one sleeps, which then wakes up. At the end each task must have landed once with its work, no delivery may
 * be left, and no run may have ended as taken over that wasn't.
 */
export async function fleetChaos({ bin, engine, jobs, random, onLanded }: Options): Promise<FleetChaos> {
  const began = Date.now();
  const serverClock = wallClock();
  // A job that the engine forgets is queued again. Redis doesn't start under another clock, because its memory
  // allocator asks for the time too early.
  const env = engine === 'redis' ? {} : serverClock.env;
  const server = await startEngine(engine, { keeps: random() < 0.5, env });
  const { project, bare } = makeProject(jobs);
  const git = await serveGit(dirname(bare));
  const machines: Machine[] = [];
  for (const place of [project, ...Array.from({ length: WORKERS + 1 }, () => cloneOf(bare))]) {
    const [toEngine, toRemote, clock] = [await openDoor(server.port), await openDoor(git.port), wallClock()];
    place.git('remote', 'set-url', 'origin', `http://127.0.0.1:${toRemote.port}/remote.git`);
    const env = {
      ...{ ...process.env, ...clock.env, RALPH_TRUST: '1' },
      RALPH_FLEET_URL: server.url.replace(String(server.port), String(toEngine.port)),
      ...{ GIT_HTTP_LOW_SPEED_LIMIT: '1', GIT_HTTP_LOW_SPEED_TIME: String(SILENCE_SECONDS) },
    };
    machines.push({ place, engine: toEngine, remote: toRemote, clock, env });
  }
  const others = machines.slice(1, WORKERS + 1);
  const everyone = [...machines];
  let standby = machines.pop() ?? null;
  for (const coordinator of [machines[0], standby]) await enrolAll(bin, coordinator, others);
  const ends: Record<string, number> = {};
  const refused = { remote: 0, worker: 0 };
  const running = new Set<ChildProcess>();
  const launch = ({ place, env }: Machine, args: readonly string[], onLine: (line: string) => void) => {
    const child = spawn(process.execPath, [bin, 'fleet', ...args, '--lease', String(LEASE)], {
      ...{ cwd: place.root, env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.stderr?.resume();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => text.split('\n').forEach(onLine));
    return child;
  };
  /** The first machine is the coordinator, the others are workers. */
  const boot = (machine: Machine, at: number) =>
    at === 0
      ? launch(machine, ['run', '--workers', String(WORKERS)], () => undefined).once('exit', (code) => {
          if (code !== null) ends[code] = (ends[code] ?? 0) + 1;
        })
      : launch(machine, ['worker', '--name', `w${at}`], (line) => {
          if (line.includes('delivered too late')) refused.remote += 1;
          if (line.includes('lease lost')) refused.worker += 1;
        });
  const processes = machines.map(boot);
  const isOver = (child: ChildProcess | undefined) =>
    child === undefined || child.exitCode !== null || child.signalCode !== null;
  const faults: Record<string, number> = {};
  const wrong: string[] = [];
  const later: Promise<unknown>[] = [];
  try {
    for (;;) {
      await sleep(200 + random() * QUIET_MS);
      const landed = new Set(landedTasks(bare));
      onLanded(landed.size);
      if (landed.size === jobs && isOver(processes[0])) break;
      if (Date.now() - began > LIMIT_MS) {
        wrong.push(`after ${LIMIT_MS / 60_000} minutes ${landed.size} of ${jobs} tasks have landed`);
        break;
      }
      // A run that ended may have waited for a server that is back by now, so it starts again.
      for (const [at, machine] of machines.entries())
        if (isOver(processes[at])) processes[at] = boot(machine, at);
      const fault = pick(faultsOf(engine, standby !== null), random);
      faults[fault] = (faults[fault] ?? 0) + 1;
      const at = Math.floor(random() * machines.length);
      const victim = pick(machines, random);
      const jump = Math.round((2 * random() - 1) * JUMP_SECONDS);
      const cut = (doors: readonly Door[], state: 'shut' | 'silent') => {
        const set = (to: typeof state | 'open') => {
          for (const door of doors) door.set(to);
        };
        set(state);
        later.push(sleep(random() * AWAY_MS).then(() => set('open')));
      };
      const how = random() < 0.5 ? 'shut' : 'silent';
      if (fault === 'killed') processes[at]?.kill('SIGKILL');
      if (fault === 'stopped') {
        const stopped = processes[at];
        stopped?.kill('SIGSTOP');
        later.push(sleep(STOPPED_MS).then(() => stopped?.kill('SIGCONT')));
      }
      if (fault === 'run taken over' && standby !== null) {
        const [first, sleeper] = [machines[0], processes[0]];
        sleeper?.removeAllListeners('exit').kill('SIGSTOP');
        await sleep(LEASE * 1000 + random() * STOPPED_MS);
        if (first !== undefined) await moveRun(bin, bare, first.place, standby);
        const { place } = standby;
        const before = runsOf(place);
        machines[0] = standby;
        processes[0] = boot(standby, 0);
        standby = null;
        const isTaken = () => runsOf(place) > before;
        later.push(
          wakesAndEnds(sleeper, isTaken).then(
            (ended) => ended || wrong.push('a run that was taken over continues'),
          ),
        );
      }
      if (fault === 'cut off from the engine') cut([victim.engine], how);
      if (fault === 'cut off from the remote') cut([victim.remote], how);
      if (fault === 'cut off from both') cut([victim.engine, victim.remote], how);
      if (fault === 'all cut off from the engine')
        cut(
          machines.map((machine) => machine.engine),
          how,
        );
      if (fault === 'clock jumps') victim.clock.set(jump);
      if (fault === "engine's clock jumps") serverClock.set(jump);
      if (fault === 'engine restarted' || fault === 'engine wiped') {
        await server.kill();
        if (fault === 'engine wiped') server.wipe();
        await sleep(random() * AWAY_MS);
        await server.start();
      }
    }
    // A stopped worker wakes up in the end, and tries to deliver.
    await Promise.all(later);
    await sleep(LEASE * 1000);
  } finally {
    for (const child of running) child.kill('SIGCONT');
    for (const child of running) child.kill('SIGKILL');
    for (const machine of everyone) for (const door of [machine.engine, machine.remote]) door.close();
    git.close();
    await server.stop();
  }
  if (ends[TAKEN_OVER] !== undefined) wrong.push(`${ends[TAKEN_OVER]} runs ended that weren't taken over`);
  wrong.push(...wrongIn(bare, jobs));
  const untold = notLanded(bare).length;
  return {
    engine,
    jobs,
    faults,
    refused,
    untold,
    ends,
    seconds: Math.round((Date.now() - began) / 1000),
    wrong,
  };
}

/** Exit code of a run whose lock another run has. */
const TAKEN_OVER = 143;

/** Moves a run to another machine as docs/FLEET.md describes it. */
async function moveRun(
  bin: string,
  bare: string,
  from: TestRepository,
  { place, env }: Machine,
): Promise<void> {
  place.git('fetch', '-q', bare, 'main');
  place.git('reset', '-q', '--hard', 'FETCH_HEAD');
  // A long journal has a folder beside its file.
  const names = ['journal.jsonl', 'journal', 'PRD.md'].filter((name) =>
    existsSync(from.path(`.ralph/${name}`)),
  );
  for (const name of names)
    cpSync(from.path(`.ralph/${name}`), place.path(`.ralph/${name}`), { recursive: true, force: true });
  await new Promise((resolve) => {
    spawn(process.execPath, [bin, 'trust', '--journal'], { cwd: place.root, env, stdio: 'ignore' }).once(
      'exit',
      resolve,
    );
  });
}

/** Returns the number of runs that began in a clone, which have the lock of the fleet by then. */
function runsOf({ root }: TestRepository): number {
  return journalLines(root, gunzipSync).filter((line) => line.includes('"type":"run_started"')).length;
}

/**
 * Returns whether a sleeping process ends on its own after it is woken. It sleeps until another run has its lock: on a
 * slow machine, it would wake up first and keep it.
 */
async function wakesAndEnds(sleeper: ChildProcess | undefined, isTaken: () => boolean): Promise<boolean> {
  if (sleeper === undefined || sleeper.exitCode !== null || sleeper.signalCode !== null) return true;
  for (let waited = 0; !isTaken() && waited < LIMIT_MS / 2; waited += STOPPED_MS) await sleep(STOPPED_MS);
  await sleep(STOPPED_MS);
  const ended = new Promise<boolean>((resolve) => sleeper.once('exit', () => resolve(true)));
  sleeper.kill('SIGCONT');
  return Promise.race([ended, sleep(WAKES_MS, false)]);
}

function faultsOf(engine: EngineName, hasStandby: boolean): readonly string[] {
  const clocks = engine === 'redis' ? ['clock jumps'] : ['clock jumps', "engine's clock jumps"];
  return [
    ...['killed', 'killed', 'killed', 'stopped', 'stopped', 'stopped'],
    ...['cut off from the engine', 'cut off from the engine', 'cut off from the engine'],
    ...['cut off from the remote', 'cut off from the remote', 'cut off from both', 'cut off from both'],
    ...(hasStandby ? ['run taken over'] : []),
    ...['all cut off from the engine', 'engine restarted', 'engine wiped'],
    ...(CLOCKS_JUMP ? [...clocks, 'clock jumps'] : []),
  ];
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

function makeProject(jobs: number) {
  const tasks = Array.from({ length: jobs }, (_, at) => `- [ ] **T-${at + 1}** Task ${at + 1}\n`);
  const project = makeRepository({
    'agent.mjs': AGENT,
    '.ralph/PRD.md': `# Tasks\n\n${tasks.join('')}`,
    '.ralph/ralph.toml': [
      '[loop]\nagent = "mine"',
      '[git]\ncommit = "on_done"\n[box]\nmode = "off"\n[gates]\ncommands = [{ name = "test", run = "true" }]',
      '[runners.mine]\nargv = ["node", "agent.mjs"]\n',
    ].join('\n'),
  });
  const bare = `${temporaryFolder()}/remote.git`;
  project.git('clone', '-q', '--bare', '.', bare);
  project.git('remote', 'add', 'origin', bare);
  return { project, bare };
}

function cloneOf(bare: string): TestRepository {
  const folder = temporaryFolder();
  runTestGit(folder, ['clone', '-q', bare, 'clone']);
  return repositoryAt(`${folder}/clone`);
}

async function enrolAll(
  bin: string,
  coordinator: Machine | null | undefined,
  workers: readonly Machine[],
): Promise<void> {
  if (coordinator == null) return;
  const ralph = ({ place, env }: Machine, ...args: string[]) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [bin, '--format', 'json', 'fleet', ...args], {
        ...{ cwd: place.root, env, stdio: ['ignore', 'pipe', 'ignore'] },
      });
      let text = '';
      child.stdout?.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      child.once('close', () => resolve(text));
    });
  const keyOf = async (at: Machine) => (JSON.parse(await ralph(at, 'key')) as { key: string }).key;
  const own = await keyOf(coordinator);
  for (const worker of workers) {
    await ralph(worker, 'enrol', own);
    await ralph(coordinator, 'enrol', await keyOf(worker));
  }
}

/** Returns the task of each commit on the remote's branch that names one. */
function landedTasks(bare: string): string[] {
  const format = '--format=%(trailers:key=Ralph-Task,valueonly)';
  return runTestGit(bare, ['log', format, 'main'])
    .split('\n')
    .filter((line) => line !== '');
}

/** Returns tasks whose ref on the remote isn't one of the branch's commits, with its value. */
function notLanded(bare: string): string[] {
  const format = '--format=%(refname:lstrip=3) %(contents:subject)';
  return runTestGit(bare, ['for-each-ref', '--no-merged=main', format, 'refs/ralph/tasks'])
    .split('\n')
    .filter((line) => line !== '');
}

function wrongIn(bare: string, jobs: number): string[] {
  const landed = landedTasks(bare);
  const all = Array.from({ length: jobs }, (_, at) => `T-${at + 1}`);
  const files = new Set(runTestGit(bare, ['ls-tree', '--name-only', 'main']).split('\n'));
  const left = notLanded(bare);
  return all.flatMap((task) => {
    const times = landed.filter((one) => one === task).length;
    const stands = left.find((line) => line.startsWith(`${task} `))?.slice(task.length + 1);
    const without = files.has(`${task}.txt`) ? [] : [`${task} landed without its work`];
    return times === 1 ? without : [`${task} landed ${times} times; on the remote: ${stands ?? 'landed'}`];
  });
}
