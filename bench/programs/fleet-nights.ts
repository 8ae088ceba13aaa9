// Runs as root of its own user, network and process namespace (`unshare -Urnmp --mount-proc`): plays nights of a fleet whose machines are network namespaces on a
// bridge, and prints a line of JSON for each. Its argument is JSON: `Asked`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRepository, repositoryAt, runTestGit, temporaryFolder } from '../../test/helpers/repository.ts';

export type Night = {
  readonly workers: number;
  readonly tasks: number;
  /** Duration of the modelled agent and of the gate, in seconds. */
  readonly agent: number;
  readonly gates: number;
  /** Number of all tasks of the list, whose refs are on the remote as in a long night; more than are done. */
  readonly listed?: number;
};
type Asked = { readonly bin: string; readonly nights: readonly Night[] };

/** What was measured of a night. Times in seconds since 1970; `cpu`: seconds of processors that the night used. */
export type Played = Night & {
  readonly attempts: readonly {
    readonly task: string;
    /** When the attempt's start was recorded, when its job was on the remote, and when a worker claimed it. */
    readonly started: number;
    readonly offered: number;
    readonly claimed: number;
    readonly agentBegan: number;
    readonly agentEnded: number;
    readonly delivered: number;
    /** When the run began its gates, after `waited` seconds in the queue; when its result was on the remote. */
    readonly gates: number;
    readonly waited: number;
    readonly pushed: number;
  }[];
  /** Duration of reading a task's ref once, in seconds. */
  readonly look: number;
  readonly cpu: { readonly coordinator: number; readonly workers: number; readonly servers: number };
  /** Average number of this machine's processors that other programs used meanwhile. */
  readonly others: number;
};

/** Address of the machine that has the remote and the Redis and lands results; worker N has the address N + 1. */
const [NET, FIRST] = ['10.83.0', '10.83.0.1'];
const [PORT, GIT_PORT] = [6379, 9418];
/** Clock ticks of /proc in a second. */
const TICKS = 100;
const LOOKS = 9;

const { bin, nights } = JSON.parse(process.argv[2] ?? '') as Asked;
const must = (command: string, ...args: string[]) => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
};
must('ip', 'link', 'set', 'lo', 'up');
must('ip', 'link', 'add', 'fleet', 'type', 'bridge');
must('ip', 'addr', 'add', `${FIRST}/24`, 'dev', 'fleet');
must('ip', 'link', 'set', 'fleet', 'up');
/** Process ids of the programs that keep the workers' namespaces open. */
const machines: number[] = [];
for (const night of nights) process.stdout.write(`${JSON.stringify(await play(night))}\n`);
process.exit(0);

