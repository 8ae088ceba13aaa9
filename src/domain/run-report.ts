import type { ReviewSummary } from '../lib/actions/review-record.ts';
import type { CriterionOnRecord } from './claim.ts';
import type { RunEnding } from './exit.ts';
import type { OffGate } from './gate.ts';
import type { Cost } from './policy.ts';
import type { Grade } from './proof.ts';
import type { MutantCounts } from './proof-run.ts';
import type { ProverScore } from './prover.ts';
import type { PushResult } from './push.ts';
import type { InterventionEvent } from './records/event.ts';
import type { Failing } from './records/state.ts';
import type { BlockedAction } from './review.ts';
import type { Spent } from './spend.ts';
import type { TaskStatus } from './task.ts';
import type { WorkPlace } from './work-place.ts';

/** Why a task is not done that is ticked; as the end of a sentence. */
export const UNVERIFIED = "ralph hasn't verified it and you haven't committed the tick";

/** What a run did and what is left, for the screen, the JSON envelope and Markdown. */
export type RunReport = {
  readonly run: string;
  /** All runs that it covers, oldest first; `run` is the newest of them. */
  readonly runs: readonly string[];
  readonly agent: string;
  readonly mode: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  /** `null`: it didn't end yet; of a run that was cut off, when it was last heard of. */
  readonly endedAt: string | null;
  /** `null`: it is running. */
  readonly ending: RunEnding | null;
  /** The exit code of the run; `null`: it is running, or was cut off. */
  readonly endedWith: number | null;
  /** Sentences: why it ended. */
  readonly reason: string;
  /** What you want to know first: how much is done, or what stopped the run before it was. */
  readonly headline: string;
  /** How many tasks are done, need you, and are left, as a sentence. */
  readonly counts: string;
  readonly durationMs: number;
  /**
   * Agents at work; gates and all else of attempts; their waits for a worker of the fleet and for a turn at the gates; and of `durationMs` the waits and the time
   * between attempts.
   */
  readonly time: {
    readonly agentMs: number;
    readonly checksMs: number;
    readonly waitedMs: number;
    readonly otherMs: number;
  };
  /**
   * What several workers gained: the time that attempts took which weren't lost to a conflict, as many times `durationMs`, and what was
   * lost; `null`: there was one worker, no agent was at work, or it isn't known when it ended.
   */
  readonly speedUp: {
    readonly workers: number;
    readonly workMs: number;
    readonly factor: number;
    readonly conflicts: number;
    readonly lostMs: number;
  } | null;
  readonly iterations: number;
  /** All tasks of the list, as they are now. */
  readonly tasks: {
    readonly total: number;
    readonly done: number;
    readonly unverified: number;
    readonly blocked: number;
    readonly open: number;
  };
  /** Whether the gates pass on the tree. */
  readonly tree: TreeReport;
  readonly doneInRun: readonly DoneTask[];
  /** Tasks that are not done, each with the reason and the next command. */
  readonly unfinished: readonly UnfinishedTask[];
  /** Verified work that waits: why, and the command that lands it. */
  readonly notCommitted: readonly WaitingResult[];
  /** What became of the newest push; `null`: none was asked for. */
  readonly push: Omit<PushResult, 'run'> | null;
  readonly liesCaught: number;
  /** The tasks of which the agent claimed completion although that wasn't so, and how often. */
  readonly falseClaims: readonly { readonly taskId: string; readonly count: number }[];
  /** Commands that decide for you and were refused, as they were called from inside of an attempt. */
  readonly commandsRefused: number;
  /** Hosts that were asked for in a box and aren't listed: what has to be added to which key of `[box]`. */
  readonly refusedHosts: readonly RefusedHosts[];
  /** Commands of agents that a hook of yours changed after their review. */
  readonly commandsRewritten: number;
  /** Rules of yours that failed, a sentence each. */
  readonly failedRules: readonly string[];
  /** Sign-ins of agents that changed in the box and were not carried back, each as a sentence. */
  readonly signInsKept: readonly string[];
  /** The gates of the run, where none of them checked it; empty: one did, or there is none. */
  readonly unchecked: readonly OffGate[];
  /** What gates build anew each time, and the key that spares it, as a sentence; `null`: nothing, or a newer run goes by it. */
  readonly builtAnew: string | null;
  /** What became of the agents' actions, and those that were blocked, the newest of them. */
  readonly reviewSummary: ReviewSummary;
  readonly blockedActions: readonly BlockedAction[];
  /** Actions of agents that the review denied: how many, how many of these had begun by then, and in which iterations. */
  readonly deniedActions: {
    readonly count: number;
    readonly begun: number;
    readonly iterations: readonly number[];
  };
  /** Agents whose hook wasn't in force: what they did was seen only once started. */
  readonly gateLost: readonly { readonly agent: string; readonly why: string }[];
  /** What its attempts used. */
  readonly spent: Spent;
  /** What the work may cost, and has cost so far; `null`: there is no budget, or a newer run goes by it. */
  readonly budget: { readonly limits: Cost; readonly spent: Cost } | null;
  /** All that its attempts took, failed ones included, for each task that it verified; `null`: it verified none. */
  readonly perVerifiedTask: {
    readonly durationMs: number;
    readonly spent: Spent;
  } | null;
  /** What the prover did, and what it cost; `null`: none was asked. */
  readonly prover: ProverScore | null;
  /** What the roles beside the makers did; empty: makers worked alone. */
  readonly roles: readonly {
    readonly role: string;
    /** The agents that took it. */
    readonly agents: readonly string[];
    readonly runs: number;
    /** Reviews that failed. */
    readonly failed: number;
    readonly findings: number;
    /** Findings that a later review of the task no longer had. */
    readonly resolved: number;
    /** Iterations in which it showed its shadow. */
    readonly shadows: number;
    /** Runs in which it wrote to its copy of the work tree. */
    readonly wrote: number;
    readonly spent: Spent;
  }[];
  /** WARNINGs of accepted work that were put off. */
  readonly deferredWarnings: number;
  /** Tasks that agents proposed in it, and that still wait for your yes. */
  readonly proposals: readonly {
    readonly id: string;
    readonly taskId: string;
    readonly titles: readonly string[];
  }[];
  /** Commands to run next. */
  readonly next: readonly string[];
};

