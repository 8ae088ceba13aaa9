import type { RunPlace, TrustedGit } from 'ralph-actions/forms/place';
import type { AskRules, ModuleRule, Rule } from 'ralph-actions/review';
import type { AgentAdapter } from 'ralph-agents/protocol';
import type { MountedCopy } from 'ralph-box/protocol';
import type { Mode, Shortage } from '../decide/index.ts';
import type { RemoteWorkers } from '../domain/fleet.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { GateRequest } from '../domain/human/gate.ts';
import type { AnswerChat } from '../domain/notification.ts';
import type { LineLog } from '../domain/ports/line.ts';
import type { Ports, TrackerLoad } from '../domain/ports.ts';
import type { Unblocking } from '../domain/records/blocked.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import type { Workplace } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import type { Role, WorkflowKind } from '../domain/workflow/roles.ts';
import type { GatePlace } from '../lab/index.ts';
import type { BudgetStep } from '../respond/policy/index.ts';
import type { Ledgers } from './ledgers.ts';
import type { Turns } from './turns.ts';

export type Worker = { readonly ports: Ports; readonly workplace: Workplace };

export type JudgeContext = Worker &
  GatePlace & {
    readonly run: string;
    readonly mode: Mode;
    readonly gates: readonly GateSpec[];
    readonly home: string | null;
    /** Your templates for soft corrections, by issue (`[interventions] custom_prompts_path`). */
    readonly texts: Readonly<Record<string, string>>;
  };

export type LoopContext = JudgeContext & {
  /** All workers of the run. Outside of an iteration, `ports` and `workplace` belong to the first worker. */
  readonly workers: readonly Worker[];
  readonly turns: Turns;
  readonly ledgers: Ledgers;
  /** The run's file of spans for OpenTelemetry. */
  readonly spans: LineLog;
  /** The run's agent, followed by the agents that replace it while it can't work. */
  readonly adapters: readonly [AgentAdapter, ...AgentAdapter[]];
  /** Roles beside the maker; `null`: the maker works alone. */
  readonly workflow: WorkflowSetup | null;
  /** The agent that writes checks for a task before work on the task begins; `null`: no checks are written. */
  readonly prover: RoleAgent | null;
  /** How agents' actions are reviewed; `null`: they aren't. */
  readonly review: ReviewSetup | null;
  /** Absolute path of a private folder outside of the repository where agents write their reports. */
  readonly reportFolder: string;
  /** Isolation of the run's programs: `line` for the screen, and `outside` for gates that run without it. */
  readonly box: { readonly line: string; readonly outside: readonly string[] };
  /** Ids of the only tasks to work on; `null`: all tasks. */
  readonly only: readonly string[] | null;
  /** No attempt starts after this time, ISO 8601 UTC; `null`: no such limit. */
  readonly runUntil: string | null;
  /** Model that the run's agent has to use; `null`: the agent's own choice. */
  readonly model: string | null;
  /** Your limit of iterations; `null`: a number for each task (`iterationLimit`). */
  readonly maxIterations: number | null;
  readonly notifyEnd: boolean;
  /** Asks you, until `stop` fires, whether ticked but unverified tasks are done; `null`: there is no terminal. */
  readonly confirmMarks: ((tasks: readonly Task[], stop: AbortSignal) => Promise<boolean>) | null;
  /** Shows a request, asks you until `stop` fires, and carries out your decision; `null`: there is no terminal. */
  readonly askGate: ((request: GateRequest, stop: AbortSignal) => Promise<'decided' | 'left'>) | null;
  /** Carries out answers from chats; `null`: none is read. */
  readonly answerChat: AnswerChat | null;
  /** Workers on other machines that make the attempts; `null`: this machine makes them. */
  readonly remoteWorkers: RemoteWorkers | null;
  /**
   * Tasks of `ralph retry-blocked`, which are unblocked. The run works only on these, with at most `attempts` attempts
   * each.
   */
  readonly retry?: {
    readonly unblockings: readonly Unblocking[];
    readonly attempts: number;
    readonly fresh: boolean;
  };
};

export type WorkflowSetup = {
  readonly kind: Exclude<WorkflowKind, 'solo'>;
  readonly maxCycles: number;
  readonly agents: ReadonlyMap<Role, RoleAgents>;
};

export type RoleAgents = {
  readonly first: RoleAgent;
  readonly others: readonly RoleAgent[];
};

export type RoleAgent = { readonly adapter: AgentAdapter; readonly model: string | null };

export type ReviewSetup = {
  /** Whether an agent isn't started if its actions can't be stopped before they happen. */
  readonly requireGate: boolean;
  /** Absolute path of a private folder outside of the repository for the hooks of attempts. */
  readonly hookFolder: string;
  /** Returns facts about the machine for the review of actions, with the copy at the path of the checkout. */
  readonly placeIn: (copy: MountedCopy) => RunPlace;
  readonly tmpdir: RunPlace['tmpdir'];
  readonly trustedGit: TrustedGit;
  /** Rules of the review, built-in and yours, without those that are turned off. */
  readonly rules: readonly (Rule | ModuleRule)[];
  /** Asks the rules that are in a module. */
  readonly askRules: AskRules;
};

export type LoadedTracker = Extract<TrackerLoad, { ok: true }>;

export type Progress = {
  readonly iterations: number;
  /**
   * Number of iterations so far. `counted` and `attempts` are without iterations ended by a cause outside the work;
   * `max_iterations` limits `counted`.
   */
  readonly counted: number;
  readonly attempts: ReadonlyMap<string, number>;
  /** Milliseconds spent on each task that this run has started, in the order of their starts. */
  readonly startedTasks: ReadonlyMap<string, number>;
  readonly agent: string;
  /**
   * Reason for waiting that was last reported: an agent with a time, or the task that idle workers wait for; `null`:
   * none.
   */
  readonly awaited: string | null;
  /** Changes since the last choice of a task. The next choice puts them on record. */
  readonly sinceChoice: Pick<ChoiceFacts, 'reconciled' | 'autoUnblocked' | 'waits' | 'checkpoints'>;
  /** `agentMs` and `gatesMs` are sums over `count` results, in milliseconds. */
  readonly took: { readonly count: number; readonly agentMs: number; readonly gatesMs: number };
  readonly shortages: ReadonlySet<Shortage>;
  readonly budgetStep: BudgetStep;
  /** Tasks when the list was last read, in case it can't be read any more. */
  readonly tasks: readonly Task[];
};

/** Why no run starts, with the one command or step that helps. */
export type Refusal = { readonly message: string; readonly next: string; readonly exitCode?: number };
