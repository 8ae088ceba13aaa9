import type { Ruling } from '../lib/actions/review.ts';
import type { AgentEnd, AgentEvent, AgentPlan, HookContract, HookMessage, HookPlace } from './agent.ts';
import type { AgentHome, Inherits, Opened, ShownCopy } from './box/box.ts';
import type { Entry } from './entry.ts';
import type { StopSignalName } from './exit.ts';
import type { GateRun, GateSpec } from './gate.ts';
import type { HandlerAnswer, HandlerFinding } from './intervention.ts';
import type { Git, HeadEdit } from './ports/git.ts';
import type { Line, LineLog } from './ports/line.ts';
import type { Output, Work } from './ports/work.ts';
import type { PushProblem } from './push.ts';
import type { Tampering } from './records/iteration.ts';
import type { Explained, FixedTracker, TakenBack } from './records/marks.ts';
import type { State } from './records/state.ts';
import type { RunReport } from './run-report.ts';
import type { ListPlan, Task, TaskLine, TrackedStatus, TrackerEdit, TrackerProblem } from './task.ts';

export * from './ports/git.ts';
export * from './ports/line.ts';
export * from './ports/line.ts';
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

/** Called with each entry that this process commits, once it is committed. `worker`: who did, where there are several. */
export type Follower = (entry: Entry, worker: number | null) => void;

/**
 * The journal and its views. Every change is a transaction under the lock: the newest state (other processes
 * included) goes in, entries come out, are appended with fdatasync and folded. Counters are taken in there. Entries that
 * pass (`isKept`) reach the followers alone.
 */
