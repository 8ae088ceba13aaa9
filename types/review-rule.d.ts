/**
 * What a module of `[review.rules] custom_rules_path` exports and gets (docs/REVIEW_RULES.md). All of it is plain data,
 * and what is changed in it changes nothing.
 */

/** A call of a tool, before it happens. */
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
  /** Command line for a shell; `null`: there is none. */
  command: string | null;
  /** Files that the call names, as the agent wrote them. */
  paths: { path: string; change: 'read' | 'write' | 'delete' }[];
}

/** Something that an action does, as far as that is known before it happens. */
export interface Effect {
  /** `writes`, `deletes`, `network`, `history`, …: the list is in docs/REVIEW_RULES.md. */
  kind: string;
  /** The program, or the agent's tool. */
  by?: string;
  /** The words of the command that say so. */
  shown?: string;
  /** Of effects on files: absolute paths, as far as they are known. */
  paths?: string[];
  [more: string]: unknown;
}

export interface Subject {
  action: Action;
  effects: Effect[];
  /** Top of the work tree. */
  root: string;
}

export type Remark =
  | {
      /** `warn` lets the action pass and tells the agent; `deny` stops it. */
      decision: 'warn' | 'deny';
      /** For the agent and for you: what was noticed and what to do instead. */
      reason: string;
    }
  | {
      /** `command` runs in place of the agent's; where that can't be, the action is denied and names it. */
      decision: 'modify';
      reason: string;
      command: string;
    };

export interface ReviewRule {
  /** Small letters, digits and `_`; it is recorded, and names the rule in `disabled`. */
  name: string;
  essential?: boolean;
  /** What it finds and what to do instead, for `ralph review rules`. */
  finds?: string;
  instead?: string;
  /** `null` or nothing: nothing speaks against it. It must not wait: the agent does. If it throws, the action is denied. */
  judge(subject: Subject): Remark | null | undefined;
}

/** The default export. */
export type ReviewRules = ReviewRule[];
