import type { AgentEvent, HookMessage } from 'ralph-agents/event';
import type { HookContract, HookPlace } from 'ralph-agents/hook';
import type { AgentPlan } from 'ralph-agents/protocol';
import type { MountedCopy, Opened } from 'ralph-box/protocol';
import type { Ruling } from 'ralph-kit/actions/action';
import type { AgentHome, Inherits } from 'ralph-kit/agent-home';
import type { Clock } from 'ralph-kit/clock';
import type { StoreError } from 'ralph-kit/store-error';
import type {
  Extras,
  GivenUp,
  ListPlan,
  TaskLine,
  TrackedStatus,
  TrackerEdit,
  TrackerProblem,
} from 'ralph-task-lists/task';
import type { AgentEnd } from './agent.ts';
import type { Entry } from './entry.ts';
import type { StopSignalName } from './exit.ts';
import type { FeedbackEntry } from './feedback.ts';
import type { GateRun, GateSpec } from './gate.ts';
import type { HandlerAnswer, HandlerFinding } from './intervention.ts';
import type { AnswerChat, Notification, Waits } from './notification.ts';
import type { ChangedInGit, Git, HeadEdit } from './ports/git.ts';
import type { Line, LineLog } from './ports/line.ts';
import type { Output, Work } from './ports/work.ts';
import type { PushProblem } from './push.ts';
import type { Tampering } from './records/iteration.ts';
import type { Explained, FixedTracker, TakenBack } from './records/marks.ts';
import type { State } from './records/state.ts';
import type { RunReport } from './run-report.ts';
import type { Task } from './task.ts';

export type { Clock } from 'ralph-kit/clock';
export { GitError, type RefMove } from 'ralph-kit/git';
export { StoreError } from 'ralph-kit/store-error';
export * from './ports/git.ts';
export * from './ports/line.ts';
export * from './ports/work.ts';

export interface Ids {
  /** Returns a random text of lower-case letters and digits. */
  random(length: number): string;
  /** Returns the SHA-256 in hex; texts are hashed as UTF-8. */
  sha256(content: string | Uint8Array): string;
}

/**
 * Function that gets each entry that this process commits, after the commit. `worker`: number of the worker that
 * committed it; `null`: there is only one worker.
 */
export type Follower = (entry: Entry, worker: number | null) => void;

/** Entries to append, or a function that returns them for the newest state. */
export type NewEntries = readonly Entry[] | ((state: State) => readonly Entry[]);

/**
 * The journal and its views. Every change is a transaction under a lock: it reads the newest state, including changes
 * of other processes, and returns entries, which are appended with fdatasync and folded into the state. So counters are
 * read within the transaction. Entries that aren't kept (`isKept`) only reach the followers.
 */
export interface Store {
  /** The folded state as this process last read it. */
  readonly state: State;
  /** Reads the entries that other processes have appended, and returns the new state. */
  refresh(): State;
  /**
   * Records entries and returns the new state. If the disk is almost full, the start of an attempt is refused.
   *
   * @param entries A function gets the state under the lock. A list with only entries that aren't kept takes no lock.
   * @throws StoreError if the journal can't be written (disk full, read-only).
   */
  commit(entries: NewEntries, worker?: number): State;
  /** Calls the follower for all later entries. Returns a function that ends this. */
  follow(follower: Follower): () => void;
  /**
   * Waits while another process holds the lock. `commit` waits too, but blocks this process meanwhile, so that it
   * receives no signals.
   * @throws StoreError if the lock is held too long.
   */
  unlocked(): Promise<void>;
  /** Makes the journal in `state.journalUnverified` count, and returns that value; `null`: no journal is unverified. */
  acceptJournal(): State['journalUnverified'];
  /**
   * Writes the documents under `.ralph/` from the state, atomically.
   * @param when `if_due`: skips the write if the last one took more than a hundredth of the time that has passed since.
   */
  writeViews(when?: 'if_due'): void;
  /**
   * Returns the absolute path of an iteration's folder (`.ralph/runs/RUN/iterations/NNNN`), and makes the folder if it
   * is missing.
   */
  iterationFolder(run: string, iteration: number): string;
  /** Writes a document atomically. `path` is relative to `.ralph/`. */
  writeDocument(path: string, content: string): void;
  openLog(path: string): LineLog;
  /**
   * Writes a patch to the iteration's folder and to a private folder outside of the repository.
   * @param checkpoint Id of the checkpoint with the patch's work, for the file's name: an iteration may leave several.
   * @throws StoreError if the patch can't be written.
   */
  keepPatch(run: string, iteration: number, checkpoint: string, patch: Uint8Array): void;
  /** Returns the text of a document, whose path is relative to `.ralph/`; `null`: there is none. */
  readDocument(path: string): string | null;
  /**
   * Keeps the original of your words outside of the repository if their record was redacted.
   * @param entry The record, without secrets.
   * @throws StoreError if the words can't be written.
   */
  keepWords(entry: FeedbackEntry, whole: string): void;
  /** Returns feedback entries with your original words. Returns the same list if no record was redacted. */
  wholeWords(entries: readonly FeedbackEntry[]): readonly FeedbackEntry[];
  /**
   * Writes a prompt with original words to a private file outside of the repository, and returns its absolute path.
   * `forgetPrompt` removes it after the attempt.
   * @throws StoreError if the file can't be written.
   */
  keepPrompt(worker: number, prompt: string): string;
  forgetPrompt(worker: number): void;
}

