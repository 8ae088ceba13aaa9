import type { Rule } from '../actions/review/index.ts';
import type { Mode, Shortage } from '../decide/index.ts';
import type { AgentAdapter } from '../domain/agent.ts';
import type { ShownCopy } from '../domain/box/box.ts';
import type { Away } from '../domain/fleet.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { GateRequest } from '../domain/human/gate.ts';
import type { Ports, TrackerLoad } from '../domain/ports.ts';
import type { Unblocking } from '../domain/records/blocked.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import type { Workplace } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import type { Role, WorkflowKind } from '../domain/workflow/roles.ts';
import type { RunPlace, TrustedGit } from '../lib/actions/review.ts';
import type { BudgetStep } from '../respond/policy/index.ts';
import type { GatePlace } from './lab/index.ts';
import type { Ledgers } from './ledgers.ts';
import type { Turns } from './turns.ts';

/** What attempts are made with: a copy of its own, and who is on record as having made them. */
export type Worker = { readonly ports: Ports; readonly workplace: Workplace };

/** What work is judged by, whoever did it; nothing in here changes while that lasts. */
export type JudgeContext = Worker &
  GatePlace & {
    readonly run: string;
    readonly mode: Mode;
    readonly gates: readonly GateSpec[];
    /** Your home folder. */
    readonly home: string | null;
    /** Your templates for soft corrections, by issue (`[interventions] custom_prompts_path`). */
    readonly texts: Readonly<Record<string, string>>;
  };

/** What one run goes by, besides. */
export type LoopContext = JudgeContext & {
  /** All workers of the run; outside of an iteration, `ports` and `workplace` are those of the first. */
  readonly workers: readonly Worker[];
  readonly turns: Turns;
  readonly ledgers: Ledgers;
  /** The agent of the run, then those that stand in for it while it is not available. */
  readonly adapters: readonly [AgentAdapter, ...AgentAdapter[]];
  /** `null`: the maker works alone. */
  readonly workflow: WorkflowSetup | null;
  /** Writes checks of a task before its work begins; `null`: nothing does. */
  readonly prover: RoleAgent | null;
  /** How the agents' actions are reviewed; `null`: they are not. */
  readonly review: ReviewSetup | null;
  /** A private folder outside of the repository for what agents report in files; absolute. */
  readonly reportFolder: string;
  /** What isolates the programs of this run, for the screen; `outside`: gates that run outside of it. */
  readonly box: { readonly line: string; readonly outside: readonly string[] };
  /** Work at these tasks alone. */
  readonly only: readonly string[] | null;
  /** Begin no attempt from then on; ISO 8601 UTC. */
  readonly runUntil: string | null;
  /** The model that the run's agent is told to use, where there is one. */
  readonly model: string | null;
  /** `null`: so many for each of its tasks. */
  readonly maxIterations: number | null;
  /** The end of the run is worth a notification: you don't sit beside it. */
  readonly notifyEnd: boolean;
  /** Asks you whether these are done, which are ticked and not verified, until `stop`; `null` where you can't be asked. */
  readonly confirmMarks: ((tasks: readonly Task[], stop: AbortSignal) => Promise<boolean>) | null;
  /** Shows a request and asks you for a decision until `stop`, which it carries out; `null` where you can't be asked. */
  readonly askGate: ((request: GateRequest, stop: AbortSignal) => Promise<'decided' | 'left'>) | null;
  /** Who makes the attempts in the place of this machine; `null`: this machine does. */
  readonly away: Away | null;
  /** Unblock these tasks and work at them alone, at most so many attempts each (`ralph retry-blocked`). */
  readonly retry?: {
    readonly unblockings: readonly Unblocking[];
    readonly attempts: number;
    /** Without the work that is kept. */
    readonly fresh: boolean;
  };
};

/** The roles of a workflow beside the maker. */
export type WorkflowSetup = {
  readonly kind: Exclude<WorkflowKind, 'solo'>;
  readonly maxCycles: number;
  readonly agents: ReadonlyMap<Role, RoleAgents>;
};

/** Who takes a role, and who does when that one is replaced. */
export type RoleAgents = {
  readonly first: RoleAgent;
  readonly others: readonly RoleAgent[];
};

export type RoleAgent = { readonly adapter: AgentAdapter; readonly model: string | null };

export type ReviewSetup = {
  /** An agent whose actions cannot be stopped before they happen is not started. */
  readonly requireGate: boolean;
  /** A private folder outside of the repository for the gates of attempts; absolute. */
  readonly hookFolder: string;
  /** What is asked of the machine, with a copy in the place of the checkout. */
  readonly placeIn: (copy: ShownCopy) => RunPlace;
  readonly tmpdir: RunPlace['tmpdir'];
  readonly trustedGit: TrustedGit;
  /** The rules that speak, built-in and your own. */
  readonly rules: readonly Rule[];
};

export type LoadedTracker = Extract<TrackerLoad, { ok: true }>;

/** What a run carries from one step to the next. */
export type Progress = {
  readonly iterations: number;
  /** Those that count toward `max_iterations`, and attempts by task: without those that a cause outside of the work ended. */
  readonly counted: number;
  readonly attempts: ReadonlyMap<string, number>;
  /** Tasks of which this run began an attempt, in that order, with the milliseconds that went into each. */
  readonly begun: ReadonlyMap<string, number>;
  /** Name of the agent that worked last. */
  readonly agent: string;
  /** The agent, and until when, of which you were told that a start waits for it; `null`: of none. */
  readonly awaited: string | null;
  /** What was done since the last choice of a task; the next one records it. */
  readonly sinceChoice: Pick<ChoiceFacts, 'reconciled' | 'autoUnblocked' | 'waits' | 'checkpoints'>;
  /** How long results took their agents and their gates together, and how many there were. */
  readonly took: { readonly count: number; readonly agentMs: number; readonly gatesMs: number };
  /** What was short for more workers, as you were told. */
  readonly shortages: ReadonlySet<Shortage>;
  /** The step of the budget that you were told of. */
  readonly budgetStep: BudgetStep;
  /** As last seen, in case they cannot be read any more. */
  readonly tasks: readonly Task[];
};
