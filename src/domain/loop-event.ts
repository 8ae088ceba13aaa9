import type { AgentEvent } from './agent.ts';
import type { GateJudgement, GateResult } from './gate.ts';
import type { RunEnding } from './state.ts';
import type { Verdict } from './verdict.ts';

/** What the loop says while it runs; one exhaustive printer per output (`io/ui`). */
export type LoopEvent =
  | {
      readonly kind: 'run_started';
      readonly run: string;
      readonly agent: string;
      readonly mode: string;
      readonly tracker: string;
      readonly tasks: { readonly total: number; readonly done: number; readonly blocked: number };
    }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'baseline_started'; readonly gates: readonly string[] }
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
  | {
      readonly kind: 'task_unblocked';
      readonly taskId: string;
      readonly strategy: string | null;
      readonly reason: string;
      readonly timeoutSeconds: number | null;
      readonly automatic: boolean;
    }
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: string }
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
    readonly blocked: number;
    readonly open: number;
  };
  readonly doneInRun: readonly { readonly id: string; readonly title: string }[];
  /** Tasks that are not done, each with the reason a tired person wants to read. */
  readonly unfinished: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly why: string;
    readonly next: string;
    /** What to do about a blocked task (`[unblock] auto_suggest`); `null` for the others. */
    readonly strategy: string | null;
  }[];
  readonly liesCaught: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  /** Commands to run next. */
  readonly next: readonly string[];
};
