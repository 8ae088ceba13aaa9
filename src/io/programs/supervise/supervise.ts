import type { AttemptLimits, Clock, Halt, Linger, StopSignal, Waiting } from '../../../domain/ports.ts';
import type { Running, TreeEnd } from '../launch/running.ts';
import type { MainExit } from '../table/signals.ts';
import type { Closing } from './closing.ts';
import { type Activity, watchIdle } from './watch-idle.ts';
import { watchMemory } from './watch-memory.ts';
import { NEVER, watchWall } from './watch-wall.ts';

/** How long processes that the main one left behind may take over their SIGTERM. */
const LEFT_BEHIND_GRACE_MS = 300;

/** Why a program ended; the first cause wins. */
export type Cause =
  | { readonly kind: 'ended'; readonly exit: MainExit }
  | { readonly kind: 'timed_out'; readonly which: 'wall' | 'idle'; readonly afterMs: number }
  | { readonly kind: 'interrupted'; readonly signal: string; readonly forced: boolean }
  /** It gave its closing result, or said that it is done, and was still there when the time for its end was over. */
  | { readonly kind: 'lingered' }
  /** For what it did, it is killed at once. */
  | { readonly kind: 'halted'; readonly halt: Halt }
  /** Something of ours threw while it ran: a bug, reported after the tree is ended. */
  | { readonly kind: 'broken'; readonly error: unknown };

export type Supervised = { readonly cause: Cause; readonly tree: TreeEnd };

export type SuperviseRequest = {
  readonly running: Running;
  readonly limits: AttemptLimits;
  readonly stop: StopSignal;
  /** What counts as being alive, for the idle limit. */
  readonly activity: Activity;
  /** Resolves when the work beside the program (reading its output) has thrown. */
  readonly broken: Promise<unknown>;
  /** The time that it has for its end; absent: it gives no result. */
  readonly closing?: Closing;
  /** Absent: it gives a closing result. The processor time of all of it counts, as it has nothing to wait for. */
  readonly linger?: Linger & { readonly activity: Activity };
  /** Resolves when the program is to be ended for what it did. */
  readonly halted?: Promise<Halt>;
  /** While it waits for you, neither limit counts; absent: it never does. */
  readonly waiting?: Waiting;
  /** Gets the memory of the tree, in MiB, about once a second; absent: it is not measured. */
  readonly onMemory?: (mib: number) => void;
};

/** Waits for the first cause, ends the tree as that cause asks, and returns when nothing of it is left. */
export async function supervise(request: SuperviseRequest, clock: Clock): Promise<Supervised> {
  const { running, limits, stop } = request;
  const cause = await firstCause(request, clock).catch((error): Cause => ({ kind: 'broken', error }));

  const over = new AbortController();
  const treeEnd = running.treeEnd.finally(() => over.abort());
  const leftBehindGrace = async () => {
    await running.mainExit;
    await clock.sleep(LEFT_BEHIND_GRACE_MS, over.signal);
  };
  if (cause.kind === 'timed_out' || cause.kind === 'interrupted' || cause.kind === 'lingered') {
    if (!stop.forced.aborted) running.terminate();
    await Promise.race([
      treeEnd,
      clock.sleep(limits.graceMs, over.signal),
      leftBehindGrace(),
      whenAborted(stop.forced, over.signal),
    ]);
  } else if (cause.kind === 'ended') {
    await Promise.race([treeEnd, leftBehindGrace(), whenAborted(stop.forced, over.signal)]);
  }
  const forced = stop.forced.aborted && !over.signal.aborted;
  if (!over.signal.aborted) running.kill();
  const tree = await treeEnd;
  return { cause: cause.kind === 'interrupted' && forced ? { ...cause, forced } : cause, tree };
}

async function firstCause(request: SuperviseRequest, clock: Clock): Promise<Cause> {
  const { running, limits, stop, activity, broken, halted, closing, onMemory, waiting = NEVER } = request;
  const done = new AbortController();
  const begin = clock.monotonicMs();
  // Who has given its result has not run out of time, whatever it leaves running.
  const timedOut = (which: 'wall' | 'idle'): Cause =>
    closing?.isOpen()
      ? { kind: 'lingered' }
      : { kind: 'timed_out', which, afterMs: clock.monotonicMs() - begin - waiting.totalMs() };
  const interrupted = (): Cause => ({
    kind: 'interrupted',
    signal: stop.reason() ?? 'SIGTERM',
    forced: stop.forced.aborted,
  });
  // A ralph that was suspended finds a limit passed before it hears that the program had ended meanwhile.
  const heard = () => clock.sleep(0, done.signal);
  try {
    // In this order: of causes that hold at the same moment the first one counts.
    return await Promise.race([
      running.mainExit.then((exit): Cause => ({ kind: 'ended', exit })),
      broken.then((error): Cause => ({ kind: 'broken', error })),
      ...(halted === undefined ? [] : [halted.then((halt): Cause => ({ kind: 'halted', halt }))]),
      whenAborted(stop.forced, done.signal).then(interrupted),
      whenAborted(stop.polite, done.signal).then(interrupted),
      watchWall(limits.wallMs, waiting, clock, done.signal)
        .then(heard)
        .then(() => timedOut('wall')),
      watchIdle(limits.idleMs, activity, waiting, clock, done.signal)
        .then(heard)
        .then(() => timedOut('idle')),
      watchLinger(request, waiting, clock, done.signal)
        .then(heard)
        .then((): Cause => ({ kind: 'lingered' })),
      ...(closing === undefined ? [] : [closing.over.then(heard).then((): Cause => ({ kind: 'lingered' }))]),
      ...(onMemory === undefined ? [] : [watchMemory(running.memoryMib, onMemory, clock, done.signal)]),
    ]);
  } finally {
    done.abort();
  }
}

/** Resolves when the program has done nothing for the time after it said that it is done; never where it doesn't say so. */
async function watchLinger(
  { linger }: SuperviseRequest,
  waiting: Waiting,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  if (linger === undefined) return new Promise(() => undefined);
  do await watchIdle(linger.ms, linger.activity, waiting, clock, until);
  while (!until.aborted && !linger.saidDone());
}

/** Resolves when the signal fires; never after `until` has fired. */
function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
}