/**
 * Limits of one attempt in milliseconds. `idleMs` 0: there is no idle limit. `graceMs` 0: the agent is killed without
 * being asked to end.
 */
export type AttemptLimits = { readonly wallMs: number; readonly idleMs: number; readonly graceMs: number };

/**
 * For agents without a final report: milliseconds without activity until an agent that claimed completion is ended; 0:
 * never.
 */
export type Linger = { readonly ms: number; readonly claimsDone: () => boolean };

/** The review hook of one attempt. */
export type HookRequest = {
  readonly contract: HookContract;
  /** Absolute path of a private folder outside of the repository, in which the hook's own folder is made. */
  readonly folder: string;
  /** Returns the plan of an agent that asks the hook; it replaces `AgentProcessRequest.plan`. */
  readonly plan: (place: HookPlace) => AgentPlan;
  /**
   * Returns the reviewer's ruling on an action; the answer to other messages is ignored. An exception denies the
   * action. `gone` fires when the answer isn't waited for any more.
   */
  readonly onMessage: (message: HookMessage, gone: AbortSignal) => Ruling | Promise<Ruling>;
  /**
   * Called once messages can be sent to the agent, which gets them with its next step. `send` returns false if the
   * agent no longer listens.
   */
  readonly onOpen?: (send: (text: string) => boolean) => void;
};

/** Times when an attempt waits for your decision or for its service. All clocks of the attempt stop meanwhile. */
export type Waiting = { readonly isOpen: () => boolean; readonly totalMs: () => number };

export type Halt = Omit<Extract<AgentEnd, { kind: 'halted' }>, 'kind'>;

export type AgentProcessRequest = Output & {
  readonly plan: AgentPlan;
  /** How the agent asks ralph before each action; absent: it isn't asked to. */
  readonly hook?: HookRequest;
  readonly promptFile: string;
  readonly cwd: string;
  /** Copy that the box shows in place of the checkout; absent: none. */
  readonly copy?: MountedCopy;
  /** Name of the agent in ralph; `home` has the agent's own folders (`AgentAdapter.home`). */
  readonly agent: string;
  readonly home: AgentHome | null;
  readonly inherits: Inherits;
  readonly limits: AttemptLimits;
  /** Absolute path of the file that gets the agent's standard output; `errorFile` gets standard error. */
  readonly outputFile: string;
  readonly errorFile: string;
  /** Absolute path of the file that records when each part of standard output was read; absent: no record. */
  readonly timesFile?: string;
  readonly onEvent: (event: AgentEvent) => void;
  /**
   * Returns the path, below the home folder, of the log whose end is wanted; `null`: none yet. Called when the agent
   * has ended, and from time to time before.
   */
  readonly logFile?: () => string | null;
  /** Returns the events in a line of standard error; absent: standard error has no events. */
  readonly parseError?: (line: string) => readonly AgentEvent[];
  /** Returns the events in the current end of `logFile`; absent: the log is only read when the agent has ended. */
  readonly parseLog?: (text: string) => readonly AgentEvent[];
  /** Called about once a second with the resident memory of the process tree, in MiB. */
  readonly onMemory?: (mib: number) => void;
  /** Resolves when ralph has to end the attempt because of the agent's actions. */
  readonly halted?: Promise<Halt>;
  /** When the attempt waits for you, so that its clocks stop; absent: they never do. */
  readonly waiting?: Waiting;
  /**
   * How long an agent without a final report may be inactive after its claim, until it is ended; absent: the agent makes
   * such a report.
   */
  readonly linger?: Linger;
  /** Fires when you stop ralph. The first signal asks the agent to end, `forced` kills it at once. */
  readonly stop: StopSignal;
};