/** Makes the machine of a worker: a network namespace with one cable to the bridge. */
async function machine(at: number): Promise<number> {
  const known = machines[at];
  if (known !== undefined) return known;
  const { pid } = spawn('unshare', ['--net', '--kill-child', 'sleep', 'infinity'], { stdio: 'ignore' });
  if (pid === undefined) throw new Error('no namespace for a worker');
  const net = (id: number | 'self') => readlinkSync(`/proc/${id}/ns/net`);
  while (net(pid) === net('self')) await sleep(5);
  machines[at] = pid;
  const inside = ['nsenter', '--net', '-t', String(pid), 'ip'] as const;
  must('ip', 'link', 'add', `fleet${at}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  must('ip', 'link', 'set', `fleet${at}`, 'master', 'fleet', 'up');
  must(...inside, 'addr', 'add', `${NET}.${at + 2}/24`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) must(...inside, 'link', 'set', device, 'up');
  return pid;
}

async function play(night: Night): Promise<Played> {
  const folder = temporaryFolder();
  const stamps = join(folder, 'stamps');
  mkdirSync(stamps);
  const project = makeRepository(filesOf(night, stamps));
  const bare = join(folder, 'remote.git');
  project.git('clone', '-q', '--bare', '.', bare);
  const url = `git://${FIRST}/remote.git`;
  project.git('remote', 'add', 'origin', url);
  const daemon = ['daemon', '--export-all', '--enable=receive-pack', `--base-path=${folder}`, '--reuseaddr'];
  const git = spawn('git', [...daemon, `--listen=${FIRST}`], { stdio: 'ignore' });
  const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  const place = ['--port', String(PORT), '--bind', FIRST, '--protected-mode', 'no', '--save', ''];
  const redis = spawn('redis-server', [...place, '--dir', folder, ...kept], { stdio: 'ignore' });
  for (const port of [PORT, GIT_PORT]) while (!(await listens(port))) await sleep(20);
  const env = { ...process.env, RALPH_TRUST: '1', RALPH_FLEET_URL: `redis://${FIRST}:${PORT}` };
  const clones = Array.from({ length: night.workers }, () => {
    const at = mkdtempSync(join(folder, 'worker-'));
    runTestGit(at, ['clone', '-q', url, 'clone']);
    return repositoryAt(join(at, 'clone'));
  });
  enrolAll(env, project.root, clones);
  for (const to of ['tasks', 'records']) addRefs(bare, to, (night.listed ?? night.tasks) - night.tasks);
  const workers: ChildProcess[] = [];
  const said = new Map<string, number>();
  for (const [at, { root }] of clones.entries()) {
    const pid = await machine(at);
    const ralph = [process.execPath, bin, 'fleet', 'worker', '--name', `w${at + 1}`];
    const child = spawn('nsenter', ['--net', '-t', String(pid), ...ralph], {
      ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] },
    });
    workers.push(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) said.set(line, Date.now() / 1000);
    });
  }
  const used = () => ({
    servers: cpuOf(git.pid) + cpuOf(redis.pid),
    workers: workers.reduce((total, { pid }) => total + cpuOf(pid), 0),
  });
  const [before, others] = [used(), machineCpu()];
  const began = performance.now();
  // A shell around a command reports the processor time that the command and all its children used.
  const shell = '"$@"; code=$?; times >&2; exit $code';
  const options = ['--workers', String(night.workers), '--max-iterations', String(night.tasks)];
  const ralph = [process.execPath, bin, 'fleet', 'run', '--quiet', ...options];
  const run = spawn('sh', ['-c', shell, 'sh', ...ralph], {
    ...{ cwd: project.root, env, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  let errors = '';
  run.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise((resolve) => run.once('close', resolve));
  if (code !== 0 && code !== 3) throw new Error(`ralph fleet run ended with ${code}: ${errors}`);
  const after = used();
  const seconds = (performance.now() - began) / 1000;
  const busy = machineCpu() - others;
  const look = readSeconds(project.root);
  const cpu = {
    coordinator: secondsIn(errors),
    workers: after.workers - before.workers,
    servers: after.servers - before.servers,
  };
  for (const { pid } of workers) process.kill(pid ?? 0, 'SIGTERM');
  await Promise.all(workers.map((child) => new Promise((resolve) => child.once('close', resolve))));
  git.kill();
  redis.kill();
  await Promise.all([git, redis].map((child) => new Promise((resolve) => child.once('close', resolve))));
  return {
    ...night,
    attempts: attemptsOf({ root: project.root, bare, stamps, said }),
    look,
    cpu,
    others: Math.max(0, busy - cpu.coordinator - cpu.workers - cpu.servers) / seconds,
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, FIRST, () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Lets every machine trust the run, and the run every machine. */
function enrolAll(
  env: NodeJS.ProcessEnv,
  project: string,
  clones: readonly { readonly root: string }[],
): void {
  const ralph = (cwd: string, ...args: string[]) =>
    spawnSync(process.execPath, [bin, '--format', 'json', 'fleet', ...args], { cwd, env, encoding: 'utf8' })
      .stdout;
  const keyOf = (cwd: string) => (JSON.parse(ralph(cwd, 'key')) as { key: string }).key;
  const own = keyOf(project);
  for (const { root } of clones) {
    ralph(root, 'enrol', own);
    ralph(project, 'enrol', keyOf(root));
  }
}

/** Returns the processor time that the whole machine has used, in seconds. */
function machineCpu(): number {
  const [, user, nice, system, , , irq, softirq] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  ).split(/\s+/);
  return [user, nice, system, irq, softirq].reduce((total, ticks) => total + Number(ticks), 0) / TICKS;
}

function filesOf({ tasks, agent, gates, workers, listed }: Night, stamps: string): Record<string, string> {
  const list = Array.from({ length: listed ?? tasks }, (_, at) => `- [ ] **T-${at + 1}** Task ${at + 1}\n`);
  const claim = ['RALPH_STATUS', 'TASK: $id', 'STATUS: DONE', 'EXIT_SIGNAL: true', 'END_RALPH_STATUS'];
  return {
    'agent.sh': [
      'id=$RALPH_TASK_ID',
      `date +%s.%N > "${stamps}/$id-began"`,
      `sleep ${agent}`,
      'echo "$id" > "$id.txt"',
      `date +%s.%N > "${stamps}/$id-ended"`,
      `printf '%s\\n' ${claim.map((line) => `"${line}"`).join(' ')}\n`,
    ].join('\n'),
    '.ralph/PRD.md': `# Tasks\n\n${list.join('')}`,
    '.ralph/ralph.toml': [
      '[loop]\nagent = "modelled"\n[git]\ncommit = "on_done"\n[review]\nenabled = false\n[proof]\nmode = "off"',
      `[gates]\ncommands = [{ name = "test", run = "sleep ${gates}" }]`,
      `[parallel]\nworkers = ${workers}\n[box]\nmode = "off"`,
      '[runners.modelled]\nargv = ["sh", "agent.sh"]\n',
    ].join('\n'),
  };
}

/** Returns the processor time of a process and of those of its children that it waited for, in seconds. */
function cpuOf(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / TICKS;
}

/** Returns the seconds of a shell's children in the output of `times`. */
function secondsIn(text: string): number {
  const last = text.trim().split('\n').at(-1) ?? '';
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce((total, [, minutes, seconds]) => {
    return total + Number(minutes) * 60 + Number(seconds);
  }, 0);
}

type Seen = {
  readonly root: string;
  readonly bare: string;
  readonly stamps: string;
  /** Lines that workers printed, with their times. */
  readonly said: ReadonlyMap<string, number>;
};

function attemptsOf({ root, bare, stamps, said }: Seen): Played['attempts'] {
  type Event = {
    type: string;
    at: string;
    taskId?: string;
    iteration?: number;
    phase?: string;
    commit?: string;
  };
  const events = readFileSync(join(root, '.ralph/journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);
  const find = (what: Partial<Event>) => {
    const found = events.find((one) =>
      Object.entries(what).every(([name, value]) => one[name as keyof Event] === value),
    );
    if (found === undefined) throw new Error(`the journal has no ${JSON.stringify(what)}`);
    return { ...found, seconds: Date.parse(found.at) / 1000 };
  };
  const stamp = (task: string, what: string) => Number(readFileSync(join(stamps, `${task}-${what}`), 'utf8'));
  const heard = (start: string) => {
    const found = [...said].find(([line]) => line.startsWith(start));
    if (found === undefined) throw new Error(`no worker said ${start}`);
    return found[1];
  };
  const runs = join(root, '.ralph/runs');
  const run = join(runs, readdirSync(runs)[0] ?? '');
  const tasks = readdirSync(stamps).flatMap((name) => (name.endsWith('-ended') ? [name.slice(0, -6)] : []));
  return tasks.map((taskId) => {
    const { iteration = 0, seconds: started } = find({ type: 'iteration_started', taskId });
    const record = join(run, 'iterations', String(iteration).padStart(4, '0'), 'iteration.json');
    const { facts } = JSON.parse(readFileSync(record, 'utf8')) as {
      facts: { attempt: { waitedMs: number } };
    };
    const { commit = '' } = find({ type: 'work_landed', taskId });
    return {
      ...{ task: taskId, started, offered: offeredAt(bare, taskId), claimed: heard(`${taskId}: started`) },
      ...{ agentBegan: stamp(taskId, 'began'), agentEnded: stamp(taskId, 'ended') },
      delivered: heard(`${taskId}: delivered`),
      gates: find({ type: 'phase_entered', phase: 'gates', iteration }).seconds,
      waited: facts.attempt.waitedMs / 1000,
      pushed: find({ type: 'push_ended', commit }).seconds,
    };
  });
}

/** Returns when the remote got a task's job: the job is the parent of the claim by which its record is named. */
function offeredAt(bare: string, task: string): number {
  const claim = runTestGit(bare, [
    'for-each-ref',
    '--format=%(refname:lstrip=4)',
    `refs/ralph/records/${task}`,
  ]);
  const job = runTestGit(bare, ['rev-parse', `${claim.trim()}^`]).trim();
  return statSync(join(bare, 'objects', job.slice(0, 2), job.slice(2))).mtimeMs / 1000;
}

/** Makes refs as finished tasks leave them. */
function addRefs(bare: string, kind: string, count: number): void {
  const tip = runTestGit(bare, ['rev-parse', 'main']).trim();
  const refs = Array.from(
    { length: count },
    (_, at) => `create refs/ralph/${kind}/old-${at}/${tip} ${tip}\n`,
  );
  spawnSync('git', ['update-ref', '--stdin'], { cwd: bare, input: refs.join('') });
}

function readSeconds(root: string): number {
  const took = Array.from({ length: LOOKS }, () => {
    const began = performance.now();
    must('git', '-C', root, 'ls-remote', '--', 'origin', 'refs/ralph/tasks/T-1');
    return (performance.now() - began) / 1000;
  });
  return took.toSorted((a, b) => a - b)[Math.floor(LOOKS / 2)] ?? 0;
}
