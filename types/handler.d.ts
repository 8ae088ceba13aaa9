/**
 * What a module of `[interventions.handlers]` or `[interventions.strategy] module` gets and gives (docs/HANDLERS.md).
 * All of it is plain data.
 */

export type InterventionType =
  | 'soft_correction'
  | 'context_reinforcement'
  | 'resource_throttling'
  | 'checkpoint_rollback'
  | 'emergency_stop';

export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** Limits of one attempt; 0: none. */
export interface Limits {
  fileOperations: number;
  /** MiB. */
  memoryMb: number;
  tokens: number;
  executionSeconds: number;
  batchSize: number;
}

/** What an attempt used. */
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
  /** Globs or paths the work is expected to stay within; `null` when nothing is said. */
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
  /** One short line, secrets redacted. */
  text: string;
  paths: string[];
  /** `null` where the agent does not tell how it ended. */
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
  /** The end of its output. */
  outputTail: string;
}

/** An intervention that was made. */
export interface InterventionRecord {
  type: InterventionType;
  issue: string;
  also: string[];
  severity: Severity;
  iteration: number;
  /** ISO 8601 UTC. */
  at: string;
  agent: string;
  severityScore: number;
  escalationLevel: number;
  escalated: boolean;
  /** `null`: the next attempt will tell. */
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
  /** ISO 8601 UTC. */
  startedAt: string;
  endedAt: string;
  durationMs: number;
  task: Task;
  /** How the agent's process ended. */
  end: {
    kind: 'exited' | 'signalled' | 'timed_out' | 'interrupted' | 'spawn_failed' | 'halted';
  };
  /** The agent's last words. */
  finalMessage: string;
  /** The newest actions, oldest first. */
  actions: Action[];
  changes: Change[];
  gates: Gate[];
  resources: Resources;
  limits: Limits;
}

/** What a detector found. */
export interface Finding {
  severity: Severity;
  /** 0 to 1. */
  confidence: number;
  /** 0 to 1: how much worse it makes things. */
  impactFactor: number;
  /** One sentence for people. */
  summary: string;
  /** Facts behind it. */
  details?: Record<string, unknown> | undefined;
  /** Interventions that answer it, gentlest first. */
  ladder?: InterventionType[] | undefined;
}

/** What is to be done about an issue. */
export interface Question {
  issue: string;
  severity: Severity;
  confidence: number;
  impactFactor: number;
  summary: string;
  details: Record<string, unknown>;
  /** What the built-in controller would choose from, gentlest first. */
  ladder: InterventionType[];
  /** Interventions of the task's series of attempts, oldest first. */
  history: InterventionRecord[];
  attempt: Attempt;
}

/** `null`: the built-in ladder decides. */
export type Answer =
  | null
  | { intervention: 'none' }
  | {
      intervention: InterventionType;
      /** Markdown for the next prompt, instead of the built-in text. */
      text?: string | undefined;
    };

/** Called after each attempt; `null` or nothing: it found nothing. */
export type Detect = (attempt: Attempt) => Finding | null | undefined | Promise<Finding | null | undefined>;

/** Called when there is something to be done about the module's issue; nothing is as good as `null`. */
export type Intervene = (question: Question) => Answer | undefined | Promise<Answer | undefined>;

/** Both are optional, as exports by name or as members of the default export. */
export interface HandlerModule {
  detect?: Detect;
  intervene?: Intervene;
}
