import type { RefMove } from 'ralph-kit/git';

/**
 * What `openRemote` asks of git: one clone, and one of its remotes. All functions @throws GitError if git fails or the
 * remote can't be reached.
 */
export type FleetGit = {
  /** Name of the remote. */
  readonly remote: string;
  /** Returns a component of a ref's name; different texts get different ones. */
  readonly refName: (text: string) => string;
  /** Returns the first commit of the history. */
  readonly firstCommit: () => Promise<string>;
  /** Returns the refs of the remote that match the patterns, with their commits, by one request. */
  readonly listed: (patterns: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Fetches a ref with its objects. `as`: local ref that protects them from git's housekeeping; `null`: none. */
  readonly fetch: (ref: string, as: string | null) => Promise<void>;
  /** Moves all refs on the remote, with the objects that they need, or none; false: one isn't at its `from`. */
  readonly push: (moves: readonly RefMove[]) => Promise<boolean>;
  /** Returns the id of the object that is here by this name of `git rev-parse`; `null`: none. */
  readonly find: (name: string) => Promise<string | null>;
  /** Returns parents and message of a commit that is here. */
  readonly commit: (id: string) => Promise<{ readonly parents: readonly string[]; readonly message: string }>;
  /** Returns a file of a commit. */
  readonly text: (commit: string, path: string) => Promise<string>;
  /** Returns the names of the files in a folder of a commit. */
  readonly names: (commit: string, folder: string) => Promise<readonly string[]>;
  /** Returns the id of a new tree with these files by path, and these trees by name. */
  readonly makeTree: (files: RecordFiles, trees: Readonly<Record<string, string>>) => Promise<string>;
  /** Makes a commit that no branch has, and returns its id. */
  readonly makeCommit: (tree: string, parents: readonly string[], message: string) => Promise<string>;
  /** Whether a commit is `from` or in its history; false if one of them isn't here. */
  readonly isReachable: (commit: string, from: string) => Promise<boolean>;
};

/** A machine's signature, and the machines whose signatures count. */
export type Seal = {
  /** Public key of the machine: Ed25519, in hex. */
  readonly key: string;
  /** Returns the machine's signature of a text. */
  readonly sign: (text: string) => string;
  /** Returns whether you enrolled the machine with this public key here. */
  readonly isEnrolled: (key: string) => boolean;
  /** Returns whether a signature of a text was made with this key. */
  readonly isSigned: (text: string, signature: string, key: string) => boolean;
};

/** A document of another machine. `unknown`: the signing key isn't enrolled here, so the document is ignored. */
export type Signed =
  | { readonly kind: 'signed'; readonly document: string }
  | { readonly kind: 'unknown'; readonly key: string };

export type Offer = {
  readonly taskId: string;
  /** The line's commit that the work begins on. */
  readonly base: string;
  /** The tree that the agent starts from: the base with the task's own work from earlier attempts. */
  readonly startTree: string;
  /** What the attempt begins with. Its text is opaque here. */
  readonly document: string;
};

/** State of an attempt on another machine, read from the task's only ref on the remote. Ids are commits. */
export type RemoteAttemptState =
  /** The remote has no attempt at the task: there was none, or its work has landed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'offered'; readonly job: string }
  /** `worker`: its name. `lost`: earlier claims on the job whose workers had begun an attempt, newest first. */
  | (Claimed & { readonly kind: 'claimed'; readonly worker: string })
  | (Claimed & { readonly kind: 'delivered'; readonly result: string });

type Claimed = { readonly job: string; readonly claim: string; readonly lost: readonly string[] };

export type RecordFiles = Readonly<Record<string, string>>;

export type Delivery = {
  readonly taskId: string;
  readonly claim: string;
  readonly tree: string;
  /**
   * Returns what is said of the attempt, as JSON whose member `record` is the given one: the commit with the record's
   * files, '' within that record itself. The rest is opaque here.
   */
  readonly document: (record: string) => string;
  readonly files: RecordFiles;
};

/**
 * The git remote where a fleet's attempts are offered, claimed and delivered. A ref moves only from its expected value.
 * All methods @throws GitError if the remote can't be reached or refuses for another reason.
 */
export interface FleetRemote {
  readonly name: string;
  /** Returns the first commit, which all clones of a repository share. */
  repository(): Promise<string>;
  /** Tests, with temporary refs, whether the remote keeps refs of ralph and moves several all or none. */
  probe(): Promise<'ok' | 'not_atomic'>;
  /** Fetches the task's ref, and returns what it stands for. */
  look(taskId: string): Promise<RemoteAttemptState>;
  /** Returns the state of many tasks by one request to the remote. */
  lookAll(taskIds: readonly string[]): Promise<ReadonlyMap<string, RemoteAttemptState>>;
  /** Offers an attempt in place of the task's earlier one. Returns the commit that is the job. */
  offer(offer: Offer): Promise<string>;
  /** Withdraws an attempt that no worker has begun. False: the ref no longer is `from`, the job or a claim on it. */
  withdraw(taskId: string, from: string): Promise<boolean>;
  /** Returns an offered job. @throws GitError if the signature doesn't match the named key. */
  job(taskId: string, job: string): Promise<Signed>;
  /** Returns a job whoever signed it: its delivery is signed by a machine that trusted that signer. */
  jobText(job: string): Promise<string>;
  /** Returns the commit and trees that an offered job begins with. */
  begin(
    job: string,
  ): Promise<{ readonly base: string; readonly baseTree: string; readonly startTree: string }>;
  /** Claims a job for a worker, also from another worker that lost the job; `null`: it isn't offered any more. */
  claim(taskId: string, job: string, worker: string): Promise<string | null>;
  /** Gives up a claim whose attempt didn't begin, and restores the state before the claim. */
  giveBack(taskId: string, claim: string): Promise<void>;
  /** Delivers both a result and its record, or neither; false: the claim is no longer valid. */
  deliver(delivery: Delivery): Promise<boolean>;
  /** Pushes only the record of an attempt that delivers no work. */
  keepRecord(record: Pick<Delivery, 'taskId' | 'claim' | 'document' | 'files'>): Promise<void>;
  /** Returns a delivery. @throws GitError if a part isn't what the result names, or the signature is wrong. */
  take(taskId: string, claim: string, result: string): Promise<Signed & { readonly tree: string }>;
  /** Fetches the files of a delivery's record. */
  record(taskId: string, claim: string, record: string): Promise<RecordFiles>;
  /** Returns the worker's record of an attempt without a delivery; `null`: there is none. */
  lostRecord(taskId: string, claim: string): Promise<Signed | null>;
  /**
   * Deletes refs of tasks that landed, judged by the refs' content. Returns how many.
   * @param gone `tip`: the branch's commit on the remote. `tasks`, `records`: tasks whose refs, or records, may go.
   * `results`: results that landed without their refs, by task.
   */
  prune(gone: {
    readonly tip: string;
    readonly results: ReadonlyMap<string, string>;
    readonly tasks: readonly string[];
    readonly records: readonly string[];
  }): Promise<number>;
  /** Returns the move of the task's ref that goes with the push in which its result lands. */
  landing(taskId: string, result: string, landed: string): RefMove;
}

export type Stop = {
  /** Fires when work should end. */
  readonly polite: AbortSignal;
  /** Fires when it should end at once. */
  readonly forced: AbortSignal;
};

export type RemoteAttempt = Omit<Offer, 'document'> & {
  /** Returns the job as text. Where this differs from the text of a job that still waits, the job is offered anew. */
  readonly document: () => string;
  readonly iteration: number;
  readonly agent: string;
  readonly stop: Stop;
  /** Milliseconds that the agent may take to end once it is asked to. */
  readonly graceMs: number;
  /**
   * Iterations whose attempts have an unknown end: if a worker delivered or still makes one with the same agent and
   * goal, it isn't made again.
   */
  readonly cutOff: readonly number[];
  /** The task's words. An earlier attempt made for other words is given up. */
  readonly goal: string;
  /** Called for each lost attempt, with the number of attempts lost before. */
  readonly onLost: (count: number) => void;
};

/** End of an attempt in the fleet. `why`: reason for having no delivery; one that arrives later is ignored. */
export type RemoteAttemptEnd = { readonly lost: readonly LostAttempt[] } & (
  | {
      readonly kind: 'delivered';
      readonly tree: string;
      readonly document: string;
      readonly files: RecordFiles;
      /** You cancelled the attempt; its usage counts. */
      readonly isCancelled: boolean;
      /**
       * Iteration that offered the attempt on another base, and whose end wasn't seen; `null`: the current one offered
       * it.
       */
      readonly earlier: EarlierJob | null;
    }
  /** The delivery is signed by a machine that isn't enrolled here, with this key. */
  | { readonly kind: 'unknown'; readonly key: string }
  | { readonly kind: 'none'; readonly why: 'stopped' | 'cancelled' | 'limited' | 'superseded' }
);

/** `baseTree`: tree of the base alone; `startTree`: tree of the base with the task's earlier work. */
export type EarlierJob = {
  readonly iteration: number;
  readonly claim: string;
  readonly baseTree: string;
  readonly startTree: string;
};

/** An attempt that a worker began and then lost. `document`: of its record; `null`: that hasn't arrived. */
export type LostAttempt = { readonly claim: string; readonly document: string | null };

/**
 * A delivered result that isn't taken yet. `result`: commit of the task's ref; `unknown`: key of the signing machine if
 * it isn't enrolled here.
 */
export type FoundDelivery = {
  readonly iteration: number;
  readonly result: string;
  readonly unknown: string | null;
};

/** Has workers make a run's attempts. */
export interface Coordinator {
  readonly remote: string;
  /** Lets a worker make the attempt. @throws GitError if the delivery is incomplete. */
  attempt(attempt: RemoteAttempt): Promise<RemoteAttemptEnd>;
  /** Returns delivered attempts at these tasks, except those whose refs show that they landed. @throws GitError */
  delivered(taskIds: readonly string[]): Promise<ReadonlyMap<string, FoundDelivery>>;
  /** Marks a delivered attempt as the task's result, if an earlier run took it and this machine keeps it. */
  keep(taskId: string, result: string): void;
  /**
   * Reports that an agent's account reached a limit. No other worker starts this agent until `limits` gives the time.
   */
  met(agent: string): void;
  /**
   * Sets for how many milliseconds workers may not start an agent (0: they may). Jobs that no worker has begun are
   * withdrawn.
   */
  limits(now: ReadonlyMap<string, number>): Promise<void>;
  /** Deletes finished data on the remote (`FleetRemote.prune`); `landed`: tasks that landed. @throws GitError */
  prune(
    gone: Omit<Parameters<FleetRemote['prune']>[0], 'results'> & { readonly landed: ReadonlySet<string> },
  ): Promise<number>;
  /** Returns the moves of task refs that go with the branch; `landed`: commits by task. */
  landings(landed: ReadonlyMap<string, string>): readonly RefMove[];
  /** Removes a task's delivery without work to land, because the remote would show it as if it could land. */
  drop(taskId: string): Promise<void>;
  /** Forgets the results whose refs were moved by a push. */
  moved(moves: readonly RefMove[]): void;
}
