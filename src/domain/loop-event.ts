import type { AgentEvent } from './agent.ts';
import type { GateJudgement, GateResult } from './gate.ts';
import type { InterventionType, StopScope } from './intervention.ts';
import type { Cost, PolicyStop } from './policy.ts';
import type { PushResult } from './push.ts';
import type { JournalBodyOf } from './records/journal.ts';
import type { Explained } from './records/marks.ts';
import type { EnteredPhase, Unavailable } from './records/state.ts';
import type { ReviewMode } from './review.ts';
import type { RunReport } from './run-report.ts';
import type { Spent } from './spend.ts';
import type { TestComparison } from './test-results.ts';
import type { Verdict } from './verdict.ts';

/** One thing that was checked. With an `error`, a run would refuse. */
export type Checked = {
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly title: string;
  /** What was seen; may be empty. */
  readonly detail: string;
  /** How to fix it: a command to paste or an instruction; `null` only where nothing needs it. */
  readonly fix: string | null;
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
      /** `null`: the agent's own choice. */
      readonly model: string | null;
      readonly mode: string;
      /** From then on no attempt is begun; ISO 8601 UTC. */
      readonly until: string | null;
      readonly tracker: string;
      readonly tasks: RunReport['tasks'];
      readonly unchecked: RunReport['unchecked'];
      /** Failed attempts that each task may take, and iterations that the run may. */
      readonly attempts: number;
      readonly iterations: number;
      /** What the work may cost, and has cost since the budget began (ISO 8601 UTC); `null`: there is none. */
      readonly budget: { readonly limits: Cost; readonly spent: Cost; readonly since: string } | null;
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
  | { readonly kind: 'baseline_started'; readonly gates: readonly string[] }
  | { readonly kind: 'baseline_finished'; readonly results: readonly GateResult[] }
  /** `fail`: gates that a failing test fails; `unknown`: those to which none can be added. */
  | { readonly kind: 'gates_tried'; readonly fail: readonly string[]; readonly unknown: readonly string[] }
  /** A gate runs tests and passes with broken code; `made`: but not once this, which a tool made and git tracks, is broken as well. */
  | { readonly kind: 'gate_not_shown'; readonly gate: string; readonly made: readonly string[] }
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
      readonly place: PlaceInRun;
      /** Until the end of the run, by what earlier attempts took; `null`: too little is known. */
      readonly leftMs: number | null;
    }
  /** `action`: one short line for a tool call, `null` for other events. */
  | {
      readonly kind: 'agent_event';
      readonly event: AgentEvent;
      readonly action: string | null;
      /** Of the attempt so far; `null`: the agent hasn't reported any. */
      readonly tokens: number | null;
    }
  | { readonly kind: 'agent_finished'; readonly durationMs: number; readonly filesChanged: number }
  /** Roles beside the maker begin: planners one by one, reviewers together. */
  | {
      readonly kind: 'roles_started';
      readonly phase: 'plan' | 'check';
      /** With their agents, where these aren't the maker's. */
      readonly roles: readonly string[];
    }
  /** One of them has ended. */
  | { readonly kind: 'role_finished'; readonly role: string }
  | {
      readonly kind: 'roles_finished';
      readonly phase: 'plan' | 'check';
      readonly results: readonly {
        readonly role: string;
        /** `planned`, `approved`, `asks for changes (2 findings)`, `failed: …`. */
        readonly outcome: string;
      }[];
    }
  | { readonly kind: 'gates_started'; readonly gates: readonly string[] }
  /** One gate begins or is over, of the baseline too; `of`: how many run one after the other or at once. */
  | { readonly kind: 'gate_started'; readonly gate: string; readonly number: number; readonly of: number }
  | { readonly kind: 'gate_finished'; readonly gate: string }
  | {
      readonly kind: 'gates_finished';
      readonly judgements: readonly GateJudgement[];
      readonly results: readonly TestComparison[];
    }
  /** What follows once the agent is done. */
  | { readonly kind: 'phase_entered'; readonly phase: EnteredPhase['phase'] }
  | {
      readonly kind: 'iteration_finished';
      readonly iteration: number;
      readonly taskId: string;
      readonly verdict: Verdict;
      readonly cause: string;
      readonly filesChanged: number;
      readonly durationMs: number;
      readonly blocked: boolean;
      /** The model of the agent, as far as it is known, and what the attempt used. */
      readonly model: string | null;
      readonly spent: Spent;
      /** What the work may cost and has cost so far. */
      readonly budget: { readonly limits: Cost; readonly spent: Cost };
      /** Relative to the repository. */
      readonly folder: string;
    }
  | { readonly kind: 'committed'; readonly taskId: string; readonly commit: string; readonly paths: number }
  /** `automatic`: without being asked. */
  | ({ readonly kind: 'task_unblocked' } & Readonly<
      Omit<JournalBodyOf<'task_unblocked'>, 'type' | 'marked' | 'fresh'>
    >)
  /** Nothing is started until then, as no agent can be; `until` in ISO 8601 UTC, as are the times in `reason`. */
  | {
      readonly kind: 'waiting';
      readonly agent: string;
      readonly cause: Unavailable['kind'];
      readonly reason: string;
      readonly until: string;
      /** Tasks that are worked at meanwhile. */
      readonly working: number;
    }
  | {
      readonly kind: 'waited';
      readonly agent: string;
      readonly durationMs: number;
      /** You stopped it; else the time was over, or the state of the agents changed. */
      readonly stopped: boolean;
    }
  /** You paused the run; nothing is done until you continue it. `since` in ISO 8601 UTC. */
  | { readonly kind: 'paused'; readonly since: string }
  /** `continued`: you continued it; else the run ends. */
  | { readonly kind: 'unpaused'; readonly durationMs: number; readonly continued: boolean }
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
      readonly paths: number;
    }
  /** What a task changed that ended undone is out of the work tree. */
  | { readonly kind: 'set_aside'; readonly taskId: string }
  /** A task begins with the work that is kept, or without it where it doesn't apply any more. */
  | {
      readonly kind: 'taken_up';
      readonly taskId: string;
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
  /** A recovery began, continued or ended. `next`: what the coming attempt does differently; `null`: it is over. */
  | {
      readonly kind: 'recovery';
      readonly id: string;
      readonly taskId: string;
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly next: string | null;
      readonly ended: 'recovered' | 'escalated' | 'blocked' | 'reset' | null;
    }
  /** A task waits for your decision, and what became of that. */
  | { readonly kind: 'human_gate'; readonly id: string; readonly taskId: string; readonly panel: string }
  | {
      readonly kind: 'human_gate_over';
      readonly id: string;
      readonly taskId: string;
      readonly option: string;
    }
  /** The work in progress is saved and the hand-off written. */
  | {
      readonly kind: 'checkpoint_taken';
      readonly why: 'tasks' | 'time' | 'stop';
      readonly saved: string;
      readonly limits: Cost;
      readonly spent: Cost;
    }
  /** The branch was pushed, or couldn't be. */
  | { readonly kind: 'push_ended'; readonly result: PushResult }
  /** What the run may cost, and what is spent of it: at its start, and where a step of the budget is reached. */
  | {
      readonly kind: 'budget';
      readonly at: 'warn' | 'downgrade' | 'finish';
      readonly limits: Cost;
      readonly spent: Cost;
    }
  | { readonly kind: 'policy_stopped'; readonly stop: PolicyStop }
  | { readonly kind: 'run_finished'; readonly report: RunReport };

/** Which of the tasks that this run works on an attempt is for: the third of seven. */
export type PlaceInRun = { readonly number: number; readonly of: number };
