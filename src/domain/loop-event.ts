import type { AgentEvent } from './agent.ts';
import type { GateJudgement, GateResult } from './gate.ts';
import type { InterventionType, StopScope } from './intervention.ts';
import type { CommitsTakenBack } from './ports/git.ts';
import type { ShownEdit } from './records/edits.ts';
import type { JournalBodyOf } from './records/journal.ts';
import type { Explained } from './records/marks.ts';
import type { RunEnding } from './records/run-ending.ts';
import type { SetAside } from './records/series.ts';
import type { Unavailable } from './records/state.ts';
import type { ReviewMode } from './review.ts';
import type { Verdict } from './verdict.ts';

/** One thing that was checked. With an `error`, a run would refuse. */
export type Checked = {
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly title: string;
  /** What was seen; may be empty. */
  readonly detail: string;
  /** How to fix it: a command to paste or an instruction; `null` only where nothing needs it. */
  readonly mend: string | null;
};

/** What the loop reports while it runs; one exhaustive printer per output (`io/ui`). */
export type LoopEvent =
  /** What was checked before the run, and is worth knowing. */
  | { readonly kind: 'preflight'; readonly findings: readonly Checked[] }
  /** What isolates the programs of the run; `outside`: gates that you run outside of it. */
  | { readonly kind: 'box_planned'; readonly line: string; readonly outside: readonly string[] }
  | {
      readonly kind: 'run_started';
      readonly run: string;
      readonly agent: string;
      readonly mode: string;
      readonly tracker: string;
      readonly tasks: RunResult['tasks'];
    }
  /** How an agent's actions are reviewed from now on; `how`: the transport of its hook, or why there is none. */
  | {
      readonly kind: 'review_planned';
      readonly agent: string;
      readonly mode: ReviewMode;
      readonly how: string;
    }
  /** Your guidance reached the agent while it works. */
  | { readonly kind: 'guidance_sent'; readonly agent: string; readonly text: string }
  | { readonly kind: 'warning'; readonly message: string }
  /** Marks of the tracker that count from now on. */
  | { readonly kind: 'tasks_accepted'; readonly tasks: readonly Explained[] }
  /** What you edited while an attempt ran; `waiting`: tasks whose edits you have to accept, `settings`: settings, too. */
  | {
      readonly kind: 'edits_seen';
      readonly edits: readonly ShownEdit[];
      readonly waiting: readonly string[];
      readonly settings: boolean;
    }
  /** `without`: a task whose work was just taken out of the tree; `null`: the run begins. */
  | {
      readonly kind: 'baseline_started';
      readonly gates: readonly string[];
      readonly without: string | null;
    }
  | { readonly kind: 'baseline_finished'; readonly results: readonly GateResult[] }
  | {
      readonly kind: 'iteration_started';
      readonly iteration: number;
      readonly taskId: string;
      readonly title: string;
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly agent: string;
      readonly timeoutSeconds: number;
      readonly timeoutReason: string;
    }
  /** `action`: one short line for a tool call, `null` for other events. */
  | { readonly kind: 'agent_event'; readonly event: AgentEvent; readonly action: string | null }
  | { readonly kind: 'agent_finished'; readonly durationMs: number; readonly filesChanged: number }
  | { readonly kind: 'gates_started'; readonly gates: readonly string[] }
  | { readonly kind: 'gates_finished'; readonly judgements: readonly GateJudgement[] }
  | {
      readonly kind: 'iteration_finished';
      readonly iteration: number;
      readonly taskId: string;
      readonly verdict: Verdict;
      readonly cause: string;
      readonly filesChanged: number;
      readonly durationMs: number;
      readonly blocked: boolean;
      /** Relative to the repository. */
      readonly folder: string;
    }
  | { readonly kind: 'committed'; readonly taskId: string; readonly commit: string; readonly paths: number }
  /** `automatic`: without being asked. */
  | ({ readonly kind: 'task_unblocked' } & Readonly<
      Omit<JournalBodyOf<'task_unblocked'>, 'type' | 'marked' | 'fresh'>
    >)
  /** Nothing is done until then, as no agent can work; `until` in ISO 8601 UTC, as are the times in `reason`. */
  | {
      readonly kind: 'waiting';
      readonly agent: string;
      readonly cause: Unavailable['kind'];
      readonly reason: string;
      readonly until: string;
    }
  | {
      readonly kind: 'waited';
      readonly agent: string;
      readonly durationMs: number;
      /** You stopped it; else the time was over, or the state of the agents changed. */
      readonly stopped: boolean;
    }
  /** Another agent than before works from now on. `reason`: why, with times in ISO 8601 UTC. */
  | {
      readonly kind: 'agent_switched';
      readonly agent: string;
      readonly from: string;
      readonly reason: string;
    }
  /** What is done about the findings of an attempt. */
  | {
      readonly kind: 'intervention';
      readonly iteration: number;
      readonly taskId: string;
      readonly type: Exclude<InterventionType, 'emergency_stop'>;
      readonly issue: string;
    }
  | {
      readonly kind: 'rolled_back';
      readonly taskId: string;
      readonly checkpoint: string;
      readonly kept: string;
      readonly paths: number;
    }
  /** What a task changed that ended undone is out of the work tree. */
  | {
      readonly kind: 'set_aside';
      readonly taskId: string;
      readonly setAside: SetAside;
      /** Paths that you changed since the work began; they stayed. */
      readonly yours: readonly string[];
      /** What changed in submodules, which stays. */
      readonly left: readonly string[];
      readonly commits: CommitsTakenBack;
      /** Relative to `.ralph/`. */
      readonly patch: string;
    }
  /** A task begins with the work that was set aside, or without it where it doesn't apply any more. */
  | {
      readonly kind: 'taken_up';
      readonly taskId: string;
      readonly checkpoint: string;
      readonly applied: boolean;
      readonly paths: number;
    }
  | {
      readonly kind: 'incident';
      readonly id: string;
      readonly taskId: string;
      readonly scope: StopScope;
      readonly summary: string;
      readonly path: string;
    }
  | { readonly kind: 'run_finished'; readonly result: RunResult };

