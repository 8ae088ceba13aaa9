import * as z from 'zod/mini';

/** Kind of an agent's tool call, as its adapter knows it. `unknown`: the adapter doesn't know the tool. */
export const ActionKind = z.enum([
  'file_read',
  'file_create',
  'file_modify',
  /** Creates or replaces a file. */
  'file_write',
  'file_delete',
  'patch',
  'system_command',
  /** Text for a program that was left open. */
  'typing',
  'network_request',
  /** A plan or list of steps, which touches neither files nor programs. */
  'message',
  'unknown',
]);
export type ActionKind = z.infer<typeof ActionKind>;

/** A path named by an action, as the agent wrote it (`~/` is your home folder), and what happens to it. */
export type ActionPath = { readonly path: string; readonly change: 'read' | 'write' | 'delete' };

/** A tool call, before it happens (hook) or as the stream reports it. */
export type Action = {
  readonly kind: ActionKind;
  /** The agent's own name of the tool. */
  readonly tool: string;
  /** The agent's own number of the call; `null` without one. */
  readonly id: string | null;
  readonly paths: readonly ActionPath[];
  readonly command: string | null;
  /** Texts written, typed, or run as a program. */
  readonly content: readonly string[];
  /** Address or search sent to the network. */
  readonly network: string | null;
  /** Working folder, relative to the top of the repository; `null`: that top. */
  readonly cwd: string | null;
  /** The agent's own parameters, recorded, and changed by a `modify` ruling. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** The reviewer's decision. `rule` is a stable name; `reason` tells the agent and you what to do instead. */
export type Ruling =
  | { readonly decision: 'allow' }
  | { readonly decision: 'warn'; readonly rule: string; readonly reason: string }
  | {
      readonly decision: 'modify';
      readonly rule: string;
      readonly reason: string;
      /** Description of what happens instead of the action. */
      readonly alternative: string;
      /** Parameters that replace the agent's. */
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly decision: 'deny';
      readonly rule: string;
      readonly reason: string;
      /** Denied only as a precaution: nothing of yours could have been lost, so it counts for nothing. */
      readonly harmless?: true;
    };

/** Limit of paths followed in one call; one more is kept when there are too many. */
export const MOST_PATHS = 2000;

const WRITES: ReadonlySet<ActionKind> = new Set([
  'file_create',
  'file_modify',
  'file_write',
  'file_delete',
  'patch',
]);

/** Returns the absolute base of an action's relative paths. */
export function workingFolder({ cwd }: Pick<Action, 'cwd'>, root: string): string {
  if (cwd === null) return root;
  return cwd.startsWith('/') ? cwd : `${root}/${cwd}`;
}

/** Whether the tool changes files it names; a command's effects aren't known here. */
export function changesFiles({ kind }: Pick<Action, 'kind'>): boolean {
  return WRITES.has(kind);
}

/** Whether the tool only reads, so that it may run without a ruling. */
export function isReadKind({ kind }: Pick<Action, 'kind'>): boolean {
  return kind === 'file_read' || kind === 'message';
}

/** Whether the action waits when you approve single actions: writes, deletions, commands and unknown tools. */
export function waitsForApproval({ kind }: Pick<Action, 'kind'>): boolean {
  return isKnownToAct({ kind }) || kind === 'unknown';
}

/** Whether the tool surely changes files or runs programs, unlike network requests and unknown tools. */
export function isKnownToAct(action: Pick<Action, 'kind'>): boolean {
  return changesFiles(action) || action.kind === 'system_command' || action.kind === 'typing';
}
