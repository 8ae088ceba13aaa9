import type { Ruling } from '../lib/actions/review.ts';
import type { AgentEnd, AgentEvent, AgentPlan, HookContract, HookMessage, HookPlace } from './agent.ts';
import type { AgentHome, Inherits, Opened, ShownCopy } from './box/box.ts';
import type { StopSignalName } from './exit.ts';
import type { GateRun, GateSpec } from './gate.ts';
import type { HandlerAnswer, HandlerFinding } from './handler.ts';
import type { LoopEvent } from './loop-event.ts';
import type { Git } from './ports/git.ts';
import type { Line } from './ports/line.ts';
import type { LineLog } from './ports/line-log.ts';
import type { Notify } from './ports/notify.ts';
import type { Tracker } from './ports/tracker.ts';
import type { Output, Work } from './ports/work.ts';
import type { Tampering } from './records/iteration.ts';
import type { JournalBody } from './records/journal.ts';
import type { State } from './records/state.ts';

export * from './ports/git.ts';
export * from './ports/line.ts';
export * from './ports/line-log.ts';
export * from './ports/notify.ts';
export * from './ports/tracker.ts';
export * from './ports/work.ts';

/** Wall and monotonic time. `now` is ISO 8601 UTC; `monotonicMs` only ever grows, and so does `processorMs`, what ralph itself used. */
export interface Clock {
  now(): string;
  monotonicMs(): number;
  processorMs(): number;
  /** Resolves after that many milliseconds, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  /** Lower-case letters and digits. */
  random(length: number): string;
  /** SHA-256 in hex; a text counts as UTF-8. */
  sha256(content: string | Uint8Array): string;
}

/**
 * The journal and its views. Every change is a transaction under the lock: the newest state (other processes
 * included) goes in, records come out, are appended with fdatasync and folded. Counters are taken in there.
 */
export interface Store {
  /** The fold as last seen by this process. */
  readonly state: State;
  /** Reads what other processes appended since. */
  refresh(): State;
  /**
   * Where there is hardly any space left, the start of an attempt is refused.
   * @throws StoreError when the journal cannot be written (disk full, read-only).
   */
  commit(build: (state: State) => readonly JournalBody[]): State;
  /**
   * Waits while another process changes something. A change waits for that, too, but holds this process meanwhile, so
   * that it hears no signal.
   * @throws StoreError when that takes too long.
   */
  unlocked(): Promise<void>;
  /** Makes the journal count that `state.journalUnverified` names, and returns that; `null`: there is none. */
  acceptJournal(): State['journalUnverified'];
  /** Writes the documents under `.ralph/` from the state, atomically. */
  writeViews(): void;
  /** Absolute folder of an iteration, made on first use: `.ralph/runs/RUN/iterations/NNNN`. */
  iterationFolder(run: string, iteration: number): string;
  /** Atomic write of a document below `.ralph/`; `path` relative to it. */
  writeDocument(path: string, content: string): void;
  openLog(path: string): LineLog;
  /**
   * Keeps a patch with the documents of an iteration and outside of the repository; its path below `.ralph/`.
   * @throws StoreError
   */
  keepPatch(run: string, iteration: number, patch: Uint8Array): string;
  /** Text of a document below `.ralph/`; `null` when it does not exist. */
  readDocument(path: string): string | null;
}

/** An expected failure of the store, with a message that has three parts: what happened, the value seen, the next command. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Limits of one attempt, in milliseconds; `idleMs` 0: none. */
export type AttemptLimits = { readonly wallMs: number; readonly idleMs: number; readonly graceMs: number };

/** How long an agent that gives no closing result may do nothing once it has said that it is done; 0: for ever. */
export type Linger = { readonly ms: number; readonly saidDone: () => boolean };

/** The hook of one attempt. */
export type HookRequest = {
  readonly contract: HookContract;
  /** A private folder outside of the repository in which the hook's own is made; absolute. */
  readonly folder: string;
  /** The plan of an agent that asks; it stands in for the one without a hook. */
  readonly plan: (place: HookPlace) => AgentPlan;
  /**
   * The reviewer's ruling on an action; for other messages the answer doesn't matter. What it throws is a denial. `gone`
   * fires when nothing waits for the answer any more.
   */
  readonly onMessage: (message: HookMessage, gone: AbortSignal) => Ruling | Promise<Ruling>;
  /**
   * Called when messages can be sent to the agent while it works; they reach it with its next step. `send` is false
   * when the agent no longer listens.
   */
  readonly onOpen?: (send: (text: string) => boolean) => void;
};

/** The time for which an attempt waits for your decisions: none of its clocks runs then. */
export type Waiting = { readonly isOpen: () => boolean; readonly totalMs: () => number };

export type Halt = Omit<Extract<AgentEnd, { kind: 'halted' }>, 'kind'>;

export type AgentProcessRequest = Output & {
  readonly plan: AgentPlan;
  /** Absent: the agent is not made to ask. */
  readonly hook?: HookRequest;
  readonly promptFile: string;
  readonly cwd: string;
  /** What stands in the place of the checkout in a box; absent: nothing does. */
  readonly copy?: ShownCopy;
  /** What ralph calls the agent, and the folders that are its own (`AgentAdapter.home`). */
  readonly agent: string;
  readonly home: AgentHome | null;
  readonly inherits: Inherits;
  readonly limits: AttemptLimits;
  /** Where standard output and standard error are kept. */
  readonly outputFile: string;
  readonly errorFile: string;
  /** Where it is kept when which part of the standard output was read; absent: it isn't. */
  readonly timesFile?: string;
  readonly onEvent: (event: AgentEvent) => void;
  /** Asked when the agent has ended: a file below its home folder of which the end is wanted; `null`: none. */
  readonly logFile?: () => string | null;
  /** Called about once a second with the resident memory of the whole process tree, in MiB. */
  readonly onMemory?: (mib: number) => void;
  /** Resolves when the attempt is to be ended for what the agent did. */
  readonly halted?: Promise<Halt>;
  /** Absent: it never waits for you. */
  readonly waiting?: Waiting;
  /** Absent: it gives a closing result. */
  readonly linger?: Linger;
  /** Fires when you stop ralph: the first abort asks the agent to end, `forced` kills at once. */
  readonly stop: StopSignal;
};

