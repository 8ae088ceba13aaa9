import { setImmediate } from 'node:timers/promises';
import type { OpenedBox } from '../../../domain/box/box.ts';
import type { Clock } from '../../../domain/ports.ts';
import { plainText } from '../../files/plain-text.ts';
import { descendants, memoryMibOf, readProcess, readProcessTable } from '../table/process-table.ts';
import { sendSignal } from '../table/signals.ts';
import { programTree } from '../table/tool-work.ts';
import type { Launch, LaunchRequest, TreeEnd } from './running.ts';
import { startBox } from './start-in-box.ts';

/** How often it is checked whether the kernel has ended all in a box, and how long it may take. */
const LOOK_EVERY_MS = 1;
/** Most are over by then: so long it is checked without a pause. */
const SOON_MS = 3;
const END_LIMIT_MS = 5000;
/** The same for those in it that were asked to end. */
const ASKED_EVERY_MS = 20;
const MAX_STATUS = 65_536;
/** bubblewrap, and the first process of the box. */
const LAUNCHERS = 2;

/**
 * Starts a program in a box that has processes of its own: the kernel ends all of them with the box, and the box with
 * ralph. So nothing has to be followed.
 *
 * @param path Of the program, absolute.
 */
export async function launchInBox(
  { argv: [, ...args], ...request }: Omit<LaunchRequest, 'box'>,
  path: string,
  opened: OpenedBox,
  marker: string,
  clock: Clock,
): Promise<Launch> {
  const started = await startBox(opened, [path, ...args], request, marker);
  if (started.kind === 'failed') return started;
  const { pid, mainExit, sayWord } = started.box;
  const { statusFile } = opened;
  sayWord();
  const tree = () => descendants(readProcessTable(), pid);
  const running = {
    mainExit,
    treeEnd: mainExit.then(() => whenEmpty(statusFile, clock)),
    terminate: () => {
      // Not to those that hold the box together: they would take all in it with them at once.
      const inner = initOf(statusFile);
      const asked = tree().filter((row) => row.pid !== inner);
      // A shell ends at once, and the box with it: it is asked when those that it waits for have had their time.
      const shell = args.at(-2) === '-c' ? asked.find(({ parent }) => parent === inner) : undefined;
      const others = asked.filter((row) => row !== shell);
      if (shell !== undefined && others.length > 0) sendSignal(shell.pid, 'SIGSTOP');
      for (const row of others) askToEnd(row.pid);
      if (shell !== undefined) void whenOver(others, clock).then(() => askToEnd(shell.pid));
    },
    kill: () => killBox(pid),
    tree: () => programTree(readProcessTable(), pid, LAUNCHERS),
    memoryMib: () => memoryMibOf(tree()),
  };
  return { kind: 'running', running };
}

/**
 * bubblewrap and, in its group, the first process of the box, with which the kernel ends all others. That one asks to end
 * with bubblewrap only when it is set up, and waits for bubblewrap before: alone it would stay.
 */
export function killBox(pid: number): void {
  sendSignal(-pid, 'SIGKILL');
}

function askToEnd(pid: number): void {
  sendSignal(pid, 'SIGTERM');
  sendSignal(pid, 'SIGCONT');
}

async function whenOver(rows: readonly { readonly pid: number }[], clock: Clock): Promise<void> {
  while (rows.some(({ pid }) => isAlive(pid))) await clock.sleep(ASKED_EVERY_MS);
}

/** The first process of the box dies last. */
async function whenEmpty(statusFile: string, clock: Clock): Promise<TreeEnd> {
  const init = initOf(statusFile);
  const begin = clock.monotonicMs();
  const [soon, end] = [begin + SOON_MS, begin + END_LIMIT_MS];
  while (init !== null && isAlive(init)) {
    const now = clock.monotonicMs();
    if (now > end) return { leftBehind: 0, survivors: 1 };
    await (now < soon ? setImmediate() : clock.sleep(LOOK_EVERY_MS));
  }
  return { leftBehind: 0, survivors: 0 };
}

/** One that the system's first process hasn't reaped yet is over, and all in the box before it. */
function isAlive(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

/** Its number here; `null` where the box was never made. */
function initOf(statusFile: string): number | null {
  const [, pid] = /"child-pid": (\d+)/.exec(plainText(statusFile, MAX_STATUS) ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
}
