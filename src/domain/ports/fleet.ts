import type { RefMove } from './git.ts';

export type { Claim, Engine, JobRef, JobState, WorkerReport } from 'ralph-fleet';

export type Seal = {
  /** Public key of the machine: Ed25519, in hex. */
  readonly key: string;
  readonly sign: (text: string) => string;
  /** Returns whether you enrolled the machine with this public key here. */
  readonly isEnrolled: (key: string) => boolean;
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
  readonly before: string;
  /** The attempt's `FleetJob`, written as text. */
  readonly document: string;
};

/** State of an attempt on another machine, read from the task's only ref on the remote. Ids are commits. */
export type AwayNow =
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
  /** `FleetResult` as text; `record`: the commit with the record's files. */
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
  look(taskId: string): Promise<AwayNow>;
  /** Returns the state of many tasks by one request to the remote. */
  lookAll(taskIds: readonly string[]): Promise<ReadonlyMap<string, AwayNow>>;
  /** Offers an attempt in place of the task's earlier one. Returns the commit that is the job. */
  offer(offer: Offer): Promise<string>;
  /** Withdraws an attempt that no worker has begun. False: the ref no longer is `from`, the job or a claim on it. */
  withdraw(taskId: string, from: string): Promise<boolean>;
  /** Returns an offered job. @throws GitError if the signature doesn't match the named key. */
  job(taskId: string, job: string): Promise<Signed>;
  /** Returns a job whoever signed it: its delivery is signed by a machine that trusted that signer. */
  jobText(job: string): Promise<string>;
  begin(job: string): Promise<{ readonly base: string; readonly baseTree: string; readonly before: string }>;
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
  landing(taskId: string, result: string, landed: string): RefMove;
}
