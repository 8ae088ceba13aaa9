import { type AgentEvent, trackBusy } from 'ralph-agents/event';
import type { Running, TreeEnd } from 'ralph-box/launch/running';
import { deferred } from 'ralph-kit/deferred';
import type { MainExit } from 'ralph-kit/programs/table/signals';
import type { AttemptLimits, Clock, Halt, Linger, StopSignal, Waiting } from '../../domain/ports.ts';

/** Time after SIGTERM for processes that outlive the main one, in milliseconds. */
const LEFT_BEHIND_GRACE_MS = 300;

/** Time for a program to stop when asked, before it gets a signal; in milliseconds. */
const CANCEL_MS = 1000;

/** Why a program ended; the first cause counts. */
export type Cause =
  | { readonly kind: 'ended'; readonly exit: MainExit }
  | { readonly kind: 'timed_out'; readonly which: 'wall' | 'idle'; readonly afterMs: number }
  | { readonly kind: 'interrupted'; readonly signal: string; readonly forced: boolean }
  /** The program reported its result or completion but didn't end in time. */
  | { readonly kind: 'lingered' }
  /** The program was killed for what it did. */
  | { readonly kind: 'halted'; readonly halt: Halt }
  /** ralph's own code threw, which is reported after the tree has ended. */
  | { readonly kind: 'broken'; readonly error: unknown };

export type Supervised = { readonly cause: Cause; readonly tree: TreeEnd };

export type SuperviseRequest = {
  readonly running: Running;
  readonly limits: AttemptLimits;
  readonly stop: StopSignal;
  /** What the program did last, by which the idle limit knows that it lives. */
  readonly activity: Activity;
  /** Resolves when ralph's work beside the program (reading its output) has thrown. */
  readonly broken: Promise<unknown>;
  /** Time for the program's end after its result; absent: it reports no result. */
  readonly closing?: Closing;
  /**
   * How long the program may show no activity once it claims to be done. All processor time that it uses counts as
   * activity, as it waits for nothing. Absent for a program that reports a result.
   */
  readonly linger?: Linger & { readonly activity: Activity };
  /** Resolves when the program must end for what it did. */
  readonly halted?: Promise<Halt>;
  /** Neither limit counts while the program waits for you; absent: it never waits. */
  readonly waiting?: Waiting;
  /** Asks the program to stop before it gets a signal; resolves when it has. Absent: unsupported. */
  readonly cancel?: () => Promise<void>;
  /** Receives the tree's memory in MiB about once a second; absent: not measured. */
  readonly onMemory?: (mib: number) => void;
};

/** Waits for the first cause and ends the tree accordingly; resolves when nothing is left. */
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
  // An agent that reported its result or completion hasn't run out of time, whatever it leaves running.
  const timedOut = (which: 'wall' | 'idle'): Cause =>
    closing?.isOpen() || linger?.claimsDone()
      ? { kind: 'lingered' }
      : { kind: 'timed_out', which, afterMs: clock.monotonicMs() - begin - waiting.totalMs() };
  const interrupted = (): Cause => ({
    kind: 'interrupted',
    signal: stop.reason() ?? 'SIGTERM',
    forced: stop.forced.aborted,
  });
  // After a suspension, ralph sees a passed limit before it hears of the program's end.
  const heard = () => clock.sleep(0, done.signal);
  try {
    // The order matters: of simultaneous causes, the first counts.
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

/** Resolves when the program was idle after reporting completion; otherwise never. */
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

/** Resolves when the signal fires, but never after `until` has fired. */
function whenAborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
}

const NEVER: Waiting = { isOpen: () => false, totalMs: () => 0 };

/** Interval of checks for the end of a wait, in milliseconds. */
const POLL_MS = 1000;

/** Resolves after `wallMs` milliseconds, not counting waits for you, or when `until` fires. */
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

/** Signs of life, from 0. Output shrinks when a program cuts its log; processor time when a process ends. */
type Activity = {
  readonly outputBytes: () => number;
  /** Processor time of the program's tools (`toolCpuMs`); `null` when unknown. */
  readonly cpuMs: () => number | null;
};

const POLLS_PER_WINDOW = 10;
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 10_000;
/** A check that is late by this factor says nothing about the time before. */
const MISSED_POLLS = 3;
/** Below this share of one processor, a silent tool is only waking up for its timers. */
const WORKING_SHARE = 0.02;

/** Resolves after `idleMs` without output and tools, not counting waits for you (0: never), or at `until`. */
async function watchIdle(
  idleMs: number,
  activity: Activity,
  waiting: Waiting,
  clock: Clock,
  until: AbortSignal,
): Promise<void> {
  if (idleMs <= 0) return new Promise(() => undefined);
  const everyMs = Math.min(Math.max(idleMs / POLLS_PER_WINDOW, SHORTEST_POLL_MS), LONGEST_POLL_MS);
  // Reading all processes at the start would delay an agent that ends at once.
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
    // A suspended ralph couldn't check, so the program counts as alive.
    const missed = now - polled > MISSED_POLLS * everyMs;
    if (nowBytes !== bytes || worked || missed || waiting.isOpen()) alive = now;
    if (now - alive >= idleMs) return;
    bytes = nowBytes;
    cpu = nowCpu;
    polled = now;
  }
}

/** Time for an agent to end after its result, in milliseconds; some wait for programs they started. */
export const CLOSING_MS = 10_000;

/** Time between an agent's result, or the end of all its work, and its exit. */
type Closing = {
  /** Resolves when the time is over; never while the agent works. */
  readonly over: Promise<void>;
  readonly isOpen: () => boolean;
  readonly onEvent: (event: AgentEvent) => void;
  readonly stop: () => void;
};

/** Restarts the time at each result; more work after a result stops it until the next one. */
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
        if (working.isBusy()) stop();
        else void begin();
      } else if (['text', 'tool_call', 'session', 'hook'].includes(event.kind)) stop();
    },
    stop,
  };
}

const FIRST_POLL_MS = 250;
const MEMORY_POLL_MS = 1000;
/** Pauses are this many times as long as a check, so a large tree costs at most 2 % of a processor. */
const PAUSE_FACTOR = 50;

/**
 * Watches a program's memory until `until` is aborted; it never resolves.
 * @param memoryMib Returns the memory used in MiB; `null`: it isn't known.
 * @throws What `onMemory` throws.
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
