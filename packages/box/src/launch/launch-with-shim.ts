import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Clock } from 'ralph-kit/clock';
import { type Deferred, deferred } from 'ralph-kit/deferred';
import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { start, startSync } from 'ralph-kit/programs/start/start-program';
import { descendants, memoryMibOf, readProcessTable } from 'ralph-kit/programs/table/process-table';
import { type MainExit, sendSignal, signalName } from 'ralph-kit/programs/table/signals';
import {
  killTree,
  MARKER,
  programTree,
  type TrackedTree,
  trackTree,
} from 'ralph-kit/programs/table/tracked-tree';
import { unreachable } from 'ralph-kit/unreachable';
import type { Command, Launch, Running, TreeEnd } from './running.ts';
import { SHIM_SCRIPT } from './shim-script.ts';
import { channelOf, startFailure } from './start-command.ts';

/** Time for a supervisor to kill its processes before it is killed itself, in milliseconds; it gives up earlier. */
const LAST_RESORT_MS = 15_000;

type Started =
  | { readonly kind: 'running' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'refused'; readonly errno: number }
  | { readonly kind: 'killed' };

type Signals = {
  readonly started: Deferred<Started>;
  readonly mainExit: Deferred<MainExit>;
  treeEnd: TreeEnd | null;
};

/**
 * Starts a program under the sub-reaper of `shim-script.ts`; `unsupported` means that nothing was started.
 * @param marker Environment value that identifies descendants if the supervisor is killed.
 */
export async function launchWithShim(
  tool: FoundTool,
  program: Command,
  marker: string,
  clock: Clock,
): Promise<Launch | { readonly kind: 'unsupported' }> {
  const { path } = program;
  const shim = startShim(tool, program.serve);
  if (shim === null) return { kind: 'unsupported' };
  const { child, pid, control } = shim;
  const signals: Signals = { started: deferred(), mainExit: deferred(), treeEnd: null };
  const over = deferred<void>();
  control.write(startMessage(program, marker));
  const lines = createInterface(control);
  lines.on('line', (line) => hear(line, signals));
  // A lost supervisor is reported by `over`.
  lines.on('error', () => undefined);
  whenOver(child, control, over.resolve);
  // A supervisor ends early only when it can't work here; a killed one may have started the program.
  void over.promise.then(() => {
    signals.started.resolve({ kind: child.signalCode === null ? 'unsupported' : 'killed' });
  });

  const started = await signals.started.promise;
  switch (started.kind) {
    case 'running': {
      const tree = trackTree(pid, marker);
      const launchers = program.statusFile === null ? 1 : 2;
      const shown = { tree: () => programTree(readProcessTable(), pid, launchers) };
      const run = { ...running(pid, control, signals, over.promise, child, tree, clock), ...shown };
      return { kind: 'running', running: run };
    }
    case 'refused':
      return startFailure(path, started.errno);
    case 'killed':
      return {
        kind: 'failed',
        code: 'KILLED',
        message: `The supervisor of ${path} was killed at its start.`,
      };
    case 'unsupported':
      return { kind: 'unsupported' };
    default:
      return unreachable(started);
  }
}

function running(
  pid: number,
  control: Socket,
  signals: Signals,
  over: Promise<void>,
  child: ChildProcess,
  tree: TrackedTree,
  clock: Clock,
): Omit<Running, 'tree'> {
  const ended = new AbortController();
  const treeEnd = over.then(async (): Promise<TreeEnd> => {
    ended.abort();
    if (signals.treeEnd !== null) return signals.treeEnd;
    // The supervisor was killed, so everything that can be found is killed, too.
    const survivors = await killTree(tree, clock);
    signals.mainExit.resolve({ kind: 'signalled', signal: child.signalCode ?? 'SIGKILL' });
    return { leftBehind: 0, survivors };
  });
  const command = (text: string) => {
    if (ended.signal.aborted) return;
    control.write(text);
    // An agent may have stopped its supervisor.
    sendSignal(pid, 'SIGCONT');
  };
  const endByForce = async () => {
    await clock.sleep(LAST_RESORT_MS, ended.signal);
    if (ended.signal.aborted) return;
    tree.livingAnywhere();
    sendSignal(pid, 'SIGKILL');
  };
  return {
    mainExit: signals.mainExit.promise,
    treeEnd,
    terminate: () => command('T'),
    kill: () => {
      command('K');
      void endByForce();
    },
    memoryMib: () => memoryMibOf(descendants(readProcessTable(), pid)),
  };
}

/** A started supervisor that waits for its program (`shim-script.ts`). */
type Shim = { readonly child: ChildProcess; readonly pid: number; readonly control: Socket };