export interface Store {
  /** The fold as last seen by this process. */
  readonly state: State;
  /** Reads what other processes appended since. */
  refresh(): State;
  /**
   * The one door for what happened. Where there is hardly any space left, the start of an attempt is refused.
   *
   * @param entries A list of entries that pass needs no lock and no state.
   * @throws StoreError when the journal cannot be written (disk full, read-only).
   */
  commit(entries: readonly Entry[] | ((state: State) => readonly Entry[]), worker?: number): State;
  /** Has a follower called from now on. */
  follow(follower: Follower): () => void;
  /**
   * Waits while another process changes something. A change waits for that, too, but holds this process meanwhile, so
   * that it hears no signal.
   * @throws StoreError when that takes too long.
   */
  unlocked(): Promise<void>;
  /** Makes the journal count that `state.journalUnverified` names, and returns that; `null`: there is none. */
  acceptJournal(): State['journalUnverified'];
  /**
   * Writes the documents under `.ralph/` from the state, atomically.
   * @param when `if_due`: not while the last writing would take more than a hundredth of the time since.
   */
  writeViews(when?: 'if_due'): void;
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

/** Limits of one attempt, in milliseconds; `idleMs` 0: none; `graceMs` 0: it is killed, not asked to end. */
export type AttemptLimits = { readonly wallMs: number; readonly idleMs: number; readonly graceMs: number };

/** How long an agent that gives no closing result may do nothing once it has said that it is done; 0: for ever. */
export type Linger = { readonly ms: number; readonly claimsDone: () => boolean };

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
export interface StopSignal<R extends string = StopSignalName | typeof WORKER_STOPPED> {
  /** Fires at the first signal. */
  readonly polite: AbortSignal;
  /** Fires at the second. */
  readonly forced: AbortSignal;
  /** The signal that came first, or that you stopped the worker; `null`: nothing is to stop. */
  readonly reason: () => R | null;
}

/** You ended the attempt of one worker; the run continues. */
export const WORKER_STOPPED = 'ralph workers stop';

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

/** A place other than the copy in which gates may find the project's code. */
export type CodeElsewhere = {
  /** `imports`: an environment of Python that imports the checkout; `installed`: a copy of the code among packages; `built`: made of it before. */
  readonly kind: 'imports' | 'installed' | 'built';
  /** What says so, or holds the code. Absolute. */
  readonly file: string;
  /** Folders of the checkout in which the copy would have the same modules of Python. Absolute. */
  readonly imports: readonly string[];
  /** Files with the code that copies have, too, as they lie in the repository. Relative to the top. */
  readonly holds: readonly string[];
};

export interface Proc {
  /** Agents and gates run in a box. */
  readonly isBoxed: boolean;
  /** Runs an agent to its end; no descendant of it is alive when this resolves. */
  runAgent(request: AgentProcessRequest): Promise<AgentProcessResult>;
  /** What a gate doesn't see in its box of your home folder and your environment. */
  readonly closed: () => Opened;
  /** Where links below what git ignores lead, and nothing was seen in the box of the last program. Absolute paths. */
  readonly linksNotShown: () => readonly string[];
  /**
   * Where commands may find the project's code other than in the copy that they run in.
   *
   * @param paths Relative to the top: production code, and manifests of npm and composer. `kept`: paths and patterns of ignored files that clean copies have.
   */
  readonly codeElsewhere: (
    commands: readonly string[],
    paths: {
      readonly code: readonly string[];
      readonly manifests: readonly string[];
      readonly kept: readonly string[];
    },
  ) => readonly CodeElsewhere[];
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
  /** Names what changed since it was called of instructions and settings, and of what git keeps; where a box keeps programs away, nothing. */
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
  /** Opens a pull request, or brings the text of the one that is open up to date. Never throws. */
  readonly openPullRequest: (wanted: PullRequest) => Promise<PullRequestOpened>;
  readonly handlers: Handlers;
  readonly telemetry: Telemetry;
  readonly stop: StopSignal;
  /** What there is for more copies and their programs, in bytes; `null`: that isn't known. */
  readonly room: () => Promise<{
    readonly disk: { readonly free: number; readonly copy: number } | null;
    readonly memory: number | null;
  }>;
  /** Who runs the loop. */
  /** `machine`: its class, by what makes it fast or slow: `8 x64` has eight processors. */
  readonly process: {
    readonly pid: number;
    readonly host: string;
    readonly machine: string;
    readonly version: string;
  };
}

/** What `[notify]` sends to you. Secrets are redacted by the code that makes it. */
export type Notification = {
  readonly kind: 'emergency_stop' | 'awaiting_human' | 'run_finished' | 'false_positives' | 'test';
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly run: string;
  readonly taskId: string | null;
  readonly incident: string | null;
  readonly severity: 'info' | 'warning' | 'critical';
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** Commands that help. */
  readonly next: readonly string[];
  /** How the run ended; `null`: it hasn't. */
  readonly result:
    | (Pick<RunReport, 'ending' | 'tasks' | 'iterations' | 'durationMs'> & { readonly exitCode: number })
    | null;
};

/** A pull request for a branch that was pushed. */
export type PullRequest = {
  /** Where it was pushed to. */
  readonly urls: readonly string[];
  /** Short names of the branch, and of the one that it goes to. */
  readonly head: string;
  readonly base: string;
  /** One line. */
  readonly title: string;
  readonly draft: boolean;
  /** false: there was one for this commit; that it isn't open any more is your decision. */
  readonly mayOpen: boolean;
  /** What its text says, without secrets. */
  readonly report: RunReport;
};

/** What became of it. `url`: of the one that is open, `null`: there is none. */
export type PullRequestOpened =
  | { readonly ok: true; readonly url: string | null }
  | ({ readonly ok: false; readonly url: string | null } & PushProblem);

/** What became of a notification on one channel. */
export type Delivery = {
  readonly channel: 'command' | 'webhook' | 'email' | 'desktop';
  readonly ok: boolean;
  readonly tries: number;
  /** Why it did not get through, of the last try; redacted. */
  readonly error: string | null;
};

export interface Notify {
  /** Sends it on every channel that is configured, with a few tries each. Never throws. */
  send(notification: Notification): Promise<readonly Delivery[]>;
}

export type TrackerLoad =
  | {
      readonly ok: true;
      /** How its format is called on screen, such as `markdown-prd`. */
      readonly format: string;
      /** For the screen: a path relative to the repository, or `GitHub issues (label)`. */
      readonly name: string;
      /** Absolute paths to guard from the agent; empty where the tracker isn't a file. */
      readonly paths: readonly string[];
      /** Whether the tracker can hold the status `blocked` itself. */
      readonly holdsBlocked: boolean;
      /** Whether it shows done tasks as done, so that a missing mark says something. */
      readonly holdsDone: boolean;
      /** What the first run fixes. */
      readonly source: Pick<FixedTracker, 'kind' | 'path'>;
      readonly sha256: string;
      readonly tasks: readonly Task[];
      readonly problems: readonly TrackerProblem[];
      readonly lineOf: TaskLine;
      /** Tasks that ralph knows as done or blocked, and whose mark went back to what HEAD has, by no commit. */
      readonly takenBack: readonly TakenBack[];
    }
  /** `next`: the command that helps. */
  | { readonly ok: false; readonly message: string; readonly next?: string };

export interface Tracker {
  /** Reads the tracker as it is now; remembers ids through the store. */
  load(): Promise<TrackerLoad>;
  /** Writes one status back; every other byte stays.
   * @throws StoreError when the task is gone or the tracker cannot be written. */
  setStatus(taskId: string, status: TrackedStatus): Promise<void>;
  /** Tells those who follow the task, where its tracker can: an answer decides nothing.
   * @throws StoreError when it can't be written. */
  comment(taskId: string, text: string): Promise<void>;
  /**
   * Adds, renames or removes a task; every other byte stays.
   * @throws StoreError where there is no such task, or the tracker can't be edited so.
   */
  edit(edit: TrackerEdit): Promise<void>;
  /**
   * Adds tasks in one write; every other byte stays, but for what waited for the task that they stand in for.
   * @param only `try`: nothing is written.
   * @returns the ids that they get, in their order.
   * @throws StoreError where the tracker can't be edited so.
   */
  addPlan(plan: ListPlan, only?: 'try'): Promise<readonly string[]>;
  /** Its files that hold these done tasks, absolute, and how another version of one gets their marks. */
  marks(taskIds: readonly string[]): Promise<readonly HeadEdit[]>;
  /**
   * What explains the marks of these tasks, which ralph doesn't know as done; tasks whose marks nothing explains are left
   * out. Starts a process only where a mark could be explained.
   *
   * @param running A run is at work: what came meanwhile isn't yours because of when it came.
   */
  explain(tasks: readonly Task[], running: boolean): Promise<readonly Explained[]>;
  /** Other files that could be the tracker, as names for the screen. */
  others(): Promise<readonly string[]>;
}

/** A process on the way from a command up to the first process, the command itself first. */
export type Ancestor = {
  readonly pid: number;
  /** 0: no one here started it. */
  readonly parent: number;
  /** On one scale for all processes of this machine; larger is later. */
  readonly startedAt: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** It becomes the parent of processes whose own is gone. */
  readonly adopts: boolean;
  /** It carries the mark of what a ralph of this repository started. */
  readonly marked: boolean;
};

/** A run (or a command that holds the run lock) that is active in the repository. */
export type LiveRun = {
  readonly pid: number;
  /** As of an `Ancestor`. */
  readonly startedAt: number;
  /** As the lock names it. */
  readonly run: string | null;
};

export type MetricSample = {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A metric with all its values. A `counter` only ever grows. */
export type MetricFamily = {
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  /** In a stable order. */
  readonly samples: readonly MetricSample[];
};