export type AgentProcessResult = {
  readonly end: AgentEnd;
  /** Milliseconds of the attempt, without waits for you or a service. */
  readonly durationMs: number;
  readonly outputBytes: number;
  /** The last lines of standard error, at most a bounded number. */
  readonly errorTail: string;
  /** The end of `logFile`, bounded; empty without a log. */
  readonly log: string;
  /** Number of processes that the agent left running, and that ralph ended. */
  readonly leftBehind: number;
};

/** Your request to stop ralph: Ctrl-C, or another signal that ends a program. */
export interface StopSignal<R extends string = StopSignalName | typeof WORKER_STOPPED> {
  /** Fires at the first signal. */
  readonly polite: AbortSignal;
  /** Fires at the second signal. */
  readonly forced: AbortSignal;
  /** Returns the first signal, or that you stopped the worker; `null`: no stop was requested. */
  readonly reason: () => R | null;
}

/** Reason of a stop for a single worker's attempt: the run continues. */
export const WORKER_STOPPED = 'ralph workers stop';

/** A file that a gate runs. Symbolic links are followed. */
export type SeenFile = {
  /** Absolute path without symbolic links. */
  readonly path: string;
  /** Hash that is equal for equal content. */
  readonly hash: string;
  /** Content of a text file of ordinary size, otherwise empty. */
  readonly text: string;
  readonly executable: boolean;
};

/**
 * Files that gates run, as they are on the disk now. `see` returns `null` for anything but a plain file, follows
 * symbolic links and the scripts that pnpm writes instead of links, and never throws or waits.
 */
export interface GateFiles {
  see(path: string): SeenFile | null;
  /** Returns the absolute path of the program that a gate runs under this name; `null`: there is none. */
  program(name: string): string | null;
}

/**
 * Where a program runs. `copy`: the copy that the box shows in place of the checkout, `null`: none; `opened`: extra
 * paths and variables that the box shows this program.
 */
export type ProgramPlace = {
  readonly cwd: string;
  readonly copy: MountedCopy | null;
  readonly role?: 'gate' | 'set-up';
  readonly opened?: Opened;
};

/** A place other than the copy from which gates may load the project's code. */
export type CodeElsewhere = {
  /**
   * `imports`: a Python environment that imports from the checkout; `installed`: a copy of the code among installed
   * packages; `built`: earlier output of a build.
   */
  readonly kind: 'imports' | 'installed' | 'built';
  /** Absolute path of the file that imports from the checkout, or of the copied code. */
  readonly file: string;
  /** Folders of the checkout whose Python modules the copy has too. Absolute paths. */
  readonly imports: readonly string[];
  /** Files with code that the copies have, too. Paths relative to the top of the repository. */
  readonly sharedFiles: readonly string[];
};

export interface Proc {
  /** Whether agents and gates run in a box. */
  readonly isBoxed: boolean;
  /** Returns whether a program's `--help` lists this switch. The program is asked once per switch. */
  hasSwitch(program: string, name: string): Promise<boolean>;
  /** Runs an agent until it ends. When this resolves, none of the agent's processes is alive. */
  runAgent(request: AgentProcessRequest): Promise<AgentProcessResult>;
  /** Returns the paths of your home folder, and the variables of your environment, that the box hides from gates. */
  readonly closed: () => Opened;
  /** Returns targets of links in ignored folders that the box of the last program didn't show. Absolute paths. */
  readonly linksNotShown: () => readonly string[];
  /**
   * Returns places outside of the copy from which commands may load the project's code.
   *
   * @param paths Relative to the top: production code, and npm and composer manifests. `keptPatterns`: paths and patterns of
   * ignored files that clean copies get.
   */
  readonly codeElsewhere: (
    commands: readonly string[],
    paths: {
      readonly code: readonly string[];
      readonly manifests: readonly string[];
      readonly keptPatterns: readonly string[];
    },
  ) => readonly CodeElsewhere[];
  /** Runs one gate, and writes all of its output to `logFile`. */
  runGate(spec: GateSpec, place: ProgramPlace, logFile: string, stop: StopSignal): Promise<GateRun>;
}

