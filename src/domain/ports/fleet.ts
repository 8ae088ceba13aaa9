import type { RefMove } from './git.ts';

export type { Claim, Engine, JobRef, JobState, WorkerReport } from 'ralph-fleet';

/** What a machine of a fleet signs with, and whom it believes. */
export type Seal = {
  /** Its public key: Ed25519, in hex. */
  readonly key: string;
  readonly sign: (text: string) => string;
  /** Whether you enrolled the machine of a public key here. */
  readonly isEnrolled: (key: string) => boolean;
  readonly isSigned: (text: string, signature: string, key: string) => boolean;
};

/** A document of another machine; `unknown`: the key that signed it isn't enrolled here, so nothing of it counts. */
export type Signed =
  | { readonly kind: 'signed'; readonly document: string }
  | { readonly kind: 'unknown'; readonly key: string };

/** What an attempt on another machine begins with. */
export type Offer = {
  readonly taskId: string;
  /** The line's commit that the work begins on. */
  readonly base: string;
  /** The tree that the agent finds: that of the base, with the task's own work of earlier attempts. */
  readonly before: string;
  /** `FleetJob` as text. */
  readonly document: string;
};

/** How far an attempt on another machine is, by the one ref that its task has on the remote. Ids are those of commits. */
export type AwayNow =
  /** Nothing of an attempt: there was none, or its work has landed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'offered'; readonly job: string }
  /** `worker`: its name. `lost`: claims on the same job before this one, whose workers had begun an attempt; the newest first. */
  | (Claimed & { readonly kind: 'claimed'; readonly worker: string })
  | (Claimed & { readonly kind: 'delivered'; readonly result: string });

type Claimed = { readonly job: string; readonly claim: string; readonly lost: readonly string[] };

/** Texts by the names of their files. */
export type RecordFiles = Readonly<Record<string, string>>;

/** What a worker made of a job. */
export type Delivery = {
  readonly taskId: string;
  readonly claim: string;
  /** What the copy holds after the attempt. */
  readonly tree: string;
  /** `FleetResult` as text; `record`: the commit that holds the files. */
  readonly document: (record: string) => string;
  readonly files: RecordFiles;
};

/**
 * The remote of a repository, as the place where attempts of a fleet are offered, claimed and delivered. Each move of a ref names what the ref
 * has to be: who is late changes nothing. All of it @throws GitError where the remote can't be reached or refuses it for another reason.
 */
export interface FleetRemote {
  /** As git calls it. */
  readonly name: string;
  /** What clones of one repository have in common: its first commit. */
  repository(): Promise<string>;
  /** Whether the remote keeps refs of ralph, and moves several all or none: tried with refs that are gone afterwards. */
  probe(): Promise<'ok' | 'not_atomic'>;
  look(taskId: string): Promise<AwayNow>;
  /** The same of many tasks, by one question to the remote. */
  lookAll(taskIds: readonly string[]): Promise<ReadonlyMap<string, AwayNow>>;
  /** Offers an attempt in place of any that the task had before; the commit that is the job. */
  offer(offer: Offer): Promise<string>;
  /** Takes an attempt back that no worker is at; `from`: what its ref is, the job or a claim on it. False: it isn't that any more. */
  withdraw(taskId: string, from: string): Promise<boolean>;
  /** What was offered. @throws GitError where the signature isn't that of the key that it names. */
  job(taskId: string, job: string): Promise<Signed>;
  /** The same, whoever signed it: what was delivered of it is signed by who believed that. */
  jobText(job: string): Promise<string>;
  /** Trees that a job begins with, and the base. */
  begin(job: string): Promise<{ readonly base: string; readonly baseTree: string; readonly before: string }>;
  /** Claims a job for a worker, from another one that has lost it, too; `null`: it isn't offered any more. */
  claim(taskId: string, job: string, worker: string): Promise<string | null>;
  /** Gives a claim back whose attempt didn't begin: all is as it was before. */
  giveBack(taskId: string, claim: string): Promise<void>;
  /** Delivers a result with its record, both or none; false: the claim doesn't hold any more. */
  deliver(delivery: Delivery): Promise<boolean>;
  /** Keeps the record alone of an attempt that delivers nothing. */
  keepRecord(record: Pick<Delivery, 'taskId' | 'claim' | 'document' | 'files'>): Promise<void>;
  /** What was delivered. @throws GitError where a part of it isn't what the result names, or isn't signed as it says. */
  take(taskId: string, claim: string, result: string): Promise<Signed & { readonly tree: string }>;
  /** The files of a record. */
  record(taskId: string, claim: string, record: string): Promise<RecordFiles>;
  /** What the worker of a claim says of an attempt that delivered nothing; `null`: it left no record. */
  lostRecord(taskId: string, claim: string): Promise<Signed | null>;
  /**
   * Deletes refs of tasks that landed; nothing of one that hasn't, by what its ref holds. @returns how many.
   *
   * @param gone `tip`: the commit of the branch on the remote. `tasks`: whose refs may go; `records`: whose records may, too. `results`: those that
   *   landed without their refs, by tasks.
   */
  prune(gone: {
    readonly tip: string;
    readonly results: ReadonlyMap<string, string>;
    readonly tasks: readonly string[];
    readonly records: readonly string[];
  }): Promise<number>;
  /** How the ref of a task moves when its result has landed. */
  landing(taskId: string, result: string, landed: string): RefMove;
}
