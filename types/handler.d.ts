/**
 * The types of a module of `[interventions.handlers]` or `[interventions.strategy] module`
 * (docs/HANDLERS.md). All values are plain data.
 */

export type InterventionType =
  | 'soft_correction'
  | 'context_reinforcement'
  | 'resource_throttling'
  | 'checkpoint_rollback'
  | 'emergency_stop';

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** Limits of one attempt; 0: no limit. */
export interface Limits {
  fileOperations: number;
  /** Limit of memory of the whole process tree, in mebibytes. */
  memoryMb: number;
  tokens: number;
  executionSeconds: number;
  batchSize: number;
}

/** Time, tokens, memory and files that an attempt used. */
export interface Resources {
  fileOperations: number;
  /** Peak of the process tree in MiB. */
  memoryMb: number;
  tokens: number;
  durationMs: number;
}

export interface Task {
  id: string;
  title: string;
  description: string;
  acceptance: string[];
  kind: 'build' | 'verify' | 'research';
  /** Globs or paths that the work should stay within; `null`: the task names none. */
  expectedPaths: string[] | null;
}

/** One action of the agent. */
export interface Action {
  /** Milliseconds since the attempt began. */
  atMs: number;
  tool: string;
  kind:
    | 'file_read'
    | 'file_create'
    | 'file_modify'
    | 'file_write'
    | 'file_delete'
    | 'patch'
    | 'system_command'
    | 'typing'
    | 'network_request'
    | 'message'
    | 'unknown';
  /** What the action did, in one short line without secrets. */
  text: string;
  paths: string[];
  /** Whether the action succeeded; `null`: the agent doesn't report it. */
  ok: boolean | null;
}

/** A file that the attempt changed. */
export interface Change {
  /** Relative to the top of the work tree. */
  path: string;
  kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode_changed' | 'type_changed';
  linesAdded: number;
  linesRemoved: number;
}

export interface Gate {
  name: string;
  outcome: { kind: 'passed' | 'failed' | 'timed_out' | 'tool_missing' | 'skipped' };
  durationMs: number;
  /** The end of the gate's output. */
  outputTail: string;
}

/** An intervention that was made in an earlier attempt. */
export interface InterventionRecord {
  type: InterventionType;
  issue: string;
  also: string[];
  severity: Severity;
  iteration: number;
  /** When it was made (ISO 8601 UTC). */
  at: string;
  agent: string;
  severityScore: number;
  escalationLevel: number;
  escalated: boolean;
  /** Whether the intervention helped; `null`: only the next attempt will show. */
  outcome: 'helped' | 'not_helped' | 'no_further_attempt' | null;
}

/** An attempt that has just ended. */
export interface Attempt {
  run: string;
  iteration: number;
  /** 1 for the first attempt of the task's series. */
  attempt: number;
  agent: string;
  mode: string;
  /** When the attempt started (ISO 8601 UTC). */
  startedAt: string;
  endedAt: string;
  durationMs: number;
  task: Task;
  /** How the agent's process ended. */
  end: {
    kind: 'exited' | 'signalled' | 'timed_out' | 'interrupted' | 'spawn_failed' | 'halted';
  };
  /** The agent's final message. */
  finalMessage: string;
  /** The newest actions, oldest first. */
  actions: Action[];
  changes: Change[];
  gates: Gate[];
  resources: Resources;
  limits: Limits;
}

/** A problem that a detector found. */
export interface Finding {
  severity: Severity;
  /** How certain the finding is, 0 to 1. */
  confidence: number;
  /** How much damage the finding means, 0 to 1. */
  impactFactor: number;
  /** One sentence for people. */
  summary: string;
  /** Facts that the finding is based on. */
  details?: Record<string, unknown> | undefined;
  /** Interventions that may answer the finding, gentlest first. */
  ladder?: InterventionType[] | undefined;
}

/** Asks a module what to do about an issue. */
export interface Question {
  issue: string;
  severity: Severity;
  confidence: number;
  impactFactor: number;
  summary: string;
  details: Record<string, unknown>;
  /** Interventions that the built-in controller would choose from, gentlest first. */
  ladder: InterventionType[];
  /** Interventions so far in the task's series of attempts, oldest first. */
  history: InterventionRecord[];
  attempt: Attempt;
}

/** What to do about the issue; `null`: the built-in ladder decides. */
export type Answer =
  | null
  | { intervention: 'none' }
  | {
      intervention: InterventionType;
      /** Markdown for the next prompt, in place of the built-in text. */
      text?: string | undefined;
    };

/** Called after each attempt; returns what it found, `null` or `undefined` for nothing. */
export type Detect = (attempt: Attempt) => Finding | null | undefined | Promise<Finding | null | undefined>;

/** Called when the module's issue has to be answered; `undefined` means the same as `null`. */
export type Intervene = (question: Question) => Answer | undefined | Promise<Answer | undefined>;

/** What a module exports: both members are optional, as named exports or as members of the default export. */
export interface HandlerModule {
  detect?: Detect;
  intervene?: Intervene;
}