/** Your modules (`[interventions.handlers]`, `[interventions.strategy] module`). No method throws. */
export interface Handlers {
  /** Names of issues with a module, in the order of the configuration. */
  readonly issues: readonly string[];
  /** Whether a module is configured for the strategy. */
  readonly strategy: boolean;
  /** Calls `detect` of each module that has this function. `attempt` is plain data. */
  detect(attempt: unknown): Promise<readonly HandlerDetection[]>;
  /** Calls `intervene` of the module for an issue or the strategy. `question` is plain data. */
  intervene(which: { readonly issue: string } | 'strategy', question: unknown): Promise<HandlerCall>;
}

export type HandlerDetection = {
  readonly issue: string;
  readonly finding: HandlerFinding | null;
  /** Why the module's answer is ignored; `null`: the module worked. */
  readonly failure: string | null;
};

export type HandlerCall = { readonly answer: HandlerAnswer; readonly failure: string | null };

/** What changed outside of the copy that an agent works in. */
export type ChangedOutside = ChangedInGit & { readonly files: readonly Tampering[] };

/** All access of the loop to the outside world. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly store: Store;
  readonly git: Git;
  /** The copy in which the worker's agents and gates work. */
  readonly work: Work;
  readonly line: Line;
  /**
   * Starts to watch your checkout's instructions, settings and git data. The returned function returns the changes
   * since; always none with a box, which prevents them.
   */
  readonly watchOutside: () => Promise<() => Promise<ChangedOutside>>;
  readonly proc: Proc;
  readonly gateFiles: GateFiles;
  readonly tracker: Tracker;
  /** Returns the text of your file at a path relative to the repository; `null`: it doesn't exist. */
  readonly readFile: (path: string) => string | null;
  /** Returns whether the path, relative to the repository, exists. Never throws. */
  readonly exists: (path: string) => boolean;
  /** Returns an absolute path with its symbolic links resolved, as far as the path exists. Never throws. */
  readonly realPath: (path: string) => string;
  readonly notify: Notify;
  /** Opens a pull request, or updates the text of an open one. Never throws. */
  readonly openPullRequest: (wanted: PullRequest) => Promise<PullRequestOpened>;
  readonly handlers: Handlers;
  readonly stop: StopSignal;
  /**
   * Returns the free space for more copies, the size of one copy, and the available memory, in bytes; `null`: unknown.
   */
  readonly room: () => Promise<{
    readonly disk: { readonly free: number; readonly copy: number } | null;
    readonly memory: number | null;
  }>;
  /**
   * The process that runs the loop. `machine`: number of processors and architecture, such as `8 x64`: durations are
   * only compared on equal machines.
   */
  readonly process: {
    readonly pid: number;
    readonly host: string;
    readonly machine: string;
    readonly version: string;
  };
}

/** A pull request for a branch that was pushed. */
export type PullRequest = {
  /** Addresses of the remote. */
  readonly urls: readonly string[];
  /** Short name of the pushed branch; `base` is the branch to merge it into. */
  readonly head: string;
  readonly base: string;
  /** Title on one line. */
  readonly title: string;
  readonly draft: boolean;
  /** False: this commit had a pull request before. If you closed it, ralph doesn't open another. */
  readonly mayOpen: boolean;
  /** Content of the pull request's text, without secrets. */
  readonly report: RunReport;
};

/** Result of opening or updating a pull request. `url`: address of the open one, `null`: none is open. */
export type PullRequestOpened =
  | { readonly ok: true; readonly url: string | null }
  | ({ readonly ok: false; readonly url: string | null } & PushProblem);

/** Result of sending a notification on one channel. */
export type Delivery = {
  readonly channel: 'command' | 'webhook' | 'desktop' | 'telegram' | 'ntfy';
  readonly ok: boolean;
  readonly tries: number;
  /** Why the last try failed, without secrets; `null`: it worked. */
  readonly error: string | null;
  /** The service was already away at an earlier message, which is on record. */
  readonly isKnown?: true;
};

