import { type AgentEvent, trackBusy } from '../../../domain/agent.ts';
import type { AttemptLimits, Clock, Halt, Linger, StopSignal, Waiting } from '../../../domain/ports.ts';
import { deferred } from '../../../lib/deferred.ts';
import type { Running, TreeEnd } from '../launch/running.ts';
import type { MainExit } from '../table/signals.ts';

/** How long processes that the main one left behind may take over their SIGTERM. */
const LEFT_BEHIND_GRACE_MS = 300;

/** How long a program may take to stop when it is asked to, before it gets a signal. */
const CANCEL_MS = 1000;

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
  /** Asks the program to stop before it gets a signal; resolves when it has. Absent: it can't be asked. */
  readonly cancel?: () => Promise<void>;
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
    if (request.cancel !== undefined && !stop.forced.aborted) {
      const asked = clock.sleep(Math.min(limits.graceMs, CANCEL_MS), over.signal);
      await Promise.race([request.cancel(), asked, treeEnd, whenAborted(stop.forced, over.signal)]);
    }
    if (!stop.forced.aborted && limits.graceMs > 0) running.terminate();
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
  const { running, limits, stop, activity, broken, halted, closing, linger, onMemory } = request;
  const { waiting = NEVER } = request;
  const done = new AbortController();
  const begin = clock.monotonicMs();
  // An agent that has given its result, or said that it is done, has not run out of time, whatever it leaves running.
  const timedOut = (which: 'wall' | 'idle'): Cause =>
    closing?.isOpen() || linger?.claimsDone()
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
  while (!until.aborted && !linger.claimsDone());
}

/** Resolves when the signal fires; never after `until` has fired. */
function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
}

/** An attempt that never waits for you. */
const NEVER: Waiting = { isOpen: () => false, totalMs: () => 0 };

/** How often the end of a wait is looked for. */
const POLL_MS = 1000;

/** Resolves when `wallMs` milliseconds are over in which the program didn't wait for you, or at once when `until` fires. */
async function watchWall(wallMs: number, waiting: Waiting, clock: Clock, until: AbortSignal): Promise<void> {
  let left = wallMs;
  let waited = waiting.totalMs();
  do {
    const ms = waiting.isOpen() ? Math.max(left, POLL_MS) : left;
    await clock.sleep(ms, until);
    const total = waiting.totalMs();
    left += total - waited - ms;
    waited = total;
  } while (!until.aborted && (left > 0 || waiting.isOpen()));
}

/**
 * Signs of life of a process tree, both from 0. The output shrinks when a program cuts its log; the processor time
 * when a process ends.
 */
type Activity = {
  readonly outputBytes: () => number;
  /** Of what works for the program (`toolCpuMs`); `null` where the system does not say. */
  readonly cpuMs: () => number | null;
};

const POLLS_PER_WINDOW = 10;
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 10_000;
/** A check that comes so many times too late shows nothing of the time between. */
const MISSED_POLLS = 3;
/** Below this share of one processor a silent tool is waiting, not working: it wakes up for its timers. */
const WORKING_SHARE = 0.02;

/**
 * Resolves when the program has not written and its tools have not computed for `idleMs` milliseconds in which it didn't
 * wait for you; never when that is 0.
 * Returns early, meaning nothing, when `until` fires.
 */
async function watchIdle(
  idleMs: number,
  activity: Activity,
  waiting: Waiting,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  if (idleMs <= 0) return new Promise(() => undefined);
  const everyMs = Math.min(Math.max(idleMs / POLLS_PER_WINDOW, SHORTEST_POLL_MS), LONGEST_POLL_MS);
  // Not looked up: looking through all processes would hold up an agent that ends at once.
  let bytes = 0;
  let cpu: number | null = 0;
  let polled = clock.monotonicMs();
  let alive = polled;

  for (;;) {
    await clock.sleep(everyMs, until);
    if (until.aborted) return;
    const now = clock.monotonicMs();
    const nowBytes = activity.outputBytes();
    const nowCpu = activity.cpuMs();
    const computed = cpu === null || nowCpu === null ? 0 : nowCpu - cpu;
    const worked = computed > WORKING_SHARE * (now - polled) || computed < 0;
    // Who was not checked (ralph was suspended) is given the benefit of the doubt.
    const missed = now - polled > MISSED_POLLS * everyMs;
    if (nowBytes !== bytes || worked || missed || waiting.isOpen()) alive = now;
    if (now - alive >= idleMs) return;
    bytes = nowBytes;
    cpu = nowCpu;
    polled = now;
  }
}

/** How long an agent may take to end after its closing result: some wait for the programs that they have started. */
export const CLOSING_MS = 10_000;

/** The time between an agent's closing result, or the end of all its work, and its own end. */
type Closing = {
  /** Resolves when the time is over; never while the agent works. */
  readonly over: Promise<void>;
  /** Whether the agent has nothing left to do. */
  readonly isOpen: () => boolean;
  readonly onEvent: (event: AgentEvent) => void;
  readonly stop: () => void;
};

/** Begins with each result anew, and not before the next one where the agent works on after it: another turn. */
export function watchClosing(clock: Clock): Closing {
  const over = deferred<void>();
  let waiting: AbortController | null = null;
  const working = trackBusy('agent', 'helper');
  const stop = () => {
    waiting?.abort();
    waiting = null;
  };
  const begin = async () => {
    stop();
    const mine = new AbortController();
    waiting = mine;
    await clock.sleep(CLOSING_MS, mine.signal);
    if (!mine.signal.aborted) over.resolve();
  };
  return {
    over: over.promise,
    isOpen: () => waiting !== null,
    onEvent: (event) => {
      working.onEvent(event);
      if (event.kind === 'result' || (event.kind === 'busy' && event.what !== 'program')) {
        if (working.any()) stop();
        else void begin();
      } else if (['text', 'tool_call', 'session', 'hook'].includes(event.kind)) stop();
    },
    stop,
  };
}

const FIRST_POLL_MS = 250;
const MEMORY_POLL_MS = 1000;
/** Pauses are at least so many times as long as a look took: a large tree costs 2 % of a processor at most. */
const PAUSE_FACTOR = 50;

/**
 * Reports the memory of a process tree about once a second, until `until` fires. Never resolves: nothing ends by it.
 * What `onMemory` throws is thrown.
 *
 * @param memoryMib `null`: not known now, and nothing is reported.
 */
export async function watchMemory(
  memoryMib: () => number | null,
  onMemory: (mib: number) => void,
  clock: Clock,
  until: AbortSignal,
): Promise<never> {
  let pause = FIRST_POLL_MS;
  for (;;) {
    await clock.sleep(pause, until);
    if (until.aborted) return new Promise(() => undefined);
    const begin = clock.monotonicMs();
    const mib = memoryMib();
    pause = Math.max(MEMORY_POLL_MS, PAUSE_FACTOR * (clock.monotonicMs() - begin));
    if (mib !== null) onMemory(mib);
  }
}
