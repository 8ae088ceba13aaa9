import * as z from 'zod/mini';
import { InnerRepository } from './change-set.ts';
import { Limits } from './intervention.ts';
import { AttemptBudget } from './policy.ts';
import type { FleetRemote, Offer, RecordFiles } from './ports/fleet.ts';
import type { RefMove, StopSignal } from './ports.ts';
import { FactSections } from './records/iteration.ts';
import type { Task } from './task.ts';

/** What a worker is asked for: what an attempt begins with, beside the trees. */
export const FleetJob = z.object({
  $schema: z.literal('ralph.fleet-job.v1'),
  /** Of the ralph that decides, and of its deciding code: a worker of another version makes no attempt. */
  version: z.string(),
  decider: z.number(),
  run: z.string(),
  /** What the repository's configuration runs, as it was accepted where the job comes from: a worker runs nothing else. SHA-256. */
  commands: z.string(),
  /** Public keys of the machines whose results count. */
  workers: z.array(z.string()),
  /** Short name of the branch that results land on; `null`: HEAD is detached. */
  branch: z.nullable(z.string()),
  /** Name of the agent, as the configuration calls it. */
  agent: z.string(),
  /** Time limits in seconds by the class of the worker's machine, where attempts on such ones taught another than that of `facts`. */
  timeouts: z.record(z.string(), z.number()),
  facts: z.object({
    ...z.pick(FactSections.shape.attempt, { task: true, taskState: true, iteration: true }).shape,
    ...z.pick(FactSections.shape.attempt, { attempt: true, timeoutSeconds: true, settings: true }).shape,
    ...{ promptText: z.string(), limits: Limits, budget: AttemptBudget },
  }),
});
export type FleetJob = z.infer<typeof FleetJob>;

/** What was seen of an attempt by who ran its agent. */
export const RanFacts = FactSections.shape.agent;
export type RanFacts = z.infer<typeof RanFacts>;

/** What a worker says of an attempt. It decides nothing: that is done by who offered it. */
export const FleetResult = z.object({
  $schema: z.literal('ralph.fleet-result.v1'),
  /** Commits: the job, and the record that holds what the agent printed; '' in the record itself. */
  job: z.string(),
  record: z.string(),
  worker: z.string(),
  host: z.string(),
  /** ISO 8601 UTC, by the worker's clock. */
  began: z.string(),
  ended: z.string(),
  facts: RanFacts,
  /** What the agent committed in its copy. */
  commits: z.array(z.object({ id: z.string(), subject: z.string(), body: z.string(), patch: z.string() })),
  /** Repositories in the work, whose git folders stay on the worker: `HOST:/PATH`. */
  repositories: z.array(z.pick(InnerRepository, { path: true, kept: true, leadsTo: true })),
  /** Commits of submodules; the record has a file for each that isn't too large. `known`: what such a file builds on. */
  submodules: z.array(z.object({ path: z.string(), commit: z.string(), known: z.nullable(z.string()) })),
});
export type FleetResult = z.infer<typeof FleetResult>;

/** An attempt that is to be made by a worker of the fleet. */
export type AwayAttempt = Omit<Offer, 'document'> & {
  /** `FleetJob` as text, on the terms of this moment: one that waits is offered anew when you enrolled another worker. */
  readonly document: () => string;
  readonly iteration: number;
  readonly agent: string;
  readonly stop: StopSignal;
  /** How long its agent may take to end once it is asked to, in milliseconds. */
  readonly graceMs: number;
  /** The task as it is now, and its attempts whose end wasn't seen: one of them that is delivered or at work isn't made again. */
  readonly task: Task;
  readonly cutOff: readonly number[];
  /** Called whenever another attempt of it is lost, with how many were until then. */
  readonly onLost: (count: number) => void;
};

/** What became of it. `why`: nothing was delivered, and what comes later counts for nothing. */
export type AwayEnd = { readonly lost: readonly LostAttempt[] } & (
  | {
      readonly kind: 'delivered';
      readonly tree: string;
      /** `FleetResult` as text. */
      readonly document: string;
      readonly files: RecordFiles;
      /** You cancelled it; what it used counts. */
      readonly isCancelled: boolean;
      /** It was offered in an earlier iteration whose end wasn't seen, on another base; `null`: it is what was offered now. */
      readonly earlier: Earlier | null;
    }
  | { readonly kind: 'none'; readonly why: 'stopped' | 'cancelled' | 'limited' | 'superseded' }
);

/** `baseTree` and `before`: trees that the attempt began with, of the base alone and with what the task had of its own. */
export type Earlier = {
  readonly iteration: number;
  readonly claim: string;
  readonly baseTree: string;
  readonly before: string;
};

/** An attempt that a worker had begun and lost; `document`: `FleetResult` as text, `null`: its record hasn't come. */
export type LostAttempt = { readonly claim: string; readonly document: string | null };

/** `result`: the commit that its task's ref holds; `unknown`: the key of a machine that isn't enrolled here. */
export type FoundDelivery = {
  readonly iteration: number;
  readonly result: string;
  readonly unknown: string | null;
};

/** The workers of a fleet, as the loop uses them. */
export interface Away {
  /** The git remote where its machines meet, as git calls it. */
  readonly remote: string;
  /** On which terms workers get jobs. */
  terms(): Pick<FleetJob, 'commands' | 'workers'>;
  /** Has an attempt made. @throws GitError where what was delivered isn't whole. */
  attempt(attempt: AwayAttempt): Promise<AwayEnd>;
  /** Attempts at these tasks that were delivered and whose refs don't say that they landed. @throws GitError */
  delivered(taskIds: readonly string[]): Promise<ReadonlyMap<string, FoundDelivery>>;
  /** One of these is the task's result, which was taken before this run and is kept here. */
  keep(taskId: string, result: string): void;
  /** A worker met a limit of an agent's account, and lets no other one start with it until `limits` says for how long. */
  met(agent: string): void;
  /** For how many milliseconds from now on no worker may start with an agent, by agents; 0: they may. Attempts that none is at are taken back. */
  limits(now: ReadonlyMap<string, number>): Promise<void>;
  /** Deletes what is over and needed no more on the remote, as `FleetRemote.prune` does; `landed`: tasks whose results did. @throws GitError */
  prune(
    gone: Omit<Parameters<FleetRemote['prune']>[0], 'results'> & { readonly landed: ReadonlySet<string> },
  ): Promise<number>;
  /** How the refs of tasks move together with the branch; `landed`: commits by tasks. */
  landings(landed: ReadonlyMap<string, string>): readonly RefMove[];
  /** What was taken of a task holds nothing that could land: it doesn't stand on the remote as if it could. */
  drop(taskId: string): Promise<void>;
  /** These have moved. */
  moved(moves: readonly RefMove[]): void;
}

/** Why jobs of a queue wait, as the rest of a sentence. */
export const WHY_WAITING = {
  paused: 'the fleet is paused (ralph fleet resume)',
  held: 'the account is at its limit',
  no_worker: 'no worker has that agent and these labels',
  busy: 'all workers for it are at work',
  starting: 'about to start',
} as const;
