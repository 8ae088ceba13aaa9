import * as z from 'zod/mini';

/** What a tool call of an agent does, as the agent's adapter says. `unknown`: the adapter doesn't know the tool. */
export const ActionKind = z.enum([
  'file_read',
  'file_create',
  'file_modify',
  /** Creates a file or replaces it. */
  'file_write',
  'file_delete',
  'patch',
  'system_command',
  /** Text for a program that was left open. */
  'typing',
  'network_request',
  /** A plan, a list of steps: touches neither files nor programs. */
  'message',
  'unknown',
]);
export type ActionKind = z.infer<typeof ActionKind>;

/** A file or folder that an action names, as the agent wrote it (`~/` is your home folder), and what happens to it. */
export type ActionPath = { readonly path: string; readonly change: 'read' | 'write' | 'delete' };

/** One call of a tool, before it happens (hook) or as the stream reports it. */
export type Action = {
  readonly kind: ActionKind;
  /** The agent's own name of the tool. */
  readonly tool: string;
  /** The agent's own number of the call; `null` where it gives none. */
  readonly id: string | null;
  readonly paths: readonly ActionPath[];
  /** Command line for a shell. */
  readonly command: string | null;
  /** Texts that are written, typed, or run as a program, by kind. */
  readonly content: readonly string[];
  /** Address or search that goes out to the network. */
  readonly network: string | null;
  /** Folder to work in; `null`: the top of the repository. A relative one is relative to that top. */
  readonly cwd: string | null;
  /** The agent's own parameters: for records, and what is changed by a `modify` ruling. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** More paths in one call aren't followed; one more than this is kept where there are too many. */
export const MOST_PATHS = 2000;

const WRITES: ReadonlySet<ActionKind> = new Set([
  'file_create',
  'file_modify',
  'file_write',
  'file_delete',
  'patch',
]);

/** Where an action's relative paths begin, absolute: the folder that the agent names, else the top of the work tree. */
export function workingFolder({ cwd }: Pick<Action, 'cwd'>, root: string): string {
  if (cwd === null) return root;
  return cwd.startsWith('/') ? cwd : `${root}/${cwd}`;
}

/** Whether the tool changes files that it names. What a command writes isn't known here. */
export function changesFiles({ kind }: Pick<Action, 'kind'>): boolean {
  return WRITES.has(kind);
}

/** Whether the tool only looks: it may run where no ruling can be had. */
export function isReadKind({ kind }: Pick<Action, 'kind'>): boolean {
  return kind === 'file_read' || kind === 'message';
}

/** Whether it waits for you where you approve single actions: writes, deletions, commands, and what isn't known. */
export function waitsForApproval({ kind }: Pick<Action, 'kind'>): boolean {
  return isKnownToAct({ kind }) || kind === 'unknown';
}

/** Whether the tool is known to change files or to run programs; of a network request or an unknown tool that isn't. */
export function isKnownToAct(action: Pick<Action, 'kind'>): boolean {
  return changesFiles(action) || action.kind === 'system_command' || action.kind === 'typing';
}
