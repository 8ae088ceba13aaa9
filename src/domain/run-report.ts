import type { ReviewSummary } from 'ralph-actions/forms/record';
import type { RunEnding } from './exit.ts';
import type { OffGate } from './gate.ts';
import type { Cost } from './policy.ts';
import type { ProverScore } from './prover.ts';
import type { PushResult } from './push.ts';
import type { InterventionEvent } from './records/event.ts';
import type { RunEnd } from './records/run-record.ts';
import type { TaskWork } from './records/run-summary.ts';
import type { Failing } from './records/state.ts';
import type { BlockedAction } from './review.ts';
import type { AgentRetries } from './service.ts';
import type { Spent } from './spend.ts';
import type { TaskStatus } from './task.ts';
import type { WaitingResult, WorkPlace } from './work-place.ts';
import type { WorkflowScore } from './workflow/roles.ts';

export type RunReport = {
  readonly run: string;
  /** All runs in the report, oldest first; `run` is the newest. */
  readonly runs: readonly string[];
  readonly agent: string;
  readonly mode: string;
  /** Start of the run, ISO 8601 UTC. */
  readonly startedAt: string;
  /** End of the run, ISO 8601 UTC; `null`: it hasn't ended. For a killed run, the time of its last sign of life. */
  readonly endedAt: string | null;
  /** How the run ended; `null`: it hasn't ended. */
  readonly ending: RunEnding | null;
  /** Exit code; `null`: the run hasn't ended, or was killed. */
  readonly endedWith: number | null;
  readonly reason: string;
  /** The most important fact: how many tasks are done, or what stopped the run early. */
  readonly headline: string;
  readonly counts: string;
  readonly durationMs: number;
  /**
   * Milliseconds of each part of `durationMs`. `checksMs`: gates and other work on attempts; `waitedMs`: waits for a
   * fleet worker and for a turn at the gates; `otherMs`: other waits, and time between attempts.
   */
  readonly time: {
    readonly agentMs: number;
    readonly checksMs: number;
    readonly waitedMs: number;
    readonly otherMs: number;
  };
  /**
   * Gain from several workers; `null`: one worker, no work, or no end. `factor`: time of attempts, without waits and
   * conflicts, divided by `durationMs`.
   */
  readonly speedUp: {
    readonly workers: number;
    readonly workMs: number;
    readonly factor: number;
    readonly conflicts: number;
    readonly lostMs: number;
  } | null;
  readonly iterations: number;
  readonly tasks: {
    readonly total: number;
    readonly done: number;
    readonly unverified: number;
    readonly blocked: number;
    readonly open: number;
  };
  readonly tree: TreeReport;
  readonly doneInRun: readonly DoneTask[];
  readonly unfinished: readonly UnfinishedTask[];
  readonly notCommitted: readonly WaitingResult[];
  /** Result of the newest push; `null`: no push was requested. */
  readonly push: Omit<PushResult, 'run'> | null;
  readonly liesCaught: number;
  readonly falseClaims: readonly { readonly taskId: string; readonly count: number }[];
  /** Number of refused commands: an attempt called them although they decide for you. */
  readonly commandsRefused: number;
  /** Hosts that were requested in a box but aren't listed, by the key of `[box]` that would allow them. */
  readonly refusedHosts: readonly RefusedHosts[];
  /** Number of agents' commands that your own hook changed after ralph's review. */
  readonly commandsRewritten: number;
  /** A sentence about each of your rules that failed. */
  readonly failedRules: readonly string[];
  /** A sentence for each channel that a message to you, or an answer of yours, didn't get through on. */
  readonly unreachable: readonly string[];
  /** A sentence for each sign-in that changed in the box and wasn't copied back. */
  readonly signInsKept: readonly string[];
  /** Gates of the run if none of them could judge the work; empty: one could, or there were none. */
  readonly unchecked: readonly OffGate[];
  /**
   * A sentence about files that gates build again each time, with the key that avoids this; `null`: there are none, or
   * a newer run reports them.
   */
  readonly builtAnew: string | null;
  /** Results of the review of actions. `blockedActions`: the newest blocked ones. */
  readonly reviewSummary: ReviewSummary;
  readonly blockedActions: readonly BlockedAction[];
  readonly deniedActions: {
    readonly count: number;
    readonly begun: number;
    readonly iterations: readonly number[];
  };
  readonly gateLost: Readonly<RunEnd['gateLost']>;
  /** Requests that agents' programs repeated because a service didn't answer. */
  readonly retried: readonly AgentRetries[];
  readonly spent: Spent;
  /** Limits of the budget, and costs so far; `null`: no limit is set, or a newer run reports them. */
  readonly budget: { readonly limits: Cost; readonly spent: Cost } | null;
  /** Time and usage per verified task, with failed attempts; `null`: no task was verified. */
  readonly perVerifiedTask: {
    readonly durationMs: number;
    readonly spent: Spent;
  } | null;
  /** Results of the prover, the agent that writes checks; `null`: it wasn't asked. */
  readonly prover: ProverScore | null;
  /** Results of the roles beside the maker; empty: makers worked alone. */
  readonly roles: readonly (Omit<WorkflowScore['roles'][number], 'role'> & {
    readonly role: string;
    readonly agents: readonly string[];
    readonly spent: Spent;
  })[];
  /** Number of WARNINGs about accepted work that were left open. */
  readonly deferredWarnings: number;
  readonly proposals: readonly {
    readonly id: string;
    readonly taskId: string;
    readonly titles: readonly string[];
  }[];
  readonly next: readonly string[];
};