/** That nothing checks a run, or checked it, and why; `null`: something does, or there are no gates. */
export function uncheckedText(gates: readonly OffGate[], isOver: boolean): string | null {
  if (gates.length === 0) return null;
  const named = (why: OffGate['why']) => gates.filter((one) => one.why === why).map(({ gate }) => gate);
  const [fails, missing] = [named('fails'), named('cannot_run')];
  const fail = isOver ? 'failed' : fails.length === 1 ? 'already fails' : 'already fail';
  const whys = [
    ...(fails.length === 0 ? [] : [`${fails.join(', ')} ${fail} before it`]),
    ...(missing.length === 0 ? [] : [`${missing.join(', ')} ${isOver ? "couldn't" : "can't"} run`]),
  ];
  return `Nothing ${isOver ? 'checked' : 'checks'} this run: ${whys.join(', ')}. See why: ralph gates`;
}

/** `hosts` as they have to be written. */
export type RefusedHosts = {
  readonly setting: 'network' | 'gate_network';
  readonly hosts: readonly string[];
};

/** What was refused, by the events that say so. */
export function refusedHosts(events: readonly InterventionEvent[]): RefusedHosts[] {
  const refused = events.filter(({ event_type }) => event_type === 'host_refused');
  return (['network', 'gate_network'] as const).flatMap((setting) => {
    const entries = refused.filter(({ details }) => details.setting === setting);
    const hosts = [...new Set(entries.map(({ details }) => String(details.entry)))];
    return hosts.length === 0 ? [] : [{ setting, hosts }];
  });
}

/** The line of `[box]` that allows them: what is listed stays. */
export function allowingLine({ setting, hosts }: RefusedHosts): string {
  return `${setting} = [..., ${hosts.map((host) => JSON.stringify(host)).join(', ')}]`;
}

/** `unknown`: there are no gates, they haven't run yet, or they ran no test. */
export type TreeReport = {
  readonly state: 'green' | 'red' | 'unknown';
  readonly passing: readonly string[];
  readonly failing: readonly string[];
  /** What gates report of their tests: `12 tests: 12 passed; coverage 85.3 %`. */
  readonly tests: readonly { readonly gate: string; readonly reported: string }[];
  /** Gates that ran no test: they show nothing. */
  readonly empty: readonly string[];
};

export type DoneTask = {
  readonly id: string;
  readonly title: string;
  /** As it is now: you may have opened it again; `null`: it isn't in the list any more. */
  readonly status: TaskStatus | null;
  /** Without those that an outage, a limit, you or another task's work ended. */
  readonly attempts: number;
  readonly conflicts: number;
  readonly durationMs: number;
  readonly spent: Spent;
  readonly falseClaims: number;
  /** Oldest first; empty: it isn't committed. */
  readonly commits: readonly string[];
  /** A branch of ralph's on which they are; `null`: the one that is checked out. */
  readonly branch: string | null;
  /** Signs of avoided work in its change, for you to look at: they were too few to keep it from being done. */
  readonly signs: readonly string[];
  /** How well it is shown that it works. */
  readonly grade: Grade;
  /** Small mistakes in its changed lines, and how many of them its gates noticed; `null`: none were made. */
  readonly mutants: MutantCounts | null;
  /** How its acceptance criteria stood when it was verified. */
  readonly criteria: readonly CriterionOnRecord[];
};

type WaitingResult = {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly next: string;
};

export type UnfinishedTask = {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  /** `you`: it waits for you; `attempted`: the next run continues with it; `not_started`: no attempt was made. */
  readonly group: 'you' | 'attempted' | 'not_started';
  /** The cause on one line; times in ISO 8601 UTC. */
  readonly why: string;
  /** What failed its last attempt, in its own words; `null`: nothing printed says so. */
  readonly failing: Failing | null;
  /** Earlier tasks of the report that have the same cause. */
  readonly sameAs: readonly string[];
  readonly work: WorkPlace;
  /** The command that helps. */
  readonly next: string;
  /** Tasks that have to be done before it can start. */
  readonly waitsFor: readonly string[];
  /** The recovery plan of a task that waits for you because its rollback is impossible; else none. */
  readonly recovery: readonly string[];
};
