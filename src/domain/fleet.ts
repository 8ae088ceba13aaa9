import type { Coordinator, WhyWaiting } from 'ralph-fleet/jobs';
import * as z from 'zod/mini';
import { InnerRepository } from './change-set.ts';
import { Limits } from './intervention.ts';
import { AttemptBudget } from './policy.ts';
import { FactSections } from './records/iteration.ts';

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

/** The coordination of a run's attempts on workers, with the terms that its jobs are offered on. */
export interface RemoteWorkers extends Coordinator {
  terms(): Pick<FleetJob, 'commands' | 'workers'>;
  /** Asks whether another run lands the results by now; false where the engine can't be asked. */
  isTakenOver(): Promise<boolean>;
}

export const WHY_WAITING = {
  paused: 'the fleet is paused (ralph fleet resume)',
  held: 'the account is at its limit',
  no_worker: 'no worker has that agent and these labels',
  busy: 'all workers for it are at work',
  starting: 'about to start',
} as const satisfies Record<WhyWaiting, string>;
