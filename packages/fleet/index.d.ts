/** What a job is: ids and hashes. What it asks for lies in git, in the commit `job`. */
export type JobRef = {
  /** Unlike that of every other job. */
  readonly id: string;
  readonly task: string;
  /** Counted by ralph; the engine counts nothing. */
  readonly iteration: number;
  /** Commits: what the work begins on, and the one that holds the job. */
  readonly base: string;
  readonly job: string;
};

/** `away`: the server can't be asked. */
export type JobState = 'waiting' | 'active' | 'gone' | 'away';

/** `lost`: another worker may have the job by now. `away`: the server can't be asked, so nothing is known. */
export type Beat = 'held' | 'lost' | 'cancelled' | 'away';

/** A job that a worker has for the time of a lease. */
export type Claim = {
  readonly job: JobRef;
  /** Renews the lease. Never throws; takes a third of a lease at most. */
  readonly beat: () => Promise<Beat>;
  /** The job is over: no worker gets it again. Where the lease is lost, or the server is away, nothing happens. */
  readonly finish: () => Promise<void>;
  /** Gives it back to the queue at once. */
  readonly release: () => Promise<void>;
  /** One line for who follows the attempt; it may be lost. */
  readonly log: (line: string) => void;
};

export type WorkerReport = {
  readonly name: string;
  /** The public key that it signs with. */
  readonly key: string;
  readonly host: string;
  readonly pid: number;
  /** Of its ralph. */
  readonly version: string;
  readonly agents: readonly string[];
  readonly labels: readonly string[];
  /** The task that it is at; `null`: none. */
  readonly task: string | null;
  /** When it began at that. ISO 8601 UTC. */
  readonly began: string | null;
  /** When it said this, which it does once a lease: of so many milliseconds. ISO 8601 UTC. */
  readonly since: string;
  readonly leaseMs: number;
  /** `draining`: it ends after its attempt. */
  readonly state: 'idle' | 'working' | 'draining';
};

export type QueueReport = {
  readonly queue: string;
  /** Its account is at its limit. */
  readonly held: boolean;
  /** Jobs that no worker has. */
  readonly waiting: readonly JobRef[];
  readonly active: readonly JobRef[];
};

/** Whether a setting of the server is as a fleet needs it, and which it is. */
export type Setting = { readonly isSure: boolean; readonly by: string };

/** What the fleet's server, Redis or Postgres, says of itself; `null`: it doesn't say. */
export type ServerFacts = {
  readonly server: 'Redis' | 'Postgres';
  readonly version: string | null;
  /** Whether what it answered outlasts that it is killed. */
  readonly keeps: Setting | null;
  /** Whether it keeps jobs when memory runs short; Postgres always does. */
  readonly evicts: Setting | null;
  /** Its clock, in milliseconds since 1970, and how long the answer took. */
  readonly now: number;
  readonly tookMs: number;
};

/** One place that one process at a time has. */
export type Lock = {
  readonly beat: () => Promise<Exclude<Beat, 'cancelled'>>;
  readonly release: () => Promise<void>;
};

/** Its functions throw an error by the name of `EngineError` where the server refuses what was asked for. */
export type Engine = {
  readonly leaseMs: number;
  /** Queues a job, unless it is queued or at work. @throws where the server refuses; waits while it is away. */
  readonly add: (queue: string, job: JobRef) => Promise<void>;
  readonly stateOf: (queue: string, id: string) => Promise<JobState>;
  /** Takes a job from the queue that no worker has. */
  readonly remove: (queue: string, id: string) => Promise<void>;
  /** Resolves once a job is over, or at the signal. It may miss one: look again after a while. */
  readonly ended: (id: string, signal: AbortSignal) => Promise<void>;
  /** Names of the queues that there are. */
  readonly queues: () => Promise<readonly string[]>;
  /** The next job of a queue for a worker; `null`: there is none, it is paused, or the server is away. */
  readonly claim: (queue: string) => Promise<Claim | null>;
  readonly cancel: (id: string) => Promise<void>;
  readonly isCancelled: (id: string) => Promise<boolean>;
  /** Lets workers take no job of any queue, or again. */
  readonly pause: (paused: boolean) => Promise<void>;
  readonly isPaused: () => Promise<boolean>;
  /** The same for one queue, whose account is at its limit: for so many milliseconds from now; 0: they may again. */
  readonly hold: (queue: string, ms: number) => Promise<void>;
  /** Whether it is held now; false where the server is away. */
  readonly isHeld: (queue: string) => Promise<boolean>;
  /** Takes a lock for the time of a lease; who has it, where that is another. */
  readonly lock: (name: string, owner: string) => Promise<Lock | { readonly heldBy: string }>;
  /** Who has a lock; `null`: it is free. */
  readonly holder: (name: string) => Promise<string | null>;
  /** Shows a worker for the time of three leases; whether it was asked to drain, which is said once. */
  readonly report: (worker: WorkerReport) => Promise<{ readonly drains: boolean }>;
  /** Shows a worker no longer, and forgets a wish that it drains. */
  readonly leave: (worker: string) => Promise<void>;
  readonly drain: (worker: string) => Promise<void>;
  readonly workers: () => Promise<readonly WorkerReport[]>;
  readonly queueReports: () => Promise<readonly QueueReport[]>;
  /** Lines of a job from a number on, as far as they are kept. */
  readonly logs: (queue: string, id: string, from: number) => Promise<readonly string[]>;
  readonly server: () => Promise<ServerFacts>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the engine on a server of Redis or Postgres.
 *
 * @param options `url`: `redis://…` (`rediss://…` for TLS) or `postgres://…`. `repository`: names begin with it. `leaseMs`: how long a worker that is silent keeps its job.
 * `onProblem`: called when the server goes away, once until it is back.
 * @throws where the server doesn't answer at the start, or the address is of no server.
 */
export function openEngine(options: {
  readonly url: string;
  readonly repository: string;
  readonly leaseMs: number;
  readonly onProblem?: (message: string) => void;
}): Promise<Engine>;