export type AgentProcessResult = {
  readonly end: AgentEnd;
  /** Without the time for which it waited for you. */
  readonly durationMs: number;
  readonly outputBytes: number;
  /** Last lines of standard error, bounded. */
  readonly errorTail: string;
  /** End of `logFile`, bounded; empty where there is none. */
  readonly log: string;
  /** Processes that the agent left behind and that were ended after it. */
  readonly leftBehind: number;
};

/** Your wish to stop, from Ctrl-C or another signal that ends a program. */
export interface StopSignal {
  /** Fires at the first signal. */
  readonly polite: AbortSignal;
  /** Fires at the second. */
  readonly forced: AbortSignal;
  /** The signal that came first; `null` while none has. */
  readonly reason: () => StopSignalName | null;
}

/** A file that a gate runs, links followed. */
export type SeenFile = {
  /** Absolute and real. */
  readonly path: string;
  /** Equal for equal content. */
  readonly hash: string;
  /** The content where it is text of ordinary size, else empty. */
  readonly text: string;
  readonly executable: boolean;
};

/** What gates run, as it lies on the disk. Never throws and never waits: what isn't a plain file is not there. Links are followed, and what pnpm writes in their place. */
export interface GateFiles {
  see(path: string): SeenFile | null;
  /** Absolute path of the program that a gate gets for this name. */
  program(name: string): string | null;
}

/**
 * Where a program works; `copy`: what stands in the place of the checkout in a box, `null`: nothing does; `opened`: what its box
 * shows for once.
 */
export type ProgramPlace = {
  readonly cwd: string;
  readonly copy: ShownCopy | null;
  readonly role?: 'gate' | 'set-up';
  readonly opened?: Opened;
};

export interface Proc {
  /** Agents and gates run in a box. */
  readonly isBoxed: boolean;
  /** Runs an agent to its end; no descendant of it is alive when this resolves. */
  runAgent(request: AgentProcessRequest): Promise<AgentProcessResult>;
  /** What a gate doesn't see in its box of your home folder and your environment. */
  readonly closed: () => Opened;
  /** Runs one gate; its whole output goes to `logFile`. */
  runGate(spec: GateSpec, place: ProgramPlace, logFile: string, stop: StopSignal): Promise<GateRun>;
}

/** Your modules (`[interventions.handlers]`, `[interventions.strategy] module`). Nothing here throws. */
export interface Handlers {
  /** Issues that have a module, in the order of the configuration. */
  readonly issues: readonly string[];
  /** Whether there is a module for the strategy. */
  readonly strategy: boolean;
  /** Calls `detect` of each module that has one. `attempt` is plain data. */
  detect(attempt: unknown): Promise<readonly HandlerDetection[]>;
  /** Calls `intervene` of the module of an issue, or of the strategy's. `question` is plain data. */
  intervene(which: { readonly issue: string } | 'strategy', question: unknown): Promise<HandlerCall>;
}

export type HandlerDetection = {
  readonly issue: string;
  readonly found: HandlerFinding | null;
  /** Why it counts for nothing; `null` where it worked. */
  readonly failure: string | null;
};

export type HandlerCall = { readonly answer: HandlerAnswer; readonly failure: string | null };

/** One phase of an iteration for a trace; times in ISO 8601 UTC. */
export type PhaseSpan = {
  readonly name: 'agent_execution' | 'detection' | 'evidence_validation' | 'gates' | 'intervention';
  readonly from: string;
  readonly to: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
};

export type IterationSpan = Omit<PhaseSpan, 'name'> & {
  readonly run: string;
  readonly iteration: number;
  readonly ok: boolean;
  readonly phases: readonly PhaseSpan[];
};

/** OpenTelemetry, where an endpoint is configured. Nothing here throws or holds the loop up. */
export interface Telemetry {
  iteration(span: IterationSpan, state: State): void;
  /** Resolves when all is sent, or after a few seconds. */
  flush(): Promise<void>;
}

/** What changed outside of the copy that an agent works in. */
export type ChangedOutside = {
  readonly files: readonly Tampering[];
  /** `HEAD`, names of refs, `the index`. */
  readonly git: readonly string[];
};

/** Everything the loop reaches the world through. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly git: Git;
  /** The copy in which agents and gates work. */
  readonly work: Work;
  readonly line: Line;
  /** Names what changed since it was called of orders and settings, and of what git keeps; where a box keeps programs away, nothing. */
  readonly watchOutside: () => Promise<() => Promise<ChangedOutside>>;
  readonly proc: Proc;
  readonly gateFiles: GateFiles;
  readonly tracker: Tracker;
  /** Text of a file of yours, relative to the repository; `null` when it doesn't exist. */
  readonly readFile: (path: string) => string | null;
  /** Whether there is anything at this path relative to the repository. Never throws. */
  readonly exists: (path: string) => boolean;
  /** An absolute path with its links followed, as far as there is something. Never throws. */
  readonly realPath: (path: string) => string;
  readonly notify: Notify;
  readonly handlers: Handlers;
  readonly telemetry: Telemetry;
  readonly emit: (event: LoopEvent) => void;
  readonly stop: StopSignal;
  /** Who runs the loop. */
  readonly process: { readonly pid: number; readonly host: string; readonly version: string };
}