/** Starts the supervisor; `null` when the system refuses. */
function startShim({ perl, prctl }: FoundTool, serve: Command['serve']): Shim | null {
  try {
    const child = start(perl, ['-e', SHIM_SCRIPT, String(prctl)], {
      cwd: '/',
      // The user's locale and PERL5OPT are for the agent only.
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...channelOf(serve)],
      detached: true,
    });
    // A missing pid shows a failed start; otherwise the exit is noticed anyway.
    child.on('error', () => undefined);
    if (child.pid === undefined) return null;
    serve?.(child);
    const control = child.stdio[3] as Socket;
    // A write to an ended supervisor fails; its exit is noticed anyway.
    control.on('error', () => undefined);
    return { child, pid: child.pid, control };
  } catch {
    return null;
  }
}

/** The supervisor passes the channel on to the program. */
const CHANNEL = { NODE_CHANNEL_FD: '4', NODE_CHANNEL_SERIALIZATION_MODE: 'json' };

/** Returns what the shim reads to start a program; shim-script.ts describes the format. */
function startMessage(program: Command, marker: string): Buffer {
  const { path, cwd, argv, statusFile, serve } = program;
  const env = Object.entries({ ...program.env, ...(serve === null ? {} : CHANNEL), [MARKER]: marker })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const files = [program.stdin, program.stdout, program.stderr].map(pathOf);
  const words = [statusFile ?? '', path, cwd, ...files, String(argv.length), ...argv, ...env];
  const body = Buffer.from(words.join('\0'));
  return Buffer.concat([Buffer.from(String(body.length).padStart(10, '0')), body]);
}

/** Returns a path by which another process of this user opens the same file, even after its removal. */
function pathOf(file: number | null): string {
  return file === null ? '/dev/null' : `/proc/${process.pid}/fd/${file}`;
}

function hear(line: string, signals: Signals): void {
  const [word, first, second] = line.split(' ');
  if (word === 'run') signals.started.resolve({ kind: 'running' });
  else if (word === 'fail') signals.started.resolve({ kind: 'refused', errno: Number(first) });
  else if (word === 'unsupported') signals.started.resolve({ kind: 'unsupported' });
  else if (word === 'exit') {
    const [signal, code] = [Number(first) & 127, Number(first) >> 8];
    const exit: MainExit =
      signal === 0 ? { kind: 'exited', code } : { kind: 'signalled', signal: signalName(signal) };
    signals.mainExit.resolve(exit);
  } else if (word === 'end') signals.treeEnd = { leftBehind: Number(first), survivors: Number(second) };
  else throw new Error(`unexpected line from the supervisor: ${line}`);
}

/** Only the supervisor holds the socket's other end, so its last message is read before `call`. */
function whenOver(child: ChildProcess, control: Socket, call: () => void): void {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const closed = new Promise((resolve) => control.once('close', resolve));
  void Promise.all([exited, closed]).then(call);
}

type ShimTool =
  | { readonly kind: 'found'; readonly perl: string; readonly prctl: number }
  | { readonly kind: 'none'; readonly reason: string };

type FoundTool = Extract<ShimTool, { kind: 'found' }>;

/** Supervision available on this machine; `detail` is for the user. */
type SupervisionKind = { readonly kind: 'subreaper' | 'group-scan'; readonly detail: string };

/** Number of the `prctl` system call by processor, from the kernel's tables. */
const PRCTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 157, arm64: 167 };

/** The system's Perl starts faster than most others. */
const SYSTEM_PERL = '/usr/bin/perl';

/** Becomes a sub-reaper (36) and checks it (37). */
const PROBE = `
my $n = $ARGV[0] + 0; my $is = pack('i', 0);
exit(1) if syscall($n, 36, 1, 0, 0, 0) != 0 || syscall($n, 37, $is, 0, 0, 0) != 0;
exit(unpack('i', $is) == 1 ? 0 : 1);`;

/** Finds the sub-reaper's parts without starting anything. */
export function findShimTool(): ShimTool {
  if (process.platform !== 'linux') return { kind: 'none', reason: 'sub-reapers exist on Linux only' };
  const prctl = PRCTL[process.arch];
  if (prctl === undefined) {
    return { kind: 'none', reason: `the sub-reaper is not known for the processor ${process.arch}` };
  }
  for (const name of [SYSTEM_PERL, 'perl']) {
    const perl = ownProgram(name);
    if (perl.kind === 'found') return { kind: 'found', perl: perl.path, prctl };
  }
  return { kind: 'none', reason: 'perl was not found' };
}

/** Returns the supervision that works here, which is tried once (ADR 9). */
export function supervisionKind(): SupervisionKind {
  const tool = findShimTool();
  if (tool.kind === 'none') return groupScan(tool.reason);
  const probe = startSync(tool.perl, ['-e', PROBE, String(tool.prctl)], { env: { LC_ALL: 'C' } });
  if (probe.status !== 0) return groupScan(`${tool.perl} cannot become a sub-reaper here`);
  return { kind: 'subreaper', detail: `every descendant of an agent is ended, through ${tool.perl}` };
}

function groupScan(reason: string): SupervisionKind {
  return {
    kind: 'group-scan',
    detail:
      `${reason}: agents are ended by process group, parentage and a marker in their environment. ` +
      'A process that hides from all three, or outlives a killed ralph, can stay alive.',
  };
}