/** Hosts that a box refused, as they have to be written in `[box]`. */
export type RefusedHosts = {
  readonly setting: 'network' | 'gate_network';
  readonly hosts: readonly string[];
};

export function refusedHosts(events: readonly InterventionEvent[]): RefusedHosts[] {
  const refused = events.filter(({ event_type }) => event_type === 'host_refused');
  return (['network', 'gate_network'] as const).flatMap((setting) => {
    const entries = refused.filter(({ details }) => details.setting === setting);
    const hosts = [...new Set(entries.map(({ details }) => String(details.entry)))];
    return hosts.length === 0 ? [] : [{ setting, hosts }];
  });
}

/** Returns a line for `[box]` that adds these hosts to the listed ones. */
export function allowingLine({ setting, hosts }: RefusedHosts): string {
  return `${setting} = [..., ${hosts.map((host) => JSON.stringify(host)).join(', ')}]`;
}

/** Result of gates on the work tree. `unknown`: there are no gates, they haven't run, or they ran no test. */
export type TreeReport = {
  readonly state: 'green' | 'red' | 'unknown';
  readonly passing: readonly string[];
  readonly failing: readonly string[];
  /** Test results by gate, such as `12 tests: 12 passed; coverage 85.3 %`. */
  readonly tests: readonly { readonly gate: string; readonly reported: string }[];
  readonly empty: readonly string[];
};

type Worked =
  | 'attempts'
  | 'conflicts'
  | 'durationMs'
  | 'falseClaims'
  | 'commits'
  | 'branch'
  | 'signs'
  | 'grade'
  | 'mutants'
  | 'criteria';
/** A done task, with what its work took in all runs of the report. */
export type DoneTask = Readonly<Pick<TaskWork, Worked>> & {
  readonly id: string;
  readonly title: string;
  /** Current status, which you may have changed since; `null`: the task is no longer in the list. */
  readonly status: TaskStatus | null;
  readonly spent: Spent;
};

export type UnfinishedTask = {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  /** `you`: the task waits for you; `attempted`: the next run continues it; `not_started`: it never had an attempt. */
  readonly group: 'you' | 'attempted' | 'not_started';
  /** Cause on one line, with times in ISO 8601 UTC. */
  readonly why: string;
  /** Output that shows why the last attempt failed; `null`: there is none. */
  readonly failing: Failing | null;
  /** Ids of earlier tasks of the report with the same cause. */
  readonly sameAs: readonly string[];
  readonly work: WorkPlace;
  readonly next: string;
  readonly waitsFor: readonly string[];
  /** Steps that you can choose from, if a needed rollback is impossible; otherwise empty. */
  readonly recovery: readonly string[];
};