/** How a run ended, for the summary, the JSON envelope and the exit code. */
export type RunResult = {
  readonly run: string;
  readonly ending: RunEnding;
  readonly exitCode: number;
  /** One sentence: why it ended. */
  readonly reason: string;
  readonly durationMs: number;
  readonly iterations: number;
  readonly tasks: {
    readonly total: number;
    readonly done: number;
    readonly unverified: number;
    readonly blocked: number;
    readonly open: number;
  };
  readonly doneInRun: readonly { readonly id: string; readonly title: string }[];
  /** Tasks that are not done, each with the reason and the next command. */
  readonly unfinished: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly why: string;
    readonly next: string;
    /** Checkpoint of its work that is out of the tree; `null`: there is none. */
    readonly setAside: string | null;
    /** What to do about a blocked task (`[unblock] auto_suggest`); `null` for the others. */
    readonly strategy: string | null;
    /** The recovery plan of a task that waits for you because its rollback is impossible; else none. */
    readonly recovery: readonly string[];
  }[];
  /** Verified work that isn't committed although it was to be: why, and the command that does it. */
  readonly notCommitted: readonly { readonly id: string; readonly why: string; readonly next: string }[];
  /** What you edited of the task list, the settings and the prompts while the run was at work. */
  readonly edits: readonly ShownEdit[];
  /** Other paths that changed while an attempt ran, by no action of the agent: they count as yours. */
  readonly yours: readonly string[];
  /** Uncommitted work of yours that attempts undid: what was put back, the first paths of many, and what is kept. */
  readonly undoneWork: {
    readonly putBack: readonly string[];
    readonly count: number;
    readonly kept: readonly { readonly path: string; readonly checkpoint: string }[];
  };
  /** Settings that protect are among it: they need your approval before the next run. */
  readonly settingsToApprove: boolean;
  /** Gates that failed before, and fail on the tree as it is. */
  readonly redGates: readonly string[];
  readonly liesCaught: number;
  /** Commands that decide for you and were refused, as they were called from inside of an attempt. */
  readonly commandsRefused: number;
  /** Actions of agents that the review denied: how many, how many of these had begun by then, and in which iterations. */
  readonly deniedActions: {
    readonly count: number;
    readonly begun: number;
    readonly iterations: readonly number[];
  };
  /** Agents whose hook wasn't in force: what they did was seen only once started. */
  readonly gateLost: readonly { readonly agent: string; readonly why: string }[];
  readonly tokens: number;
  readonly costUsd: number | null;
  /** Commands to run next. */
  readonly next: readonly string[];
};
