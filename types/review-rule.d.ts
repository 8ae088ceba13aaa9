/**
 * Types of a module of `[review.rules] custom_rules_path` (docs/REVIEW_RULES.md). All values are plain
 * data, and changing them has no effect.
 */

/** A tool call of an agent, before it happens. */
export interface Action {
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
  /** The agent's own name of the tool. */
  tool: string;
  /** Command line for a shell; `null`: the tool runs none. */
  command: string | null;
  /** Files that the call names, as the agent wrote them. */
  paths: { path: string; change: 'read' | 'write' | 'delete' }[];
}

/** One effect of an action, as far as it is known before the action happens. */
export interface Effect {
  /** `writes`, `deletes`, `network`, `history`, …: the list is in docs/REVIEW_RULES.md. */
  kind: string;
  /** The program, or the agent's tool, that has the effect. */
  by?: string;
  /** The words of the command that cause the effect. */
  shown?: string;
  /** Absolute paths of the files that the effect is on, as far as they are known. */
  paths?: string[];
  [more: string]: unknown;
}

export interface Subject {
  action: Action;
  effects: Effect[];
  /** Absolute top of the work tree. */
  root: string;
}

export type Remark =
  | {
      /** `warn` lets the action pass and tells the agent; `deny` stops it. */
      decision: 'warn' | 'deny';
      /** Text for the agent and for you: what was noticed and what to do instead. */
      reason: string;
    }
  | {
      /**
       * `command` runs in place of the agent's command; where that is impossible, the action is denied and
       * the agent is told of `command`.
       */
      decision: 'modify';
      reason: string;
      command: string;
    };

export interface ReviewRule {
  /** Small letters, digits and `_`; it is recorded, and names the rule in `disabled`. */
  name: string;
  essential?: boolean;
  /** What the rule finds and what to do instead, for `ralph review rules`. */
  finds?: string;
  instead?: string;
  /**
   * Returns a remark; `null` or `undefined`: the rule has no objection. It must not be slow: the agent waits
   * for it.
   * If it throws or takes too long, the action is denied.
   */
  judge(subject: Subject): Remark | null | undefined;
}

/** The default export of a module with rules. */
export type ReviewRules = ReviewRule[];
