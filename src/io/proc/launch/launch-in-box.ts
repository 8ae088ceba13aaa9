import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Clock } from '../../../domain/ports.ts';
import { endWithRalph } from '../../own-children.ts';
import { readPlainFile } from '../../store/files/plain-file.ts';
import { memoryMibOf } from '../table/process-memory.ts';
import { descendantCpuMs, descendants, readProcess, readProcessTable } from '../table/process-table.ts';
import { asInBox, sendSignal } from '../table/signals.ts';
import { spawnFailure, whenExited, whenStarted } from './launch-in-group.ts';
import type { Command, Launch, TreeEnd } from './running.ts';
import { MARKER } from './tracked-tree.ts';

/** How often it is checked whether the kernel has ended all in a box, and how long it may take. */
const LOOK_EVERY_MS = 1;
const END_LIMIT_MS = 5000;
const MAX_STATUS = 65_536;

/**
 * Starts a program in a box that has processes of its own: the kernel ends all of them with the box, and the box with
 * ralph. So nothing has to be followed.
 *
 * @param statusFile Where bubblewrap writes which process holds the box together.
 */
export async function launchInBox(
  command: Command,
  statusFile: string,
  marker: string,
  clock: Clock,
): Promise<Launch> {
  const status = openSync(statusFile, 'w', 0o600);
  const [name, ...args] = command.argv;
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(command.path, args, {
      argv0: name,
      cwd: command.cwd,
      env: { ...command.env, [MARKER]: marker },
      stdio: [command.stdin ?? 'ignore', command.stdout, command.stderr, status],
      detached: true,
    });
  } catch (error) {
    return spawnFailure(command.path, error as NodeJS.ErrnoException);
  } finally {
    closeSync(status);
  }
  const mainExit = whenExited(child).then(asInBox);
  const failure = await whenStarted(child);
  const { pid } = child;
  if (failure !== null || pid === undefined) return spawnFailure(command.path, failure);
  endWithRalph(child);
  const tree = () => descendants(readProcessTable(), pid);
  const running = {
    mainExit,
    treeEnd: mainExit.then(() => whenEmpty(statusFile, clock)),
    terminate: () => {
      // Not to those that hold the box together: they would take all in it with them at once.
      const inner = initOf(statusFile);
      for (const row of tree().filter(({ pid: one }) => one !== inner)) {
        sendSignal(row.pid, 'SIGTERM');
        sendSignal(row.pid, 'SIGCONT');
      }
    },
    kill: () => sendSignal(pid, 'SIGKILL'),
    cpuMs: () => descendantCpuMs(pid),
    memoryMib: () => memoryMibOf(tree()),
  };
  return { kind: 'running', running };
}

/** The first process of the box dies last. */
async function whenEmpty(statusFile: string, clock: Clock): Promise<TreeEnd> {
  const init = initOf(statusFile);
  const end = clock.monotonicMs() + END_LIMIT_MS;
  while (init !== null && isAlive(init)) {
    if (clock.monotonicMs() > end) return { leftBehind: 0, survivors: 1 };
    await clock.sleep(LOOK_EVERY_MS);
  }
  return { leftBehind: 0, survivors: 0 };
}

/** One that the system's first process hasn't reaped yet is over, and all in the box before it. */
function isAlive(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

/** Its number here; `null` where the box was never made. */
function initOf(statusFile: string): number | null {
  const file = readPlainFile(statusFile, MAX_STATUS);
  const [, pid] = (file.kind === 'file' && /"child-pid": (\d+)/.exec(file.bytes.toString('utf8'))) || [];
  return pid === undefined ? null : Number(pid);
}