export interface Notify {
  /**
   * Sends a notification on every configured channel, with a few tries each. A channel that delivered a message about
   * something that waits (`waits`) gets no second one about it. Never throws.
   */
  send(notification: Notification): Promise<readonly Delivery[]>;
  /** Calls the listener each time a service that was away can be reached again. Returns a function that ends this. */
  whenBack(listener: () => void): () => void;
  /** Returns whether a message about something that waits was delivered to a chat in which it can be answered. */
  isAsked(waits: Waits): boolean;
  /**
   * Reads answers one after another until `signal` fires. Never throws. @param onAway Called when a service that
   * could be read can't be read any more.
   */
  listen(
    answer: AnswerChat,
    onAway: (channel: Delivery['channel'], error: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

export type TrackerLoad =
  | {
      readonly ok: true;
      /** Name of the format on screen, such as `markdown-prd`. */
      readonly format: string;
      /** Name on screen: a path relative to the repository, or `GitHub issues (label)`. */
      readonly name: string;
      /** Absolute paths of files that agents must not change; empty if the tracker isn't a file. */
      readonly paths: readonly string[];
      /** Whether the tracker itself can mark a task as blocked. */
      readonly holdsBlocked: boolean;
      /** Whether the tracker shows done tasks as done. If so, a missing mark means that a task isn't done. */
      readonly holdsDone: boolean;
      /** Tracker that later runs keep to (`FixedTracker`). */
      readonly source: Pick<FixedTracker, 'kind' | 'path'>;
      readonly sha256: string;
      readonly tasks: readonly Task[];
      readonly problems: readonly TrackerProblem[];
      readonly lineOf: TaskLine;
      /** Returns content that isn't in the fields of a task. Only conversions need this, so each call reads it anew. */
      readonly extras: () => Extras;
      /** Tasks that are done or blocked for ralph, although a checkout, stash or reset removed their mark. */
      readonly takenBack: readonly TakenBack[];
      /** Tasks that the list gives up. */
      readonly givenUp: readonly GivenUp[];
      /** Ids under which the list has another task, while work of the old one is still in an agent's copy. */
      readonly replacing: readonly string[];
    }
  /** The list cannot be read; `next` is the command that helps. */
  | { readonly ok: false; readonly message: string; readonly next?: string };

export interface Tracker {
  /** Reads the current tracker, and remembers the ids of tasks in the store. */
  load(): Promise<TrackerLoad>;
  /**
   * Makes the list show the status of one task, and changes no other byte. What the list can't hold stays in the
   * journal. Returns why the status isn't shown: the task is gone, or the list can't be written; `null`: nothing failed.
   */
  show(taskId: string, status: TrackedStatus): Promise<StoreError | null>;
  /**
   * Comments on a task in trackers with comments. Answers to the comment decide nothing.
   * @throws StoreError if the comment can't be written.
   */
  comment(taskId: string, text: string): Promise<void>;
  /**
   * Adds, renames or removes tasks in one write, and changes no other byte, except for references to a removed task.
   * Returns what went along with them, or is left for you to do, as sentences.
   * @throws StoreError if there is no such task, or the tracker can't be edited this way; then nothing was written.
   */
  edit(edits: readonly TrackerEdit[]): Promise<readonly string[]>;
  /**
   * Adds tasks in one write. No other byte changes, except for references to a task that the new tasks replace.
   * @param only `try`: nothing is written.
   * @returns the ids of the new tasks, in order.
   * @throws StoreError if the tracker can't be edited this way.
   */
  addPlan(plan: ListPlan, only?: 'try'): Promise<readonly string[]>;
  /**
   * Returns the tracker's files with these done tasks, as absolute paths. The edits set the tasks' marks in another
   * version of a file.
   */
  marks(taskIds: readonly string[]): Promise<readonly HeadEdit[]>;
  /**
   * Returns reasons why these tasks, which aren't done for ralph, have a done mark. Tasks without a reason are left
   * out. A process is started only if a mark could have a reason.
   *
   * @param running Whether a run is active: marks made meanwhile may be an agent's.
   */
  explain(tasks: readonly Task[], running: boolean): Promise<readonly Explained[]>;
  /** Returns the names of other files that could be the tracker, for the screen. */
  others(): Promise<readonly string[]>;
}

/** A process between a command and the system's first process. Lists of ancestors begin with the command. */
export type Ancestor = {
  readonly pid: number;
  /** Process id of the parent; 0: there is none, or it is outside of this container. */
  readonly parent: number;
  /**
   * Start time: clock ticks since boot, or milliseconds since 1970 on systems without `/proc`. A larger number is
   * later.
   */
  readonly startedAt: number;
  /** Session id; 0: the system doesn't report it. */
  readonly session: number;
  /** Whether this process becomes the parent of orphaned processes. */
  readonly adopts: boolean;
  /** Whether a ralph of this repository started this process, by a mark in its environment. */
  readonly marked: boolean;
};

/** An active run of the repository, or a command that holds the run lock. */
export type LiveRun = {
  readonly pid: number;
  /** Start time in the system's own unit, as in `Ancestor`. */
  readonly startedAt: number;
  /** Id of the run in the lock; `null`: the lock names none. */
  readonly run: string | null;
};
