import { randomBytes } from 'node:crypto';
import { fstatSync, ftruncateSync } from 'node:fs';
import type { Clock } from 'ralph-kit/clock';
import { resolveExecutable } from 'ralph-kit/programs/start/resolve-executable';
import { memoryMibOf } from 'ralph-kit/programs/table/process-table';
import { type MainExit, sendSignal } from 'ralph-kit/programs/table/signals';
import { killTree, programTree, type TrackedTree, trackTree } from 'ralph-kit/programs/table/tracked-tree';
import { MOST_BOXES, type OpenedBox } from '../protocol/index.ts';
import { launchInBox } from './launch-in-box.ts';
import { findShimTool, launchWithShim } from './launch-with-shim.ts';
import type { Command, Launch, LaunchRequest, TreeEnd } from './running.ts';
import { startCommand } from './start-command.ts';

/** `auto` uses the sub-reaper if the machine has one. */
export type Supervision = 'auto' | 'group-scan';

export type LaunchOptions = {
  readonly clock: Clock;
  readonly supervision: Supervision;
  /** Prefix of the marker that identifies this ralph's processes after its end. */
  readonly owner: string;
};

export async function launch(request: LaunchRequest, options: LaunchOptions): Promise<Launch> {
  const { clock, supervision, owner } = options;
  const [name] = request.argv;
  if ([...request.argv, ...Object.values(request.env)].some((text) => text?.includes('\0'))) {
    const message = `${name} was not started: an argument or environment variable holds a NUL character.`;
    return { kind: 'failed', code: 'EINVAL', message };
  }
  const program = resolveExecutable(name, request.cwd, request.env);
  if (program.kind === 'missing') return { kind: 'failed', code: program.code, message: program.message };

  const marker = `${owner}${randomBytes(12).toString('hex')}`;
  const tool = supervision === 'auto' ? findShimTool() : null;
  const { box: boxFor, ...boxless } = request;
  const opened = boxFor(program.path);
  if (opened?.holdsProcesses) return launchInMadeBox(request, program.path, opened, marker, clock);
  let command: Command = { ...boxless, path: program.path, statusFile: null, serve: null };
  if (opened !== null) {
    // bubblewrap isolates only files here and is followed like any program.
    const { program: path, args, front, serve, env, statusFile } = opened;
    const options = [...args, '--json-status-fd', '3', '--'];
    const argv = ['bwrap', ...options, ...front, program.path, ...request.argv.slice(1)] as const;
    command = { ...boxless, env, argv, path, statusFile, serve };
  }
  if (tool?.kind === 'found') {
    const launched = await launchWithShim(tool, command, marker, clock);
    if (launched.kind !== 'unsupported') return launched;
  }
  return launchInGroup(command, marker, clock);
}

/** A failed box is made again from what exists by then; nothing has run in it. */
async function launchInMadeBox(
  { box: boxFor, ...boxless }: LaunchRequest,
  path: string,
  first: OpenedBox,
  marker: string,
  clock: Clock,
): Promise<Launch> {
  const printed = sizeOfFile(boxless.stderr);
  let opened: OpenedBox | null = first;
  for (let made = 1; ; made += 1) {
    const launched = await launchInBox(boxless, path, opened, marker, clock);
    if (launched.kind === 'failed') return launched;
    const { kind, running } = launched;
    if (kind === 'running' || made === MOST_BOXES) return { kind: 'running', running };
    await running.treeEnd;
    if (printed !== null) ftruncateSync(boxless.stderr, printed);
    opened = boxFor(path);
    if (opened === null) return { kind: 'running', running };
  }
}

/** bubblewrap's message about a failed box isn't output of the program. */
function sizeOfFile(descriptor: number): number | null {
  const stat = fstatSync(descriptor);
  return stat.isFile() ? stat.size : null;
}

/** Interval of checks on a running tree, so that processes that leave the group later are known; in milliseconds. */
const POLL_MS = 250;
/** Time for children that are about to end before they count as left behind, in milliseconds. */
const ENDING_PAUSE_MS = 10;
/** Interval of checks on a tree that was asked to end, in milliseconds. */
const ENDING_POLL_MS = 4;

/**
 * Supervises a program without a sub-reaper, from outside. A process escapes by changing its session, losing its
 * parent between two checks and clearing its environment; all of them escape when ralph is killed.
 */
async function launchInGroup(command: Command, marker: string, clock: Clock): Promise<Launch> {
  const started = await startCommand(command, marker);
  if (started.kind === 'failed') return started;
  const { pid, mainExit } = started;
  const tree = trackTree(pid, marker, command.statusFile !== null);
  const asked = new AbortController();
  const killed = new AbortController();
  const treeEnd = followToEnd(tree, mainExit, asked.signal, killed.signal, clock);
  const running = {
    mainExit,
    treeEnd,
    terminate: () => {
      asked.abort();
      askToEnd(tree);
    },
    kill: () => killed.abort(),
    tree: () => programTree(tree.living(), pid, command.statusFile === null ? 0 : 1),
    memoryMib: () => memoryMibOf(tree.living()),
  };
  return { kind: 'running', running };
}

async function followToEnd(
  tree: TrackedTree,
  mainExit: Promise<MainExit>,
  asked: AbortSignal,
  killed: AbortSignal,
  clock: Clock,
): Promise<TreeEnd> {
  const over = new AbortController();
  void mainExit.then(() => over.abort());
  const stop = AbortSignal.any([over.signal, killed]);
  while (!stop.aborted) {
    tree.living();
    await clock.sleep(POLL_MS, stop);
  }
  let living = tree.livingAnywhere().length;
  let leftBehind = 0;
  if (living > 0 && !asked.aborted && !killed.aborted) {
    await clock.sleep(ENDING_PAUSE_MS, killed);
    leftBehind = askToEnd(tree);
  }
  while (living > 0 && !killed.aborted) {
    await clock.sleep(ENDING_POLL_MS, killed);
    living = tree.livingAnywhere().length;
  }
  return { leftBehind, survivors: await killTree(tree, clock, living === 0 ? 1 : 0) };
}

/** Sends SIGTERM to all living members and continues stopped ones; returns their number. */
function askToEnd(tree: TrackedTree): number {
  const living = tree.livingAnywhere();
  for (const row of living) {
    if (row.pid === tree.box) continue;
    sendSignal(row.pid, 'SIGTERM');
    sendSignal(row.pid, 'SIGCONT');
  }
  return living.length;
}
