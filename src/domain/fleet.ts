import * as z from 'zod/mini';
import { InnerRepository } from './change-set.ts';
import { Limits } from './intervention.ts';
import { AttemptBudget } from './policy.ts';
import type { FleetRemote, Offer, RecordFiles } from './ports/fleet.ts';
import type { RefMove, StopSignal } from './ports.ts';
import { FactSections } from './records/iteration.ts';
import type { Task } from './task.ts';

export const FleetJob = z.object({
  $schema: z.literal('ralph.fleet-job.v1'),
  /** Version of ralph; `decider` is the version of its deciding code. A worker with another version refuses the job. */
  version: z.string(),
  decider: z.number(),
  run: z.string(),
  /** SHA-256 of the commands that you approved on the offering machine. A worker runs no other commands. */
  commands: z.string(),
  /** Public keys of machines whose results are accepted. */
  workers: z.array(z.string()),
  /** Short name of the branch that results land on; `null`: HEAD is detached. */
  branch: z.nullable(z.string()),
  agent: z.string(),
  /** Time limit in seconds by class of machine, for classes whose limit differs from that in `facts`. */
  timeouts: z.record(z.string(), z.number()),
  facts: z.object({
    ...z.pick(FactSections.shape.attempt, {
      task: true,
      taskState: true,
      iteration: true,
      attempt: true,
      timeoutSeconds: true,
      settings: true,
    }).shape,
    promptText: z.string(),
    limits: Limits,
    budget: AttemptBudget,
  }),
});
export type FleetJob = z.infer<typeof FleetJob>;

export const RanFacts = FactSections.shape.agent;
export type RanFacts = z.infer<typeof RanFacts>;

/** A worker's report about an attempt. The machine that offered the job makes all decisions. */
export const FleetResult = z.object({
  $schema: z.literal('ralph.fleet-result.v1'),
  /** Commit of the job. `record`: commit with the agent's output; '' within that record itself. */
  job: z.string(),
  record: z.string(),
  worker: z.string(),
  host: z.string(),
  /** Times are ISO 8601 UTC, by the worker's clock. */
  began: z.string(),
  ended: z.string(),
  facts: RanFacts,
  commits: z.array(z.object({ id: z.string(), subject: z.string(), body: z.string(), patch: z.string() })),
  /** Git repositories inside the work. Their git folders stay on the worker, at `HOST:/PATH`. */
  repositories: z.array(z.pick(InnerRepository, { path: true, kept: true, leadsTo: true })),
  /**
   * Commits of submodules. The record has a file for each that isn't too large, with all objects that the commit
   * `known` lacks.
   */
  submodules: z.array(z.object({ path: z.string(), commit: z.string(), known: z.nullable(z.string()) })),
});
export type FleetResult = z.infer<typeof FleetResult>;

export type AwayAttempt = Omit<Offer, 'document'> & {
  /**
   * Returns the `FleetJob` as text, with current terms: a job that waits is offered again once you enroll another
   * worker.
   */
  readonly document: () => string;
  readonly iteration: number;
  readonly agent: string;
  readonly stop: StopSignal;
  /** Milliseconds that the agent may take to end once it is asked to. */
  readonly graceMs: number;
  /**
   * The task. Earlier attempts in `cutOff` (iteration numbers) have an unknown end: if a worker delivered or still
   * makes one, it isn't made again.
   */
  readonly task: Task;
  readonly cutOff: readonly number[];
  /** Called for each lost attempt, with the number of attempts lost before. */
  readonly onLost: (count: number) => void;
};

/** End of an attempt in the fleet. `why`: reason for having no delivery; one that arrives later is ignored. */
export type AwayEnd = { readonly lost: readonly LostAttempt[] } & (
  | {
      readonly kind: 'delivered';
      readonly tree: string;
      /** The attempt's `FleetResult`, written as text. */
      readonly document: string;
      readonly files: RecordFiles;
      /** You cancelled the attempt; its usage counts. */
      readonly isCancelled: boolean;
      /**
       * Iteration that offered the attempt on another base, and whose end wasn't seen; `null`: the current one offered
       * it.
       */
      readonly earlier: Earlier | null;
    }
  | { readonly kind: 'none'; readonly why: 'stopped' | 'cancelled' | 'limited' | 'superseded' }
);

/** `baseTree`: tree of the base alone; `before`: tree of the base with the task's earlier work. */
export type Earlier = {
  readonly iteration: number;
  readonly claim: string;
  readonly baseTree: string;
  readonly before: string;
};

/**
 * An attempt that a worker began and then lost. `document`: `FleetResult` as text; `null`: the worker's record hasn't
 * arrived.
 */
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

export interface Away {
  readonly remote: string;
  terms(): Pick<FleetJob, 'commands' | 'workers'>;
  /** Lets a worker make the attempt. @throws GitError if the delivery is incomplete. */
  attempt(attempt: AwayAttempt): Promise<AwayEnd>;
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
  moved(moves: readonly RefMove[]): void;
}

export const WHY_WAITING = {
  paused: 'the fleet is paused (ralph fleet resume)',
  held: 'the account is at its limit',
  no_worker: 'no worker has that agent and these labels',
  busy: 'all workers for it are at work',
  starting: 'about to start',
} as const;
