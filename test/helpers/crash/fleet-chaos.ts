import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../redis.ts';
import {
  makeRepository,
  repositoryAt,
  runTestGit,
  type TestRepository,
  temporaryFolder,
} from '../repository.ts';

/** What one fleet came to. */
export type FleetChaos = {
  readonly jobs: number;
  /** Faults by their names. */
  readonly faults: Readonly<Record<string, number>>;
  /** Attempts whose worker had lost them: each was refused, by the worker itself or by the remote. */
  readonly refused: number;
  readonly wrong: readonly string[];
};

type Options = {
  /** Absolute path of the built program. */
  readonly bin: string;
  readonly jobs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly onLanded: (landed: number) => void;
};

const WORKERS = 4;
/** Seconds. */
const LEASE = 2;
/** An agent works so long at most, and between two faults lies so long at most; in milliseconds. */
const WORK_MS = 2500;
const QUIET_MS = 12_000;
/** Redis is away for so long at most. */
const AWAY_MS = 5000;
/** A stopped worker is silent for longer than its lease. */
const STOPPED_MS = 5000;
/** A fleet that isn't done by then is stuck. */
const LIMIT_MS = 15 * 60_000;

const AGENT = `
import { writeFileSync } from 'node:fs';
const { RALPH_TASK_ID: id } = process.env;
await new Promise((done) => setTimeout(done, Math.random() * ${WORK_MS}));
writeFileSync(id + '.txt', id + '\\n');
console.log(['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', 'EVIDENCE: ' + id + '.txt:1-1 its file', 'END_RALPH_STATUS'].join('\\n'));
`;

/**
 * Lets a fleet of four workers, each in a clone, do tasks while workers are killed or stopped, the Redis is killed or wiped, and the coordinator is
 * killed; each comes back. In the end each task must have landed once, with its work.
 */
export async function fleetChaos({ bin, jobs, random, onLanded }: Options): Promise<FleetChaos> {
  const redis = await startRedis();
  const env = { ...process.env, RALPH_TRUST: '1', RALPH_FLEET_REDIS: redis.url };
  const { project, bare } = makeProject(jobs);
  const clones = Array.from({ length: WORKERS }, () => cloneOf(bare));
  await enrolAll(bin, env, project, clones);
  let refused = 0;
  const running = new Set<ChildProcess>();
  const start = (at: TestRepository, args: readonly string[], onLine: (line: string) => void) => {
    const child = spawn(process.execPath, [bin, 'fleet', ...args, '--lease', String(LEASE)], {
      cwd: at.root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.stderr?.resume();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => text.split('\n').forEach(onLine));
    return child;
  };
  const worker = (at: number) => {
    const clone = clones[at] ?? project;
    return start(clone, ['worker', '--name', `w${at}`], (line) => {
      if (/lease lost|delivered too late/.test(line)) refused += 1;
    });
  };
  const coordinate = () => start(project, ['run', '--workers', String(WORKERS)], () => undefined);
  const workers = clones.map((_, at) => worker(at));
  let coordinator = coordinate();
  const faults: Record<string, number> = {};
  const landedNow = () => new Set(landedTasks(bare));
  const began = Date.now();
  const wrong: string[] = [];
  try {
    for (;;) {
      await sleep(200 + random() * QUIET_MS);
      const landed = landedNow();
      onLanded(landed.size);
      if (landed.size === jobs && coordinator.exitCode !== null) break;
      if (Date.now() - began > LIMIT_MS) {
        wrong.push(`after ${LIMIT_MS / 60_000} minutes ${landed.size} of ${jobs} tasks have landed`);
        break;
      }
      // A run that ended may have waited for what is back by now.
      if (coordinator.exitCode !== null || coordinator.signalCode !== null) coordinator = coordinate();
      for (const [at, one] of workers.entries())
        if (one.exitCode !== null || one.signalCode !== null) workers[at] = worker(at);
      const fault = pick(random);
      faults[fault] = (faults[fault] ?? 0) + 1;
      const victim = workers[Math.floor(random() * WORKERS)];
      if (fault === 'worker killed') victim?.kill('SIGKILL');
      if (fault === 'worker stopped') {
        victim?.kill('SIGSTOP');
        void sleep(STOPPED_MS).then(() => victim?.kill('SIGCONT'));
      }
      if (fault === 'coordinator killed') coordinator.kill('SIGKILL');
      if (fault === 'redis restarted' || fault === 'redis wiped') {
        await redis.kill();
        if (fault === 'redis wiped') redis.wipe();
        await sleep(random() * AWAY_MS);
        await redis.start();
      }
    }
    // Who is stopped still wakes up, and tries to deliver.
    await sleep(STOPPED_MS + LEASE * 1000);
  } finally {
    for (const child of running) child.kill('SIGCONT');
    for (const child of running) child.kill('SIGKILL');
    await redis.stop();
  }
  wrong.push(...wrongIn(bare, jobs));
  return { jobs, faults, refused, wrong };
}

const FAULTS = [
  ...Array<string>(6).fill('worker killed'),
  ...Array<string>(6).fill('worker stopped'),
  ...['redis restarted', 'redis wiped', 'coordinator killed'],
];

function pick(random: () => number): string {
  return FAULTS[Math.floor(random() * FAULTS.length)] ?? '';
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
  env: NodeJS.ProcessEnv,
  project: TestRepository,
  clones: readonly TestRepository[],
): Promise<void> {
  const ralph = (at: TestRepository, ...args: string[]) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [bin, '--format', 'json', 'fleet', ...args], {
        cwd: at.root,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      child.once('close', () => resolve(text));
    });
  const keyOf = async (at: TestRepository) => (JSON.parse(await ralph(at, 'key')) as { key: string }).key;
  const own = await keyOf(project);
  for (const clone of clones) {
    await ralph(clone, 'enrol', own);
    await ralph(project, 'enrol', await keyOf(clone));
  }
}

/** The task of each commit on the remote's branch that says one. */
function landedTasks(bare: string): string[] {
  const format = '--format=%(trailers:key=Ralph-Task,valueonly)';
  return runTestGit(bare, ['log', format, 'main'])
    .split('\n')
    .filter((line) => line !== '');
}

function wrongIn(bare: string, jobs: number): string[] {
  const landed = landedTasks(bare);
  const all = Array.from({ length: jobs }, (_, at) => `T-${at + 1}`);
  const files = new Set(runTestGit(bare, ['ls-tree', '--name-only', 'main']).split('\n'));
  return all.flatMap((task) => {
    const times = landed.filter((one) => one === task).length;
    const without = files.has(`${task}.txt`) ? [] : [`${task} landed without its work`];
    return times === 1 ? without : [`${task} landed ${times} times`];
  });
}
