import type { AgentAdapter } from '../domain/agent.ts';
import type { Unblocking } from '../domain/blocked.ts';
import type { Config } from '../domain/config.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { Ports, TrackerLoad } from '../domain/ports.ts';

/** What one run goes by; nothing in here changes while it lasts. */
export type LoopContext = {
  readonly ports: Ports;
  /** Absolute top of the work tree. */
  readonly root: string;
  /** `main`, or the name of the linked worktree. */
  readonly worktree: string;
  readonly run: string;
  readonly config: Config;
  /** `timeoutSeconds` is `null` where the mode has none: the level's base stands in. */
  readonly mode: { readonly name: string; readonly timeoutSeconds: number | null };
  readonly gates: readonly GateSpec[];
  readonly adapter: AgentAdapter;
  /** Work at this task alone. */
  readonly only: string | null;
  readonly maxIterations: number;
  /** Unblock these tasks and work at them alone, at most so many attempts each (`ralph retry-blocked`). */
  readonly retry?: { readonly unblockings: readonly Unblocking[]; readonly attempts: number };
};

export type LoadedTracker = Extract<TrackerLoad, { ok: true }>;

/** There is one worker until `--workers` exists (decisions.md, Keys). */
export const WORKER = 1;
