import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Clock } from '../../../domain/ports.ts';
import { endWithRalph } from '../../own-children.ts';
import { deferred } from '../deferred.ts';
import { memoryMibOf } from '../table/process-memory.ts';
import { treeCpuMs } from '../table/process-table.ts';
import { asInBox, sendSignal } from '../table/signals.ts';
import type { Command, Launch, MainExit, TreeEnd } from './running.ts';
import { startFailure } from './start-failure.ts';
import { killTree, MARKER, type TrackedTree, trackTree } from './tracked-tree.ts';

/** How often the tree is checked while it runs, so that who leaves the group later is known by then. */
const LOOK_EVERY_MS = 250;
/** Children that are about to end by themselves get this long before they count as left behind. */
const SETTLE_MS = 10;
/** How often a tree that was asked to end is checked. */
const ENDING_LOOK_MS = 4;

/**
 * Starts a program in a session of its own and follows its descendants from outside: what works without a
 * sub-reaper. A process that changes session, loses its parent between two looks and clears its environment
 * escapes; so does all of it when ralph itself is killed.
 */
export async function launchInGroup(command: Command, marker: string, clock: Clock): Promise<Launch> {
  const { path, statusFile } = command;
  const isBoxed = statusFile !== null;
  const status = statusFile === null ? [] : [openSync(statusFile, 'w', 0o600)];
  const [name, ...args] = command.argv;
  let child: ChildProcess;
  try {
    child = spawn(path, args, {
      argv0: name,
      cwd: command.cwd,
      env: { ...command.env, [MARKER]: marker },
      stdio: [command.stdin ?? 'ignore', command.stdout, command.stderr, ...status],
      detached: true,
    });
  } catch (error) {
    return spawnFailure(path, error as NodeJS.ErrnoException);
  } finally {
    status.forEach(closeSync);
  }
  // Before anything is awaited: a short program may be over by then.
  const mainExit = whenExited(child).then((exit) => (isBoxed ? asInBox(exit) : exit));
  const failure = await whenStarted(child);
  if (failure !== null || child.pid === undefined) return spawnFailure(path, failure);

  endWithRalph(child);
  const tree = trackTree(child.pid, marker, isBoxed);
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
    cpuMs: () => treeCpuMs(tree.look()),
    memoryMib: () => memoryMibOf(tree.look()),
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
    tree.look();
    await clock.sleep(LOOK_EVERY_MS, stop);
  }
  let living = tree.lookEverywhere().length;
  let leftBehind = 0;
  if (living > 0 && !asked.aborted && !killed.aborted) {
    await clock.sleep(SETTLE_MS, killed);
    leftBehind = askToEnd(tree);
  }
  while (living > 0 && !killed.aborted) {
    await clock.sleep(ENDING_LOOK_MS, killed);
    living = tree.lookEverywhere().length;
  }
  return { leftBehind, survivors: await killTree(tree, clock, living === 0 ? 1 : 0) };
}

/** SIGTERM to every living member; a stopped one gets it once it continues. Gives their number. */
function askToEnd(tree: TrackedTree): number {
  const living = tree.lookEverywhere();
  for (const row of living) {
    if (row.pid === tree.box) continue;
    sendSignal(row.pid, 'SIGTERM');
    sendSignal(row.pid, 'SIGCONT');
  }
  return living.length;
}

/** On `exit`, never on `close`: that one waits for whoever holds the pipes. */
export function whenExited(child: ChildProcess): Promise<MainExit> {
  const result = deferred<MainExit>();
  child.once('exit', (code, signal) => {
    result.resolve(
      code === null ? { kind: 'signalled', signal: signal ?? 'SIGKILL' } : { kind: 'exited', code },
    );
  });
  return result.promise;
}

export function whenStarted(child: ChildProcess): Promise<NodeJS.ErrnoException | null> {
  const result = deferred<NodeJS.ErrnoException | null>();
  child.once('spawn', () => result.resolve(null));
  child.on('error', result.resolve);
  return result.promise;
}

export function spawnFailure(path: string, error: NodeJS.ErrnoException | null): Launch {
  return startFailure(path, error?.errno ?? 0);
}
